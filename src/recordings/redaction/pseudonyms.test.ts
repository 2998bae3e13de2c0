import { expect, test } from "vitest";
import { decentralizedNamespaceOf } from "../../foundation/protobuf/fingerprint.ts";
import { fingerprintDigits } from "./generated-keys.ts";
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

const rawKey = "ab".repeat(32);
const keys = {
  "a bare key of 32 bytes": rawKey,
  "an Ed25519 key in DER": `302a300506032b6570032100${rawKey}`,
  "a P-256 key in DER": `3059301306072a8648ce3d020106082a8648ce3d030107034200${"cd".repeat(65)}`,
};

test.each(Object.entries(keys))("the fingerprint of %s stays its hash, whichever occurs first", (_, key) => {
  const fingerprint = `1220${fingerprintDigits(key)}`;
  const keyFirst = fresh();
  const renamed = keyFirst.key(key);
  expect(renamed).toHaveLength(key.length);
  expect(renamed).not.toContain("ababab");
  expect(keyFirst.fingerprint(fingerprint)).toBe(`1220${fingerprintDigits(renamed)}`);
  const fingerprintFirst = fresh();
  const named = fingerprintFirst.fingerprint(fingerprint);
  expect(named).not.toBe(fingerprint);
  expect(`1220${fingerprintDigits(fingerprintFirst.key(key))}`).toBe(named);
});

test("a key has one name in its bare form and in DER, and both have their fingerprints", () => {
  const names = fresh();
  const bare = names.key(rawKey);
  const framed = names.key(keys["an Ed25519 key in DER"]);
  expect(framed).toBe(`302a300506032b6570032100${bare}`);
  const original = fingerprintDigits(keys["an Ed25519 key in DER"]);
  expect(names.fingerprint(`1220${original}`)).toBe(`1220${fingerprintDigits(framed)}`);
});

test("a decentralized namespace stays the hash of its owners", () => {
  const names = fresh();
  const owners = ["ab", "cd"].map((byte) => `1220${fingerprintDigits(byte.repeat(32))}`);
  names.namespace(decentralizedNamespaceOf(owners), owners);
  const renamed = owners.map((owner) => names.fingerprint(owner));
  expect(names.fingerprint(decentralizedNamespaceOf(owners))).toBe(decentralizedNamespaceOf(renamed));
});

test("recognizes its own fingerprints and keys, and continues them from a list", () => {
  const names = fresh();
  const [first, second] = ["ab", "cd"].map((byte) => names.fingerprint(`1220${byte.repeat(32)}`));
  const key = names.key(rawKey);
  const again = fresh();
  expect([second, first].map((text) => again.fingerprint(text ?? ""))).toEqual([second, first]);
  expect(again.key(key)).toBe(key);
  expect(again.list()).toEqual([]);
  const later = fresh(names.list());
  expect(later.fingerprint(`1220${"cd".repeat(32)}`)).toBe(second);
  expect(later.key(rawKey)).toBe(key);
  expect([first, second]).not.toContain(later.fingerprint(`1220${"ef".repeat(32)}`));
});
