import fc from "fast-check";
import { expect, test } from "vitest";
import { RecentHeads } from "./recent-heads.ts";
import { headOf } from "./refusals.ts";

test("gives each list of headers its own head, whatever came before", () => {
  const name = fc.constantFrom("Host", "host", "Content-Length", "Transfer-Encoding", "A");
  const list = fc.array(fc.tuple(name, fc.constantFrom("1", "2", "chunked"))).map((pairs) => pairs.flat());
  fc.assert(
    fc.property(fc.array(list, { maxLength: 40 }), (lists) => {
      const heads = new RecentHeads();
      for (const raw of lists) expect(heads.of(raw)).toEqual(headOf(raw));
    }),
  );
});

test("gives the same head for equal lists, and forgets old ones", () => {
  const heads = new RecentHeads();
  const of = (value: string) => heads.of(["Host", "a", "Content-Length", value]);
  const first = of("0");
  expect(of("0")).toBe(first);
  for (let length = 1; length < 8; length += 1) of(String(length));
  expect(of("0")).toBe(first);
  of("8");
  expect(of("0")).not.toBe(first);
});
