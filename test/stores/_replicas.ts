import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packagedFile } from "../../src/entrypoints/library/files.ts";
import { hostScenario } from "../../src/entrypoints/library/host-scenario.ts";
import { openStore } from "../../src/entrypoints/stores/open-store.ts";
import { Body } from "../../src/foundation/http/body.ts";
import { headerValue } from "../../src/foundation/http/header.ts";
import { CountedLimits } from "../../src/foundation/limits/counted-limits.ts";
import type { Scenario } from "../../src/scenarios/files/load-scenario.ts";
import { loopbackAccess } from "../../src/stub/control/access.ts";
import { withControl } from "../../src/stub/control/control.ts";
import type { Hosting } from "../../src/stub/hosting/hosting.ts";
import { StoredJournals } from "../../src/stub/stores/stored-journals.ts";
import { storedValue } from "../../src/stub/stores/stored-value.ts";
import { WorldKeeper } from "../../src/stub/stores/world-keeper.ts";
import type { WorldStore } from "../../src/stub/stores/world-store.ts";
import type { VerifyToken } from "../../src/stub/tokens/verify-token.ts";
import { afterFile } from "../_after-file.ts";
import { scenarioOf } from "../_scenario.ts";

/** The URL of a new SQLite store, which is deleted after the tests of the file. */
export function sqliteUrl(): string {
  const folder = mkdtempSync(join(tmpdir(), "understudy-store-"));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  return `sqlite:${join(folder, "store.db")}`;
}

export interface ReplicaOptions {
  readonly name: string;
  readonly url: string;
  readonly scenario?: Scenario;
  readonly leaseMs?: number;
  readonly isRelaxed?: boolean;
  readonly worldsMax?: number;
  readonly stateBytesMax?: number;
  /** Changes the store between replica and database, such as to let a write fail. */
  readonly through?: (store: WorldStore) => WorldStore;
  readonly wallNowMs?: () => number;
  /** A clock that is never set back. */
  readonly nowMs?: () => number;
  /** Verifies tokens; without it every token is accepted. */
  readonly verifyToken?: VerifyToken;
}

interface Received {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | undefined;
}

/** A stub over a store, without a socket. */
export interface Replica {
  readonly hosting: Hosting;
  readonly keeper: WorldKeeper;
  readonly faults: readonly string[];
  ask(method: string, target: string, body?: unknown): Promise<Received>;
  /** As `ask`, with a text as body. */
  send(method: string, target: string, text: string): Promise<Received>;
  /** The state of a world as a store keeps it, without the number of its requests; empty if it is not here. */
  state(id?: string): string;
  close(): Promise<void>;
}

/** Opens a replica whose lease is renewed by `renew` alone. */
export async function openReplica({ name, url, ...options }: ReplicaOptions): Promise<Replica> {
  const { worlds: opened, exchanges } = await openStore({
    url,
    isRelaxed: options.isRelaxed ?? false,
    folder: "",
    migrations: packagedFile("migrations"),
  });
  const { leaseMs = 600_000 } = options;
  const limits = new CountedLimits(options.stateBytesMax === undefined ? {} : { stateBytesMax: options.stateBytesMax });
  const faults: string[] = [];
  let forks = 0;
  const wallNowMs = options.wallNowMs ?? Date.now;
  const keeper = new WorldKeeper({
    store: options.through?.(opened) ?? opened,
    replica: name,
    leaseMs,
    isRelaxed: options.isRelaxed ?? false,
    worldsMax: options.worldsMax ?? 100,
    stateBytesMax: options.stateBytesMax ?? limits.values.stateBytesMax,
    nowMs: options.nowMs ?? performance.now.bind(performance),
    wallNowMs,
    later: setImmediate,
    // A failed write is repeated at once; the lease is never renewed by time.
    wait: (durationMs) =>
      new Promise((resolve) => {
        if (durationMs < leaseMs / 3) setImmediate(resolve);
      }),
    onFault: (fault) => faults.push(String(fault)),
  });
  const wait = () => new Promise<void>(() => undefined);
  const retention = { ageMs: 3_600_000, sizeMax: 1_000_000 };
  const journals = new StoredJournals({ exchanges, retention, wait, onFault: (fault) => faults.push(String(fault)) });
  const hosting = hostScenario(options.scenario ?? scenarioOf("quickstart"), {
    keeper,
    journals,
    limits,
    ...(options.verifyToken === undefined ? {} : { auth: "jwt", verifyToken: options.verifyToken }),
    wallNowMs,
    newForkId: () => {
      forks += 1;
      return `${name}${forks}`;
    },
  });
  const handler = withControl(hosting, loopbackAccess);
  await hosting.kept?.open();
  const send = async (method: string, target: string, text: string) => {
    const response = await handler({
      method,
      target,
      headers: [
        ["Host", "127.0.0.1"],
        ["Authorization", "Bearer any"],
        ["Content-Type", "application/json"],
      ],
      body: new Body(text),
    });
    if (response.type !== "response") throw new Error(`the response is broken: ${response.kind}`);
    const { status, headers } = response;
    return { status, text: response.body.text(), retryAfter: headerValue(headers, "retry-after") };
  };
  return {
    hosting,
    keeper,
    faults,
    ask: (method, target, body) => send(method, target, body === undefined ? "" : JSON.stringify(body)),
    send,
    state: (id = "default") => {
      const state = hosting.worlds.get(id)?.world.whole;
      return state === undefined ? "" : JSON.stringify(storedValue({ ...state, counter: 0 }));
    },
    close: async () => hosting.kept?.close(),
  };
}
