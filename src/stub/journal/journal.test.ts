import { expect, test } from "vitest";
import { exchangeOf } from "../../../test/_exchange.ts";
import { Journal } from "./journal.ts";
import type { JournalEntry } from "./journal-entry.ts";

/** An exchange with a response of `bytes` bytes. */
function exchange(target: string, bytes: number): JournalEntry {
  const made = exchangeOf({ target, responseHeaders: [], responseBody: "x".repeat(bytes) });
  return { ...made, virtualAt: "", operationId: undefined, unexpected: undefined };
}

const targetsIn = ({ exchanges }: Journal) => exchanges.map(({ request }) => request.target).join("");

test("keeps the newest exchanges up to its limit and counts dropped ones", () => {
  const journal = new Journal({ exchangesMax: 2, bytesMax: 1000 });
  for (const target of ["a", "b"]) journal.add(exchange(target, 1), undefined);
  expect([targetsIn(journal), journal.dropped]).toEqual(["ab", 0]);
  journal.add(exchange("c", 1), undefined);
  expect([targetsIn(journal), journal.dropped]).toEqual(["bc", 1]);
});

test("drops the oldest exchanges when their bytes exceed the limit", () => {
  const journal = new Journal({ exchangesMax: 1000, bytesMax: 20 });
  for (const target of ["a", "b"]) journal.add(exchange(target, 9), undefined);
  expect(targetsIn(journal)).toBe("ab");
  journal.add(exchange("c", 9), undefined);
  expect(targetsIn(journal)).toBe("bc");
  journal.add(exchange("d", 20), undefined);
  expect([targetsIn(journal), journal.dropped]).toEqual(["", 4]);
});

test("restored exchanges keep their numbers, whichever are missing", () => {
  const journal = new Journal({ exchangesMax: 3, bytesMax: 1000 });
  const records = [3, 4, 7].map((number) => ({ number, entry: exchange(`/${number}`, 1) }));
  journal.restore({ records, last: 9 }, undefined);
  const numbersAfter = (number: number, max = 9) => journal.after(number, max).map((record) => record.number);
  expect([journal.first, journal.last, journal.restored, journal.dropped]).toEqual([3, 9, 9, 6]);
  expect([numbersAfter(0), numbersAfter(3), numbersAfter(5), numbersAfter(7), numbersAfter(0, 2)]).toEqual([
    [3, 4, 7],
    [4, 7],
    [7],
    [],
    [3, 4],
  ]);
  expect([4, 5, 7, 9].map((number) => journal.at(number)?.entry.request.target)).toEqual([
    "/4",
    undefined,
    "/7",
    undefined,
  ]);
  journal.add(exchange("/10", 1), undefined);
  expect([numbersAfter(0), journal.first, journal.last, journal.dropped]).toEqual([[4, 7, 10], 4, 10, 7]);
});

test("restarts numbers and counts after it is cleared", () => {
  const journal = new Journal({ exchangesMax: 1, bytesMax: 10 });
  for (const target of ["a", "b"]) journal.add(exchange(target, 9), undefined);
  journal.clear();
  expect([targetsIn(journal), journal.dropped]).toEqual(["", 0]);
  journal.add(exchange("c", 9), undefined);
  expect(targetsIn(journal)).toBe("c");
});
