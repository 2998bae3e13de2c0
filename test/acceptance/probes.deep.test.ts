import { expect, test } from "vitest";
import { profileNamesOf } from "../../src/foundation/spec/spec.ts";
import { everything, isOfNodes, type ProbedStub, probe, probedStub, troubles } from "./_probed.ts";
import { hashOfWorld } from "./_stub.ts";

const ledgers = profileNamesOf("ledger");
const seeds = Array.from({ length: 50 }, (_, index) => index + 1);

test.each(seeds)("the probes have no findings with seed %i", async (seed) => {
  const ledger = ledgers[seed % ledgers.length] ?? "";
  const authentication = seed % 8 < 4 ? "user" : "jwt";
  const probing = await probe(await probedStub({ ledger, authentication, seed }), everything);
  expect(troubles(probing).filter(isOfNodes(authentication))).toEqual([]);
});

test.each(ledgers)("safe probes change nothing in a world in %s", async (ledger) => {
  const stub = await probedStub({ ledger });
  const before = hashOfWorld(stub.world);
  const probing = await probe(stub);
  expect(probing.created).toEqual([]);
  expect(hashOfWorld(stub.world)).toBe(before);
  expect(probing.requests).toBeGreaterThan(100);
});

/** A check that yields to another one after a varying number of requests. */
function inTurns(stub: ProbedStub, rhythm: readonly number[]): ProbedStub {
  let count = 0;
  const handler: typeof stub.handler = async (request) => {
    const response = await stub.handler(request);
    count += 1;
    const turns = rhythm[count % rhythm.length] ?? 0;
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    return response;
  };
  return { ...stub, handler };
}

test.each([
  [[0], [0]],
  [[200], [0]],
  [
    [0, 90, 10],
    [40, 0, 0, 30],
  ],
  [
    [7, 0, 300],
    [0, 45],
  ],
])("two concurrent checks of a node cause no findings by each other's users", async (one, other) => {
  const stub = await probedStub();
  const values = { ...stub.values, vettablePackage: undefined, reassignable: undefined };
  const requested = { allowed: "writes" } as const;
  const [left, right] = await Promise.all([
    probe(inTurns({ ...stub, values }, one), { ...requested, seed: "one" }),
    probe(inTurns({ ...stub, values }, other), { ...requested, seed: "other" }),
  ]);
  expect([troubles(left), troubles(right)]).toEqual([[], []]);
  // Neither check omits anything for the other; users of the other one may fill one more page.
  const alone = await probe({ ...(await probedStub()), values }, { ...requested, seed: "one" });
  expect(Math.min(left.requests, right.requests)).toBeGreaterThanOrEqual(alone.requests);
});
