import { expect, test } from "vitest";
import { exchangeOf } from "../../../test/_exchange.ts";
import { storedEntry } from "../journal/stored-entry.ts";
import type { StoredExchange } from "./exchange-store.ts";
import { StoredJournals, waitingMax, waitingSizeMax } from "./stored-journals.ts";

const entry = { ...exchangeOf(), virtualAt: "", operationId: undefined, unexpected: undefined };
const text = storedEntry(entry, (shown) => shown);

interface Journals {
  readonly journals: StoredJournals;
  readonly faults: string[];
  /** Adds exchanges with the numbers `from` to `to`. */
  add(world: string, from: number, to: number, exchange?: string): void;
  /** The numbers of the stored exchanges of a world. */
  stored(world: string): readonly number[];
  /** Ends the pause in which exchanges wait. */
  endPause(): void;
  /** The statements of the store fail. */
  isDown: boolean;
  /** Called while exchanges are being written. */
  duringWrite: () => void;
  trims: number;
  largestGroup: number;
}

/** Journals over a store in memory, in which a statement takes some time. */
function journalsOf(): Journals {
  const rows = new Map<string, StoredExchange>();
  const rowsOf = (world: string) => [...rows.values()].filter((row) => row.world === world);
  let pauses: (() => void)[] = [];
  const statement = async () => {
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    if (made.isDown) throw new Error("down");
  };
  const exchanges = {
    add: async (group: readonly StoredExchange[]) => {
      made.largestGroup = Math.max(made.largestGroup, sizeOf(group));
      made.duringWrite();
      await statement();
      for (const exchange of group) {
        const key = keyOf(exchange);
        if (!rows.has(key)) rows.set(key, exchange);
      }
    },
    clear: async (world: string) => {
      await statement();
      for (const row of rowsOf(world)) rows.delete(keyOf(row));
    },
    newest: async (world: string, max: number) => {
      await statement();
      return rowsOf(world).slice(-max);
    },
    trim: async () => {
      await statement();
      made.trims += 1;
    },
  };
  const faults: string[] = [];
  const journals = new StoredJournals({
    exchanges,
    retention: { ageMs: 1000, sizeMax: 1000 },
    wait: () => new Promise((resolve) => pauses.push(resolve)),
    onFault: (fault) => faults.push(String(fault)),
  });
  const made: Journals = {
    journals,
    faults,
    add: (world, from, to, exchange = text) => {
      for (const number of numbers(from, to)) journals.add({ world, number, atMs: 0, exchange });
    },
    stored: (world) => rowsOf(world).map(({ number }) => number),
    endPause: () => {
      for (const end of pauses) end();
      pauses = [];
    },
    isDown: false,
    duringWrite: () => undefined,
    trims: 0,
    largestGroup: 0,
  };
  return made;
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const keyOf = ({ world, number }: StoredExchange) => `${world} ${number}`;
const sizeOf = (group: readonly StoredExchange[]) => group.reduce((sum, { exchange }) => sum + exchange.length, 0);

test("writes exchanges after a pause, in groups, and removes old ones now and then", async () => {
  const store = journalsOf();
  store.add("w", 1, 450);
  expect(store.stored("w")).toEqual([]);
  store.endPause();
  await store.journals.load("w", 1);
  expect(store.stored("w")).toEqual(numbers(1, 450));
  expect(store.trims).toBe(1);
});

test("a reset during a write removes the exchanges of its world alone, and new ones have their numbers again", async () => {
  const store = journalsOf();
  store.add("w", 1, 300);
  store.add("other", 1, 300);
  store.duringWrite = () => {
    store.duringWrite = () => undefined;
    store.journals.clear("w");
    store.add("w", 1, 2);
  };
  await store.journals.flush();
  await store.journals.flush();
  expect(store.stored("w")).toEqual([1, 2]);
  expect(store.stored("other")).toEqual(numbers(1, 300));
});

test("a reset during a write that fails removes what was being written", async () => {
  const store = journalsOf();
  store.add("w", 1, 3);
  store.add("other", 1, 3);
  store.isDown = true;
  store.duringWrite = () => store.journals.clear("w");
  await store.journals.flush();
  store.isDown = false;
  await store.journals.flush();
  expect([store.stored("w"), store.stored("other")]).toEqual([[], [1, 2, 3]]);
});

test("a reset that the store did not take is repeated before exchanges are written", async () => {
  const store = journalsOf();
  store.add("w", 1, 3);
  await store.journals.flush();
  store.isDown = true;
  store.journals.clear("w");
  await store.journals.flush();
  store.isDown = false;
  store.add("w", 1, 1);
  await store.journals.flush();
  expect(store.stored("w")).toEqual([1]);
});

test("a flush during a write waits for it and writes the rest", async () => {
  const store = journalsOf();
  store.add("w", 1, 900);
  store.endPause();
  await store.journals.flush();
  expect(store.stored("w")).toEqual(numbers(1, 900));
  expect(store.journals.dropped).toBe(0);
});

test("exchanges that the store did not take are written later, in order", async () => {
  const store = journalsOf();
  store.add("w", 1, 300);
  store.isDown = true;
  await store.journals.flush();
  expect(store.faults).toEqual(["Error: down"]);
  store.isDown = false;
  store.add("w", 301, 310);
  await store.journals.flush();
  expect(store.stored("w")).toEqual(numbers(1, 310));
});

test("drops the oldest exchanges when too many wait, also after a write that failed", async () => {
  const store = journalsOf();
  store.add("w", 1, waitingMax);
  store.isDown = true;
  store.duringWrite = () => store.add("w", waitingMax + 1, waitingMax + 10);
  await store.journals.flush();
  expect(store.journals.dropped).toBe(10);
  store.isDown = false;
  store.duringWrite = () => undefined;
  const { records } = await store.journals.load("w", 1);
  expect(records).toHaveLength(1);
  expect([store.stored("w")[0], store.stored("w").at(-1)]).toEqual([11, waitingMax + 10]);
});

test("drops the oldest exchanges when they are too long together, and writes long ones in smaller groups", async () => {
  const store = journalsOf();
  const long = "x".repeat(waitingSizeMax / 32);
  store.add("w", 1, 35, long);
  expect(store.journals.dropped).toBe(3);
  await store.journals.flush();
  expect(store.stored("w")).toEqual(numbers(4, 35));
  expect(store.largestGroup).toBe(4 * long.length);
});

test("loads a journal with the exchanges that wait", async () => {
  const store = journalsOf();
  store.add("w", 1, 5);
  const { records, last } = await store.journals.load("w", 3);
  expect([records.map(({ number }) => number), last]).toEqual([[3, 4, 5], 5]);
});

test("loads exchanges with their numbers when some between them are lost or cannot be read", async () => {
  const store = journalsOf();
  store.add("w", 1, 2);
  store.add("w", 5, 6);
  store.add("w", 7, 8, "unreadable");
  const { records, last } = await store.journals.load("w", 10);
  expect([records.map(({ number }) => number), last]).toEqual([[1, 2, 5, 6], 8]);
});

test("a journal that cannot be loaded is empty and reported, and its stored exchanges stay as they are", async () => {
  const store = journalsOf();
  store.add("w", 1, 2);
  await store.journals.flush();
  store.isDown = true;
  expect(await store.journals.load("w", 10)).toEqual({ records: [], last: 0 });
  expect(store.faults).toEqual(["Error: down"]);
  store.isDown = false;
  store.add("w", 1, 3);
  await store.journals.flush();
  expect([store.stored("w"), store.journals.dropped]).toEqual([[1, 2], 3]);
  store.journals.clear("w");
  store.add("w", 1, 1);
  await store.journals.flush();
  expect(store.stored("w")).toEqual([1]);
});
