import { expect, test } from "vitest";
import { checkExchange, checkTrace } from "../../src/checker/engine/checker.ts";
import { impliedRegistryProfile, loadSpec, profileNamesOf } from "../../src/foundation/spec/spec.ts";
import { exchangeOf } from "../_exchange.ts";
import { ledgerErrorSample, lookupSample } from "../_sample-responses.ts";
import { controlled, hostingOf, scenarioFiles, scenarioOf, stepsOf } from "../_scenario.ts";

test.each(scenarioFiles.flatMap((file) => profileNamesOf("ledger").map((ledger) => [file, ledger] as const)))(
  "the stub's responses in %s break no rule in profile %s",
  async (file, ledger) => {
    const scenario = scenarioOf(file);
    const results = await stepsOf(scenario, controlled(hostingOf(scenario, ledger)));
    const profile = { ledger, registry: impliedRegistryProfile(ledger) };
    const spec = loadSpec(profile, { hasAdditionalOperations: true });
    const level = ledger === "spec" ? "spec" : "release";
    const { timed, calls, responses } = scenario.initial.plan;
    const isExclusive = timed.length + calls.length + responses.length === 0;
    const verdict = checkTrace(results, { spec, level, isExclusive });
    expect(verdict.summary().violations.filter(({ outcome }) => outcome !== "WARN" || isExclusive)).toEqual([]);
  },
);

const { request: lookup, response: lookedUp } = lookupSample;

test.each([
  ["lookup", { target: new URL(lookup.url).pathname, body: lookup.body }, lookedUp],
  ["ledger error", {}, ledgerErrorSample.response],
])("the sample of a %s gets PASS and KNOWN only", (_, sent, { status, body }) => {
  const spec = loadSpec({ ledger: "canton-3.5", registry: "splice-0.7" });
  const verdict = checkExchange(spec, "release", exchangeOf({ ...sent, status, responseBody: body }));
  const outcomes = verdict.type === "checked" ? verdict.results.map(({ outcome }) => outcome) : [];
  expect(new Set(outcomes)).toEqual(new Set(["PASS", "KNOWN"]));
});
