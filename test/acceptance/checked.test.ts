import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checkExchange, checkTrace } from "../../src/checker/engine/checker.ts";
import { diskFiles } from "../../src/entrypoints/library/files.ts";
import { hostScenario } from "../../src/entrypoints/library/host-scenario.ts";
import { Body, emptyBody } from "../../src/foundation/http/body.ts";
import { textResponse } from "../../src/foundation/http/response.ts";
import { impliedRegistryProfile, loadSpec, profileNamesOf } from "../../src/foundation/spec/spec.ts";
import { loadScenario } from "../../src/scenarios/files/load-scenario.ts";
import { runScenario } from "../../src/scenarios/files/run-scenario.ts";
import { accessBy } from "../../src/stub/control/access.ts";
import { withControl } from "../../src/stub/control/control.ts";

const names = readdirSync(new URL("../../scenarios/", import.meta.url)).map((file) => file.replace(".arazzo.yaml", ""));

test.each(names.flatMap((name) => profileNamesOf("ledger").map((ledger) => [name, ledger] as const)))(
  "the stub's responses in %s break no rule in profile %s",
  async (name, ledger) => {
    const result = loadScenario(new URL(`../../scenarios/${name}.arazzo.yaml`, import.meta.url).pathname, diskFiles);
    if (result.type === "invalid") throw new Error(JSON.stringify(result.problems));
    const profile = { ledger, registry: impliedRegistryProfile(ledger) };
    const handler = withControl(hostScenario(result.scenario, { profile, wallNowMs: () => 0 }), accessBy("h"));
    const results = await runScenario(result.scenario, {
      handler: (request) => handler({ ...request, headers: [...request.headers, ["Host", "h"]] }),
      hasControl: true,
      nowMs: () => 0,
    });
    const spec = loadSpec(profile, { hasAdditionalOperations: true });
    const level = ledger === "spec" ? "spec" : "release";
    const { timed, calls, responses } = result.scenario.initial.plan;
    const isExclusive = timed.length + calls.length + responses.length === 0;
    const verdict = checkTrace(results, { spec, level, isExclusive });
    expect(verdict.summary().violations.filter(({ outcome }) => outcome !== "WARN" || isExclusive)).toEqual([]);
  },
);

const samples = new URL("../../../shared/samples/", import.meta.url);
const hasSamples = existsSync(samples);
const spec = loadSpec({ ledger: "canton-3.5", registry: "splice-0.7" });

test(`the recorded lookup gets PASS and KNOWN only${hasSamples ? "" : " (the folder of samples is absent: not read)"}`, () => {
  if (!hasSamples) return expect(hasSamples).toBe(false);
  const { request, response } = JSON.parse(
    readFileSync(new URL("registry/transfer-factory-v2-offer.json", samples), "utf8"),
  );
  const body = new Body(JSON.stringify(request.body));
  const verdict = checkExchange(spec, "release", {
    startedAt: "",
    durationMs: 0,
    request: { method: "POST", target: new URL(request.url).pathname, headers: [], body },
    response: textResponse(200, "application/json", JSON.stringify(response.body)),
  });
  const outcomes = verdict.type === "checked" ? verdict.results.map(({ outcome }) => outcome) : [];
  expect(new Set(outcomes)).toEqual(new Set(["PASS", "KNOWN"]));
});

test(`the recorded ledger error gets PASS and KNOWN only${hasSamples ? "" : " (the folder of samples is absent: not read)"}`, () => {
  if (!hasSamples) return expect(hasSamples).toBe(false);
  const { response } = JSON.parse(readFileSync(new URL("ledger/error-contract-not-found.json", samples), "utf8"));
  const verdict = checkExchange(spec, "release", {
    startedAt: "",
    durationMs: 0,
    request: { method: "GET", target: "/v2/users", headers: [], body: emptyBody },
    response: textResponse(response.status, "application/json", JSON.stringify(response.body)),
  });
  const outcomes = verdict.type === "checked" ? verdict.results.map(({ outcome }) => outcome) : [];
  expect(new Set(outcomes)).toEqual(new Set(["PASS", "KNOWN"]));
});
