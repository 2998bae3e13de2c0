import { expect, test } from "vitest";
import { attempt } from "./_attempt.ts";
import { type Fault, kindsByFault } from "./_planted.ts";
import { targetOfKind } from "./kinds.ts";

const seed = 1;

/** The first line of each finding, and how many inputs it took to find it. Stops at the first one. */
async function findingsOf(fault: Fault | undefined, kind: string, inputs: number) {
  // Most inputs are large: the usual share of them would need too many.
  const target = await targetOfKind(kind, { fault, largeShare: 0.6 });
  try {
    for (let number = 0; number < inputs; number += 1) {
      const finding = await attempt(target, seed, number);
      if (finding !== undefined) return finding.split("\n")[0];
    }
    return "nothing";
  } finally {
    await target.close();
  }
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
const planted = Object.entries(kindsByFault).flatMap(([fault, kinds]) => kinds.map((kind) => [fault, kind] as const));

test.each(planted)("finds %s, put back, with inputs of the kind %s", async (name, kind) => {
  const fault = Object.keys(expected).find((known): known is Fault => known === name);
  if (fault === undefined) throw new Error("invariant: each fault has its finding");
  expect(await findingsOf(fault, kind, inputsMax)).toMatch(expected[fault]);
});

test.each(["har", "http", "json", "protobuf"])("finds nothing in as many large inputs of the kind %s", async (kind) => {
  expect(await findingsOf(undefined, kind, inputsMax)).toBe("nothing");
});
