import { expect, test } from "vitest";
import { alice, stub } from "../../../test/acceptance/_prepared.ts";
import type { WorldState } from "../world/world-state.ts";
import { interpret } from "./interpret.ts";
import { Interpretation, type Options } from "./interpretation.ts";
import { InterpretationCache } from "./interpretation-cache.ts";
import { isTokenTemplate } from "./token-contracts.ts";
import { TransactionBuilder } from "./transaction-builder.ts";

const begin = Date.parse("2026-01-01T00:00:00Z");

function optionsOf({ ledger, registry, nowMs }: WorldState): Options {
  return { ledger, registry, nowMs, submitters: [alice], readers: [], disclosed: { has: () => true } };
}

/** Archives a holding of alice. */
function archived(options: Options) {
  const contracts = [...options.ledger.contracts.values()];
  const holding = contracts.find(
    ({ templateId, signatories }) => isTokenTemplate(templateId) && signatories.includes(alice),
  );
  const { templateId = "", contractId = "" } = holding ?? {};
  const argument = { type: "value", value: { type: "unit" } } as const;
  const result = interpret([{ type: "exercise", templateId, contractId, choice: "Archive", argument }], options, "u");
  if (result.type !== "interpreted") throw new Error(result.problem);
  return result;
}

test("an interpretation is found with its transaction and inputs while nothing has changed", () => {
  const options = optionsOf(stub().world.state);
  const result = archived(options);
  const cache = new InterpretationCache();
  cache.add("u", result, options, 100);
  expect(result.builder.inputs).toHaveLength(1);
  expect(cache.find("u", { ...options, nowMs: options.nowMs + 1 })).toMatchObject({
    transaction: result.builder.transaction(),
    inputs: result.builder.inputs,
  });
  expect(cache.find("v", options)).toBeUndefined();
});

test.each<[what: string, change: (options: Options, other: Options) => Partial<Options>]>([
  ["submitters", () => ({ submitters: [] })],
  ["a submitter", () => ({ submitters: ["bob::1220ab"] })],
  ["the registry", ({ registry }) => ({ registry: { ...registry } })],
  ["an input", ({ ledger }, other) => ({ ledger: { ...ledger, contracts: other.ledger.contracts } })],
  ["the packages", ({ ledger }, other) => ({ ledger: { ...ledger, packages: other.ledger.packages } })],
  ["the templates", ({ ledger }, other) => ({ ledger: { ...ledger, templates: other.ledger.templates } })],
  ["the time, to one that is too late", ({ nowMs }) => ({ nowMs: nowMs + 1000 })],
  ["the time, to one that is too early", ({ nowMs }) => ({ nowMs: nowMs - 1001 })],
])("an interpretation is not found after a change of %s", (_what, change) => {
  const [options, other] = [optionsOf(stub().world.state), optionsOf(stub().world.state)];
  const cache = new InterpretationCache();
  const window = { fromMs: options.nowMs - 1000, beforeMs: options.nowMs + 1000 };
  cache.add("u", { ...archived(options), window }, options, 100);
  expect(cache.find("u", options)).toBeDefined();
  expect(cache.find("u", { ...options, ...change(options, other) })).toBeUndefined();
});

test("the window ends where a comparison with virtual time would change", () => {
  const options = optionsOf(stub().world.state);
  const interpretation = new Interpretation(options, new TransactionBuilder("u"));
  const micros = (afterMs: number) => BigInt(begin + afterMs) * 1000n;
  const passed = [micros(-5000), micros(0), micros(0) + 1n, micros(3000)].map((at) => interpretation.hasPassed(at));
  expect(passed).toEqual([true, true, false, false]);
  expect(interpretation.window).toEqual({ fromMs: begin, beforeMs: begin + 1 });
  const early = new Interpretation(options, new TransactionBuilder("u"));
  early.hasPassed(-1_500_001n);
  expect(early.window.fromMs).toBe(-1500);
  const using = new Interpretation(options, new TransactionBuilder("u"));
  using.contract(options.registry.contracts.get("round-1")?.contractId ?? "");
  expect(using.window).toEqual({ fromMs: begin - 86_400_000, beforeMs: begin + 10 * 60_000 });
});

test("older interpretations and large ones are not kept", () => {
  const options = optionsOf(stub().world.state);
  const result = archived(options);
  const cache = new InterpretationCache();
  const kept = (...uuids: readonly string[]) => uuids.filter((uuid) => cache.find(uuid, options) !== undefined);
  for (let index = 0; index <= 1000; index += 1) cache.add(`u${index}`, result, options, 100);
  expect(kept("u0", "u499", "u500", "u1000")).toEqual(["u500", "u1000"]);
  for (let index = 0; index < 3; index += 1) cache.add(`large${index}`, result, options, 600 * 1024);
  cache.add("too large", result, options, 1024 * 1024 + 1);
  expect(kept("u1000", "large0", "large1", "large2", "too large")).toEqual(["large1", "large2"]);
});
