import { expect, test } from "vitest";
import { profileNamesOf } from "../../src/foundation/spec/spec.ts";
import { everything, isOfNodes, probe, probedStub, troubles } from "./_probed.ts";
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
