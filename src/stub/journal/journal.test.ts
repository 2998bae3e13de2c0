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

test("restarts numbers and counts after it is cleared", () => {
  const journal = new Journal({ exchangesMax: 1, bytesMax: 10 });
  for (const target of ["a", "b"]) journal.add(exchange(target, 9), undefined);
  journal.clear();
  expect([targetsIn(journal), journal.dropped]).toEqual(["", 0]);
  journal.add(exchange("c", 9), undefined);
  expect(targetsIn(journal)).toBe("c");
});
