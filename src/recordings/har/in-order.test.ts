import { expect, test } from "vitest";
import { exchangeOf } from "../../../test/_exchange.ts";
import { inOrder } from "./in-order.ts";
import type { RecordingItem } from "./read-recording.ts";

const place = { byte: 0, length: 10, isInLog: true, part: 0 };

function itemOf(start: string, index: number): RecordingItem {
  if (start === "skipped") return { type: "skipped", problem: "too long", index, line: 1, byte: 0, length: 10 };
  return { type: "exchange", index, exchange: exchangeOf({ startedAt: start && `2026-01-01T00:00:${start}` }), place };
}

async function orderOf(starts: readonly string[], ...bounds: readonly number[]) {
  async function* items() {
    yield* starts.map(itemOf);
  }
  const found: string[] = [];
  for await (const item of inOrder(items(), ...bounds)) {
    const start = item.type === "exchange" ? item.exchange.startedAt.slice(17) : item.type;
    found.push(`${item.type === "invalid" ? "" : item.index} ${start}`);
  }
  return found;
}

test.each([
  ["newest first", ["03Z", "02Z", "01Z"], ["0 01Z", "1 02Z", "2 03Z"]],
  ["in other zones", ["01+00:00", "00-01:00", "03+00:00"], ["0 01+00:00", "1 03+00:00", "2 00-01:00"]],
  ["without times", ["", "", ""], ["0 ", "1 ", "2 "]],
  ["one of them without a time", ["05Z", "", "01Z"], ["0 01Z", "1 05Z", "2 "]],
  ["around a skipped entry", ["03Z", "02Z", "skipped", "01Z"], ["0 02Z", "1 03Z", "2 skipped", "3 01Z"]],
])("sorts exchanges %s", async (_what, starts, expected) => {
  expect(await orderOf(starts)).toEqual(expected);
});

test("keeps a limited number of bytes waiting, more of a file with the newest first", async () => {
  const reversed = ["06Z", "05Z", "04Z", "03Z", "02Z", "01Z"];
  const sorted = ["0 01Z", "1 02Z", "2 03Z", "3 04Z", "4 05Z", "5 06Z"];
  expect(await orderOf(reversed, 20, 100)).toEqual(sorted);
  expect(await orderOf(reversed, 20, 20)).not.toEqual(sorted);
  expect(await orderOf(["02Z", "01Z", "04Z", "03Z", "06Z", "05Z"], 20, 20)).toEqual(sorted);
});
