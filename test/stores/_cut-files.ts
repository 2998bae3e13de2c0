import { copyFileSync, existsSync, readFileSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { packagedFile } from "../../src/entrypoints/library/files.ts";
import { openStore } from "../../src/entrypoints/stores/open-store.ts";
import { StoreError } from "../../src/stub/stores/store-error.ts";
import { storedValue } from "../../src/stub/stores/stored-value.ts";
import { temporaryFolder } from "../acceptance/_command-line.ts";
import { openReplica, type Replica } from "./_replicas.ts";

/** A store in SQLite with the states that its clients have seen acknowledged, in their order. */
export interface WrittenStore {
  /** The database. Its log, `FILE-wal`, has what is not in the database yet. */
  readonly file: string;
  readonly states: readonly string[];
}

const changes = 12;

/** A store that was written, as it was before and after it was closed. */
export interface WrittenStores {
  readonly open: WrittenStore;
  readonly closed: WrittenStore;
}

/**
 * Writes a store: half of its changes are in the database, the others in its log, which a closed store does not have. The states
 * include the one before the default world exists, an empty text.
 */
export async function writtenStores(): Promise<WrittenStores> {
  const folder = temporaryFolder();
  const url = `sqlite:${join(folder, "store.db")}`;
  const states = ["", ...(await written(url, 0)), ...(await written(url, changes, folder))];
  return { open: { file: join(folder, "copy.db"), states }, closed: { file: join(folder, "store.db"), states } };
}

/** Adds changes. Files are copied before the store is closed into the folder, if one is given. */
async function written(url: string, first: number, folder?: string): Promise<readonly string[]> {
  const replica = await openReplica({ name: "a", url });
  const states = [stateOf(replica)];
  for (let change = first; change < first + changes; change += 1) {
    const { status } = await replica.ask("POST", "/v2/users", { user: { id: `u${change}` } });
    if (status !== 200) throw new Error(`a user was not created: ${status}`);
    states.push(stateOf(replica));
  }
  if (folder !== undefined)
    for (const end of ["", "-wal"]) copyFileSync(join(folder, `store.db${end}`), join(folder, `copy.db${end}`));
  await replica.close();
  return states;
}

function stateOf({ hosting }: Replica): string {
  return textOf(hosting.worlds.get("default")?.world.whole);
}

/** A state as text, without the number of requests. */
function textOf(state: object | undefined): string {
  return state === undefined ? "" : JSON.stringify(storedValue({ ...state, counter: 0 }));
}

/** Sizes to which a file is cut. */
export interface Cut {
  readonly of: "database" | "log";
  readonly bytes: number;
}

/** All places around the ends of pages, in the heads of the files and their first pages, and random ones. */
export function cutsOf({ file }: WrittenStore, random: () => number, randomCuts: number): readonly Cut[] {
  const page = pageBytes(file);
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  return [
    ...cutsOfFile("database", statSync(file).size, { head: 0, page, random, randomCuts }),
    ...cutsOfFile("log", log?.size ?? 0, { head: 32, page: page + 24, random, randomCuts }),
  ];
}

function cutsOfFile(
  of: Cut["of"],
  size: number,
  { head, page, random, randomCuts }: { head: number; page: number; random: () => number; randomCuts: number },
): readonly Cut[] {
  const ends = Array.from({ length: Math.ceil((size - head) / page) }, (_, index) => head + index * page);
  const around = ends.flatMap((end) => [end - 1, end, end + 1]);
  const inHeads = [1, 16, 31, 99, 100, 511, 512];
  const anywhere = Array.from({ length: randomCuts }, () => Math.floor(random() * size));
  const all = new Set([...around, ...inHeads, ...anywhere].filter((bytes) => bytes >= 0 && bytes < size));
  return [...all].map((bytes) => ({ of, bytes }));
}

/** The size of a page of a database, which its head names. */
export function pageBytes(file: string): number {
  return readFileSync(file).readUInt16BE(16);
}

/** What became of a store whose file was cut: the number of its acknowledged states that it has, or why it is refused. */
export type Outcome =
  | { readonly type: "opened"; readonly state: number }
  | { readonly type: "refused"; readonly reason: string };

/** Cuts a copy of a store, and opens it. Rejects with the error of a store that fails in another way than by refusal. */
export async function openedAfter({ of, bytes }: Cut, { file, states }: WrittenStore): Promise<Outcome> {
  const cut = `${file}-cut.db`;
  for (const end of ["", "-wal", "-shm"]) rmSync(`${cut}${end}`, { force: true });
  for (const end of ["", "-wal"]) if (existsSync(`${file}${end}`)) copyFileSync(`${file}${end}`, `${cut}${end}`);
  truncateSync(of === "database" ? cut : `${cut}-wal`, bytes);
  return openedFile(cut, states);
}

async function openedFile(file: string, states: readonly string[]): Promise<Outcome> {
  const settings = { url: `sqlite:${file}`, isRelaxed: false, folder: "", migrations: packagedFile("migrations") };
  const opened = await openStore(settings).catch((error: unknown) => {
    if (error instanceof StoreError) return error.message;
    throw error;
  });
  if (typeof opened === "string") return { type: "refused", reason: opened };
  const { worlds: store } = opened;
  try {
    if (!(await store.has("default"))) return { type: "opened", state: 0 };
    const taken = await store.take("default", "a");
    return { type: "opened", state: states.lastIndexOf(taken.type === "taken" ? textOf(taken.state) : "not here") };
  } finally {
    await store.close();
  }
}
