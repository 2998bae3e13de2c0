import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checkExchange, checkTrace } from "../../src/checker/engine/checker.ts";
import { impliedRegistryProfile, loadSpec, profileNamesOf } from "../../src/foundation/spec/spec.ts";
import { exchangeOf } from "../_exchange.ts";
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

const samples = new URL("../../../shared/samples/", import.meta.url);
const hasSamples = existsSync(samples);
const spec = loadSpec({ ledger: "canton-3.5", registry: "splice-0.7" });

test.each([
  ["lookup", "registry/transfer-factory-v2-offer.json"],
  ["ledger error", "ledger/error-contract-not-found.json"],
])(
  `the recorded %s gets PASS and KNOWN only${hasSamples ? "" : " (the folder of samples is absent: not read)"}`,
  (_, file) => {
    if (!hasSamples) return expect(hasSamples).toBe(false);
    const { request, response } = JSON.parse(readFileSync(new URL(file, samples), "utf8"));
    const sent = file.startsWith("ledger") ? {} : { target: new URL(request.url).pathname, body: request.body };
    const recorded = { ...sent, status: response.status, responseBody: response.body };
    const verdict = checkExchange(spec, "release", exchangeOf(recorded));
    const outcomes = verdict.type === "checked" ? verdict.results.map(({ outcome }) => outcome) : [];
    expect(new Set(outcomes)).toEqual(new Set(["PASS", "KNOWN"]));
  },
);
