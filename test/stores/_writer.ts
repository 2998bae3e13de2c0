import { vi } from "vitest";
import { tapsOf } from "../../bench/traffic/execute.ts";
import { rightKey } from "../../src/simulator/ledger/right.ts";
import type { WorldState } from "../../src/simulator/world/world-state.ts";

/** The URLs of the replicas that run now. */
export type Replicas = () => readonly string[];

/** The effect of a write: no two writes have the same name. */
interface Effect {
  readonly name: string;
  /** What the response has said about it, such as the id of an update; empty for nothing. */
  readonly detail: string;
}

interface Write {
  readonly name: string;
  readonly method: "POST" | "PATCH";
  readonly path: string;
  readonly body: object;
  /** The status that says, when the write is repeated, that it has had its effect before. */
  readonly repeatedStatus: number | undefined;
}

interface Received {
  readonly status: number;
  readonly text: string;
}

/** A replica may start meanwhile, and a lease expire. */
const patience = { timeout: 120_000, interval: 10 };

/** A client of one world. It remembers which of its writes were acknowledged, and which had no response. */
export class Writer {
  readonly acknowledged: Effect[] = [];
  /** Writes that may have had their effect, once, by their names: why that is not known. */
  readonly unknown: Map<string, string> = new Map();
  /** Responses that no write may have. */
  readonly problems: string[] = [];
  /** The number of requests that were refused with 503 and sent again. */
  refused = 0;
  readonly #world: string;
  readonly #name: string;
  readonly #random: () => number;
  readonly #replicas: Replicas;
  #users: string[] = [];
  #writes = 0;
  #url = "";
  #isOver = false;

  constructor({ world, name, random }: { world: string; name: string; random: () => number }, replicas: Replicas) {
    this.#world = world;
    this.#name = name;
    this.#random = random;
    this.#replicas = replicas;
  }

  /** Writes one after the other until `end` is called. */
  async run(): Promise<void> {
    while (!this.#isOver) await this.step();
  }

  async step(): Promise<void> {
    await this.#write(await this.#drawn());
  }

  end(): void {
    this.#isOver = true;
  }

  async #drawn(): Promise<Write> {
    this.#writes += 1;
    const name = `${this.#name}-${this.#writes}`;
    const user = this.#users[Math.floor(this.#random() * this.#users.length)];
    const kind = this.#random();
    if (user === undefined || kind < 0.25) return userCreated(name);
    if (kind < 0.5) return rightGranted(user, name);
    return kind < 0.75 ? userAnnotated(user, name) : await this.#executed(name);
  }

  /** An execution of a prepared transaction. Preparing it changes nothing, so it is repeated until it succeeds. */
  async #executed(name: string): Promise<Write> {
    const world = { userIds: [], parties: [party], registryAdmin };
    return vi.waitFor(async () => {
      const prepare = await tapsOf(world, (path, options) => fetch(`${this.#target()}${path}`, options));
      const { path, body = "" } = await prepare(name);
      return { name: `update ${name}`, method: "POST", path, body: JSON.parse(body), repeatedStatus: 409 };
    }, patience);
  }

  async #write(write: Write): Promise<void> {
    if (write.name.startsWith("update ") && this.#random() < 0.5) return this.#race(write);
    const received = await this.#sent(write);
    if (received.status !== 0) return this.#note(write, received, 200);
    this.unknown.set(write.name, received.text);
    if (write.repeatedStatus === undefined || this.#random() < 0.5) return;
    const repeated = await this.#sent(write);
    if (repeated.status !== 0) this.#note(write, repeated, 200, write.repeatedStatus);
  }

  /** Executions of one prepared transaction at the same time: one of them has an effect. */
  async #race(write: Write): Promise<void> {
    const received = await Promise.all([this.#sent(write), this.#sent(write), this.#sent(write)]);
    for (const { status, text } of received) if (status === 0) this.unknown.set(write.name, text);
    for (const each of received) if (each.status !== 0) this.#note(write, each, 200, 409);
  }

  #note({ name, path }: Write, { status, text }: Received, ...expected: readonly number[]): void {
    if (!expected.includes(status)) {
      this.unknown.set(name, `${status}: ${text}`);
      if (!isUnknown(status, text)) this.problems.push(`${name}: ${path} returned ${status}: ${text.slice(0, 300)}`);
      return;
    }
    this.acknowledged.push({ name, detail: status === 200 ? (JSON.parse(text).updateId ?? "") : "" });
    this.unknown.delete(name);
    if (name.startsWith("user ")) this.#users = [...this.#users, name.slice("user ".length)].slice(-5);
  }

  /** Sends a write until a replica has executed it. The status is 0 if the connection ended before the response. */
  #sent({ method, path, body }: Write): Promise<Received> {
    return vi.waitFor(async () => {
      const received = await this.#request(path, { method, headers, body: JSON.stringify(body) });
      if (received.status === 503) {
        this.refused += 1;
        this.#url = "";
        throw new Error("no replica serves the world");
      }
      return received;
    }, patience);
  }

  async #request(path: string, request: RequestInit): Promise<Received> {
    try {
      const response = await fetch(`${this.#target()}${path}`, request);
      return { status: response.status, text: await response.text() };
    } catch (error) {
      this.#url = "";
      if (wasNotSent(error)) throw error;
      return { status: 0, text: reasonOf(error) };
    }
  }

  /** The base URL of the world at the replica that has served it last, else at another one. */
  #target(): string {
    const urls = this.#replicas();
    if (!urls.includes(this.#url)) this.#url = urls[Math.floor(this.#random() * urls.length)] ?? "";
    return `${this.#url}/w/${this.#world}`;
  }
}

/** Whether the response says that the replica does not know whether the store has the changes. */
function isUnknown(status: number, text: string): boolean {
  return status === 500 && text.includes("not known");
}

/** Whether nothing listened at the address, so that the request was not sent. */
function wasNotSent(error: unknown): boolean {
  return /ECONNREFUSED|Failed to parse URL/.test(reasonOf(error));
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? `${error.message}: ${String(error.cause)}` : String(error);
}

const headers = { Authorization: "Bearer any", "Content-Type": "application/json" };
/** A party of the quickstart, and the administrator of its registry. */
export const party = "alice::12202bd806c97f0e00af1a1fc3328fa763a9269723c8db8fac4f93af71db186d6e90";
export const registryAdmin = "DSO::12206c8fd2dd9768e7414dab87a0e087f4f72026463827e6fb17c516cca1a8cc1686";

function userCreated(id: string): Write {
  return { name: `user ${id}`, method: "POST", path: "/v2/users", body: { user: { id } }, repeatedStatus: 409 };
}

function rightGranted(userId: string, name: string): Write {
  const right = { type: "CanReadAs", party: `${name}::1220ab` } as const;
  const rights = [{ kind: { CanReadAs: { value: { party: right.party } } } }];
  const path = `/v2/users/${userId}/rights`;
  const body = { userId, rights };
  return { name: `right ${userId} ${rightKey(right)}`, method: "POST", path, body, repeatedStatus: undefined };
}

function userAnnotated(id: string, name: string): Write {
  const user = { id, metadata: { annotations: { [name]: "x" } } };
  const body = { user, updateMask: { paths: ["metadata.annotations"] } };
  return {
    name: `annotation ${id} ${name}`,
    method: "PATCH",
    path: `/v2/users/${id}`,
    body,
    repeatedStatus: undefined,
  };
}

/** The effects of all writers that a world has, each as often as it is there. */
function effectsIn({ ledger }: WorldState): readonly Effect[] {
  const users = [...ledger.users.values()].filter(({ id }) => id.startsWith("writer"));
  return [
    ...users.flatMap(({ id, rights, annotations }) => [
      { name: `user ${id}`, detail: "" },
      ...[...rights].map(([key]) => ({ name: `right ${id} ${key}`, detail: "" })),
      ...Object.keys(annotations).map((key) => ({ name: `annotation ${id} ${key}`, detail: "" })),
    ]),
    ...[...ledger.updates.values()]
      .filter(({ commandId }) => commandId.startsWith("writer"))
      .map(({ commandId, updateId }) => ({ name: `update ${commandId}`, detail: updateId })),
  ];
}

/** What a world lacks of the acknowledged writes of its writers, has twice, or has without a reason. */
export function differencesFrom(writers: readonly Writer[], state: WorldState): readonly string[] {
  const found = Map.groupBy(effectsIn(state), ({ name }) => name);
  const acknowledged = writers.flatMap((writer) => writer.acknowledged);
  const known = new Set([
    ...acknowledged.map(({ name }) => name),
    ...writers.flatMap(({ unknown }) => [...unknown.keys()]),
  ]);
  return [
    ...acknowledged
      .filter(({ name, detail }) => !(found.get(name) ?? []).some((each) => detail === "" || each.detail === detail))
      .map(({ name }) => `lost: ${name}`),
    ...[...found].filter(([, effects]) => effects.length > 1).map(([name]) => `twice: ${name}`),
    ...[...found.keys()].filter((name) => !known.has(name)).map((name) => `without a request: ${name}`),
    // Each annotation of a user was one update of the user.
    ...[...state.ledger.users.values()]
      .filter(({ id }) => id.startsWith("writer"))
      .filter(({ resourceVersion, annotations }) => Number(resourceVersion) !== Object.keys(annotations).length)
      .map(({ id }) => `updated twice: ${id}`),
  ];
}
