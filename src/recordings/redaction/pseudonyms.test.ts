import { expect, test } from "vitest";
import { hexName, isHexName } from "./generated-name.ts";
import { Names, passingNamesMax } from "./pseudonyms.ts";

const fresh = (earlier: ConstructorParameters<typeof Names>[0]["earlier"] = []) =>
  new Names({ keepsIds: false, renamesUsers: false, namesMax: 1000, earlier });

test.each([16, 18, 32, 64, 188])("recognizes its own names of %d digits, and no others", (digits) => {
  const name = hexName("contract", 7, digits);
  expect(name).toMatch(new RegExp(`^[0-9a-f]{${digits}}$`));
  expect(isHexName(name)).toBe(true);
  const last = name.endsWith("0") ? "1" : "0";
  expect(isHexName(name.slice(0, -1) + last)).toBe(false);
  expect(hexName("contract", 8, digits)).not.toBe(name);
});

test("does not reuse a name that occurs in the traffic", () => {
  const names = fresh();
  const first = hexName("contract", 1, 64);
  expect(names.hex(first, "contract")).toBe(first);
  expect(names.hex("a".repeat(64), "contract")).toBe(hexName("contract", 2, 64));
  expect(names.hint("party-1", "party", undefined)).toBe("party-1");
  expect(names.hint("alice", "party", undefined)).toBe("party-2");
});

test("recognizes its hex names at any time, but not a hint that only looks like one", () => {
  const names = fresh();
  const given = names.hex("a".repeat(64), "contract");
  expect(names.hex(given, "contract")).toBe(given);
  expect(names.hint("alice", "party", undefined)).toBe("party-1");
  expect(names.hint("party-1", "party", undefined)).toBe("party-2");
  expect(fresh(names.list()).hint("party-2", "party", undefined)).toBe("party-2");
});

test("an original hint that looks like a name is renamed where its fingerprint is an original", () => {
  expect(fresh().hint("party-7", "party", `1220${"a".repeat(64)}`)).toBe("party-1");
  expect(fresh().hint("party-7", "party", `1220${hexName("fingerprint", 1, 64)}`)).toBe("party-7");
});

test("drops trace ids beyond the limit, and never gives a name twice", () => {
  const names = fresh();
  const trace = (index: number) => (index + 2 ** 40).toString(16).padStart(16, "0");
  const first = names.hex(trace(0), "span");
  const given = new Set([first]);
  for (let index = 1; index <= passingNamesMax; index += 1) given.add(names.hex(trace(index), "span"));
  expect(given.size).toBe(passingNamesMax + 1);
  expect(names.hex(trace(passingNamesMax), "span")).not.toBe(first);
  expect(given.has(names.hex(trace(0), "span"))).toBe(false);
});

test("continues an earlier list of names", () => {
  const names = fresh();
  const [hex, hint, token, offset] = [
    names.hex("a".repeat(64), "update"),
    names.hint("alice", "party", undefined),
    names.secret("a-token", "token"),
    names.offset(7n),
  ];
  const later = fresh(names.list());
  expect(later.secret("other-token", "token")).toBe("token-2");
  expect([
    later.hex("a".repeat(64), "hash"),
    later.hint("alice", "party", undefined),
    later.secret("a-token", "token"),
    later.offset(7n),
  ]).toEqual([hex, hint, token, offset]);
  expect(later.list()).toEqual(expect.arrayContaining([...names.list()]));
});

test.each([9_000_000_000_000n, 1_500_000_000_001n, 9_007_199_254_740_993n])(
  "an offset that no ledger reaches, %d, stays behind the others and does not say where they begin",
  (beyond) => {
    const names = fresh();
    expect(names.offset(beyond)).toBe(beyond);
    expect([7n, 12n, beyond, 3n].map((offset) => names.offset(offset))).toEqual([
      1_000_000_000_000n,
      1_000_000_000_005n,
      beyond,
      999_999_999_996n,
    ]);
    const again = fresh();
    expect([beyond, 1_000_000_000_000n].map((offset) => again.offset(offset))).toEqual([beyond, 1_000_000_000_000n]);
  },
);

test("leaves room for older offsets before the first", () => {
  const names = fresh();
  expect(names.offset(500_000_000_000n)).toBe(1_000_000_000_000n);
  expect(names.offset(1n)).toBe(500_000_000_001n);
});
