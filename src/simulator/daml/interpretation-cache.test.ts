import { expect, test } from "vitest";
import { alice, stub } from "../../../test/acceptance/_prepared.ts";
import type { WorldState } from "../world/world-state.ts";
import { interpret } from "./interpret.ts";
import { Interpretation, type InterpretationOptions } from "./interpretation.ts";
import { dependenciesOf, InterpretationCache, isCurrent, type KnownInterpretation } from "./interpretation-cache.ts";
import { isTokenTemplate } from "./token-contracts.ts";
import { TransactionBuilder } from "./transaction-builder.ts";

const begin = Date.parse("2026-01-01T00:00:00Z");

function optionsOf({ ledger, registry, nowMs }: WorldState): InterpretationOptions {
  return {
    ledger,
    registry,
    archives: { get: () => undefined },
    nowMs,
    submitters: [alice],
    readers: [],
    disclosed: { has: () => true },
  };
}

/** Archives a holding of alice. */
function archived(options: InterpretationOptions) {
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

test("an interpretation is current while nothing has changed", () => {
  const options = optionsOf(stub().world.state);
  const result = archived(options);
  const dependencies = dependenciesOf(result, options);
  expect(result.builder.inputs).toHaveLength(1);
  expect(dependencies.inputs).toEqual(result.builder.inputs);
  expect(isCurrent(dependencies, { ...options, nowMs: options.nowMs + 1 })).toBe(true);
});

test.each<
  [
    what: string,
    change: (options: InterpretationOptions, other: InterpretationOptions) => Partial<InterpretationOptions>,
  ]
>([
  ["submitters", () => ({ submitters: [] })],
  ["a submitter", () => ({ submitters: ["bob::1220ab"] })],
  ["the registry", ({ registry }) => ({ registry: { ...registry } })],
  ["an input", ({ ledger }, other) => ({ ledger: { ...ledger, contracts: other.ledger.contracts } })],
  ["the packages", ({ ledger }, other) => ({ ledger: { ...ledger, packages: other.ledger.packages } })],
  ["the templates", ({ ledger }, other) => ({ ledger: { ...ledger, templates: other.ledger.templates } })],
  ["the time, to one that is too late", ({ nowMs }) => ({ nowMs: nowMs + 1000 })],
  ["the time, to one that is too early", ({ nowMs }) => ({ nowMs: nowMs - 1001 })],
])("an interpretation is not current after a change of %s", (_what, change) => {
  const [options, other] = [optionsOf(stub().world.state), optionsOf(stub().world.state)];
  const window = { fromMs: options.nowMs - 1000, beforeMs: options.nowMs + 1000 };
  const dependencies = dependenciesOf({ ...archived(options), window }, options);
  expect(isCurrent(dependencies, options)).toBe(true);
  expect(isCurrent(dependencies, { ...options, ...change(options, other) })).toBe(false);
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

function knownOf(options: InterpretationOptions): KnownInterpretation {
  return {
    prepared: { transaction: undefined, metadata: undefined },
    fields: 0,
    scheme: "V2",
    hash: new Uint8Array(32),
    ...dependenciesOf(archived(options), options),
  };
}

test("an interpretation is found by its exact text alone, whichever characters differ", () => {
  const options = optionsOf(stub().world.state);
  const cache = new InterpretationCache();
  const texts = Array.from({ length: 9 }, (_, index) => `${"a".repeat(index)}b${"a".repeat(600 - index)}`);
  const added = texts.map((text) => ({ text, known: knownOf(options) }));
  for (const { text, known } of added) {
    expect(cache.find(text)).toBeUndefined();
    cache.add(text, known);
    expect(cache.find(text)).toBe(known);
  }
  for (const { text, known } of added) expect([known, undefined]).toContain(cache.find(text));
});

test("older interpretations and large ones are not kept", () => {
  const options = optionsOf(stub().world.state);
  const known = knownOf(options);
  const cache = new InterpretationCache();
  const kept = (...texts: readonly string[]) => texts.filter((text) => cache.find(text) === known);
  for (let index = 0; index <= 1000; index += 1) cache.add(`t${index}`, known);
  expect(kept("t0", "t499", "t500", "t1000")).toEqual(["t500", "t1000"]);
  const large = [1, 2, 3].map((digit) => String(digit).repeat(600 * 1024));
  const tooLarge = "4".repeat(1024 * 1024 + 1);
  for (const text of [...large, tooLarge]) cache.add(text, known);
  expect(kept("t1000", ...large, tooLarge)).toEqual(large.slice(1));
});

test("an interpretation that replaces another one of its text takes no more room than it", () => {
  const known = knownOf(optionsOf(stub().world.state));
  const cache = new InterpretationCache();
  cache.add("first", known);
  const large = "1".repeat(600 * 1024);
  for (let index = 0; index < 4; index += 1) cache.add(large, known);
  expect(cache.find("first")).toBe(known);
});
