import { expect, test } from "vitest";
import type { RegistryContract } from "../registry/registry-state.ts";
import { synthesizeContract } from "../registry/synthesize-contract.ts";
import { ContextCache, type FactoryContext } from "./context-cache.ts";

const contractNamed = (name: string): RegistryContract =>
  synthesizeContract({
    name,
    templateId: "ab:Module:Template",
    packageName: "package",
    contractId: undefined,
    createdEventBlob: undefined,
    createdAt: "2026-01-01T00:00:00Z",
    payload: { note: name },
    opensAtMs: undefined,
    closesAtMs: undefined,
    synchronizerId: "global::1220ab",
    reassignmentCounter: 0,
    seed: "1",
    signatories: [],
    observers: [],
  });

const [rules, round] = [contractNamed("rules"), contractNamed("round")];
const reassigned = (contract: RegistryContract): RegistryContract => ({
  ...contract,
  assignment: { type: "assigned", synchronizerId: "other::1220ab", reassignmentCounter: 1 },
});

function contextOf(contract: RegistryContract, more: Partial<FactoryContext> = {}): FactoryContext {
  return {
    factory: rules,
    transferKind: "offer",
    entries: [{ key: "open-round", contract }],
    data: [],
    contracts: [rules, contract],
    hasDebugFields: true,
    ...more,
  };
}

test("a context of the same contracts is cached", () => {
  const cache = new ContextCache();
  expect(cache.of(contextOf(round))).toBe(cache.of(contextOf(round)));
});

test.each<[string, FactoryContext]>([
  ["a contract was reassigned", contextOf(reassigned(round))],
  ["a contract without a key was reassigned", contextOf(round, { contracts: [reassigned(rules), round] })],
  ["it has no debug fields", contextOf(round, { hasDebugFields: false })],
  ["its key has another name", contextOf(round, { entries: [{ key: "round", contract: round }] })],
  ["a key names another contract", contextOf(round, { entries: [{ key: "open-round", contract: rules }] })],
  ["it has one more contract", contextOf(round, { contracts: [rules, round, contractNamed("right")] })],
  ["it has no keys", contextOf(round, { entries: [] })],
  ["it has another factory", contextOf(round, { factory: round })],
  ["it is for another kind of transfer", contextOf(round, { transferKind: "direct" })],
])("a context is another one if %s", (_difference, other) => {
  const cache = new ContextCache();
  const before = cache.of(contextOf(round));
  expect(cache.of(other).members).toEqual(new ContextCache().of(other).members);
  expect(cache.of(other)).not.toBe(before);
  expect(cache.of(contextOf(round)).members).toEqual(before.members);
});

test("old contexts are forgotten, and made again", () => {
  const cache = new ContextCache();
  const first = cache.of(contextOf(round));
  for (let index = 0; index < 100; index += 1) cache.of(contextOf(contractNamed(`round-${index}`)));
  expect(cache.of(contextOf(round))).not.toBe(first);
  expect(cache.of(contextOf(round)).members).toEqual(first.members);
});

test("a context that replaces another one of its name takes no more room than it", () => {
  const cache = new ContextCache();
  const large = { ...contractNamed("large"), createdEventBlob: "A".repeat(1_500_000) };
  const first = cache.of(contextOf(round));
  for (let counter = 0; counter < 10; counter += 1)
    cache.of(
      contextOf({
        ...large,
        assignment: { type: "assigned", synchronizerId: "other::1220ab", reassignmentCounter: counter },
      }),
    );
  expect(cache.of(contextOf(round))).toBe(first);
});

test("a context with blobs of more than two million characters is not cached", () => {
  const cache = new ContextCache();
  const large = contextOf({ ...contractNamed("large"), createdEventBlob: "A".repeat(3_000_000) });
  const first = cache.of(large);
  expect(cache.of(large)).not.toBe(first);
  expect(cache.of(large).members).toEqual(first.members);
});
