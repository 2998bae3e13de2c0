import { expect, test } from "vitest";
import { attempt } from "./_attempt.ts";
import { type Fault, kindsByFault } from "./_planted.ts";
import { targetOfKind } from "./kinds.ts";

const seed = 1;

/** The first line of the first finding that matches. On a very busy machine a connection may be slow, which is another one. */
async function findingOf(fault: Fault | undefined, kind: string, { inputs, pattern }: Search): Promise<string> {
  // Most inputs are large: the usual share of them would need too many.
  const target = await targetOfKind(kind, { fault, largeShare: 0.6 });
  try {
    for (let number = 0; number < inputs; number += 1) {
      const finding = await attempt(target, seed, number);
      const title = finding?.split("\n")[0] ?? "";
      if (pattern.test(title)) return title;
    }
    return "nothing";
  } finally {
    await target.close();
  }
}

interface Search {
  readonly inputs: number;
  readonly pattern: RegExp;
}

const expected: Readonly<Record<Fault, RegExp>> = {
  "deep-pattern": /^throws RangeError|^the attempt throws/,
  "lost-after-upgrade": /^\d responses to \d well-formed requests$/,
  "object-per-chunk": /^an unfinished request holds more than \d+ bytes$/,
  "unbounded-decompression": /^a body exceeds the compression ratio$/,
  "unbounded-numbers": /^a request takes more than 500 ms of processor time$/,
  "uncounted-fields": /^a request takes more than 500 ms of processor time$/,
  "uncounted-values": /^a request takes more than 500 ms of processor time$/,
};

const inputsMax = 100;
/** Large inputs of each kind without a fault. */
const soundInputs = 30;
const planted = Object.entries(kindsByFault).flatMap(([fault, kinds]) => kinds.map((kind) => [fault, kind] as const));

test.each(planted)("finds %s, put back, with inputs of the kind %s", async (name, kind) => {
  const fault = Object.keys(expected).find((known): known is Fault => known === name);
  if (fault === undefined) throw new Error("invariant: each fault has its finding");
  const search = { inputs: inputsMax, pattern: expected[fault] };
  expect(await findingOf(fault, kind, search)).not.toBe("nothing");
});

test.each(["har", "http", "json", "protobuf"])(
  "finds nothing in large inputs of the kind %s without a fault",
  async (kind) => {
    expect(await findingOf(undefined, kind, { inputs: soundInputs, pattern: /./ })).toBe("nothing");
  },
);
