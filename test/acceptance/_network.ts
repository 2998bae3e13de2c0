import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { hostScenario } from "../../src/entrypoints/library/host-scenario.ts";
import { planFromNow } from "../../src/scenarios/files/plan/plan-from-now.ts";
import type { RunningServer } from "../../src/transport/server/http-server.ts";
import { scenarioOf } from "../_scenario.ts";
import { listening } from "../_server.ts";

/** A wait of the server, which ends when the test runs it. */
export interface HeldWait {
  readonly ms: number;
  readonly run: () => void;
  isCanceled: boolean;
}

export interface Network {
  readonly server: RunningServer;
  /** The next wait of the server. */
  nextWait(): Promise<HeldWait>;
  /** Delays of responses, in milliseconds; none of them passes in real time. */
  readonly delays: readonly number[];
  /** Number of requests that reached the world. */
  requests(): number;
  /** Plays the plan from now on. */
  plan(...entries: readonly object[]): void;
}

/** A stub of a bundled scenario behind a socket. Its waits are in the hands of the test, or with `isRealTime` real. */
export async function network(scenario = "quickstart", isRealTime = false): Promise<Network> {
  const loaded = scenarioOf(scenario, { profile: "canton-3.5" });
  const delays: number[] = [];
  const [held, readers]: [HeldWait[], ((wait: HeldWait) => void)[]] = [[], []];
  const sleep = async (ms: number) => {
    delays.push(ms);
  };
  const hosting = hostScenario(loaded, { wallNowMs: () => 0, ...(isRealTime ? {} : { sleep }) });
  const wait = (ms: number, run: () => void) => {
    const one = { ms, run, isCanceled: false };
    const reader = readers.shift();
    if (reader === undefined) held.push(one);
    else reader(one);
    return () => {
      one.isCanceled = true;
    };
  };
  const server = await listening(hosting.handler, { closeGraceMs: 600_000, ...(isRealTime ? {} : { wait }) });
  return {
    server,
    delays,
    requests: () => hosting.worlds.get("default")?.world.state.counter ?? 0,
    nextWait: () => {
      const one = held.shift();
      return one === undefined ? new Promise((resolve) => readers.push(resolve)) : Promise.resolve(one);
    },
    plan: (...entries) => {
      const { world } = hosting.worlds.get("default") ?? {};
      if (world === undefined) throw new Error("invariant: the default world exists");
      const planned = planFromNow(JSON.parse(JSON.stringify(entries)), world.state);
      if (planned.type === "invalid") throw new Error(planned.problems.join("\n"));
      world.plan(planned.events);
    },
  };
}

/** A client over one connection, which keeps what it received. */
export class RawConnection {
  readonly socket: Socket;
  readonly chunks: string[] = [];
  /** The code of the error that ended the connection. */
  errorCode: string | undefined;
  isEnded = false;
  #wake = () => {};

  constructor({ url }: RunningServer) {
    this.socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", noDelay: true });
    this.socket.setEncoding("latin1");
    this.socket.on("data", (chunk) => this.#note(() => this.chunks.push(String(chunk))));
    this.socket.on("end", () => this.#note(() => (this.isEnded = true)));
    this.socket.on("error", (error) => this.#note(() => (this.errorCode = "code" in error ? String(error.code) : "")));
    this.socket.on("close", () => this.#note(() => (this.isEnded = true)));
    onTestFinished(() => {
      this.socket.destroy();
    });
  }

  get text(): string {
    return this.chunks.join("");
  }

  /** The body of the first response as far as it arrived. */
  get body(): string {
    return this.text.split("\r\n\r\n").slice(1).join("\r\n\r\n");
  }

  ask(target: string, method = "GET"): void {
    this.socket.write(`${method} ${target} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer any\r\n\r\n`);
  }

  /** Resolves as soon as the condition holds. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition())
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
  }

  #note(change: () => unknown): void {
    change();
    this.#wake();
  }
}
