import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Body, emptyBody } from "../../src/foundation/http/body.ts";
import type { Request } from "../../src/foundation/http/request.ts";
import { type Response, textResponse } from "../../src/foundation/http/response.ts";
import type { Scenario } from "../../src/scenarios/files/load-scenario.ts";
import { controlled, hostingOf, scenarioFiles, scenarioOf, stepsOf } from "../_scenario.ts";
import { root } from "./_command-line.ts";
import { probe, probedStub } from "./_probed.ts";
import { callByLedgerClient, callByTypedClient, callByWalletSdk } from "./_real-clients.ts";
import {
  isResponseBroken,
  listening,
  type PrismProxy,
  rulesBrokenBySuccess,
  type SecondOpinion,
  startPrism,
} from "./_second-opinion.ts";

const loaded = (file: string, startMs?: number) => scenarioOf(file, { profile: "spec", startMs });
const stubOf = (scenario: Scenario, areSignaturesVerified = false) =>
  controlled(hostingOf(scenario, "spec", { areSignaturesVerified }));

async function playThrough(prism: PrismProxy, scenario: Scenario) {
  prism.serve(stubOf(scenario));
  return stepsOf(scenario, prism.handler);
}

/** All scenarios of the spec; each passes behind Prism. */
async function allScenarios(prism: PrismProxy): Promise<void> {
  // The spec does not allow the ledger of a LocalNet, which has no identity provider.
  for (const file of scenarioFiles.filter((name) => scenarioOf(name).profiles.includes("spec"))) {
    const steps = await playThrough(prism, loaded(file));
    expect(steps.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
  }
}

/** All probes, many with invalid requests; our checker has no findings either. */
async function allProbes(prism: PrismProxy): Promise<void> {
  const stub = await probedStub({ ledger: "spec" });
  prism.serve(stub.handler);
  const { summary } = await probe({ ...stub, handler: prism.handler }, { allowed: "destructive" });
  expect(summary.violations).toEqual([]);
}

async function allClients(prism: PrismProxy): Promise<void> {
  const front = await listening(prism.handler);
  try {
    for (const call of [callByLedgerClient, callByTypedClient, callByWalletSdk]) {
      prism.serve(stubOf(loaded("quickstart.arazzo.yaml", Date.now()), true));
      await call(front.url);
    }
  } finally {
    await front.close();
  }
}

/** A ledger with offsets beyond 2^53. */
async function largeOffsets(prism: PrismProxy): Promise<void> {
  const scenario = loaded("execute-and-wait.arazzo.yaml");
  const ledger = { ...scenario.initial.ledger, ledgerEnd: 2n ** 53n };
  await playThrough(prism, { ...scenario, initial: { ...scenario.initial, ledger } });
}

/** The violations that docs/second-opinion.md explains, each with whether our checker reports it too. */
function explained(): readonly string[] {
  const page = readFileSync(join(root, "docs/second-opinion.md"), "utf8");
  return [...page.matchAll(/^\| `([^`]+)` \| (Prism and the checker|Prism only|The checker only) \| .+ \|$/gm)].map(
    ([, violation = "", reporter = ""]) => `${violation}, ${reporter}`,
  );
}

/** The violations of Prism in an exchange, each with whether our checker reports it too. */
function reportedIn(opinion: SecondOpinion): readonly string[] {
  const broken = rulesBrokenBySuccess(opinion);
  const isBroken = broken.length > 0;
  if (isBroken && opinion.ofRequest.length === 0)
    return broken.map((rule) => `${rule} at ${opinion.exchange.request.target}, The checker only`);
  return [
    ...opinion.ofRequest.map((violation) => `${violation}, ${isBroken ? "Prism and the checker" : "Prism only"}`),
    ...opinion.ofResponse.map((violation) => `${violation}, Prism only`),
  ];
}

test("Prism reports the violations that docs/second-opinion.md explains, and no others", async () => {
  await using prism = await startPrism();
  for (const traffic of [allScenarios, allProbes, allClients, largeOffsets]) await traffic(prism);
  expect([...new Set(prism.opinions.flatMap(reportedIn))].sort()).toEqual([...explained()].sort());
  expect(new Set(prism.opinions.map(({ operationId }) => operationId)).size).toBe(9);
  expect(prism.opinions.length).toBeGreaterThan(400);
  // The page also explains which requests bypass Prism.
  expect(prism.bypassed.length).toBeGreaterThan(0);
  expect(prism.bypassed.length).toBeLessThan(prism.opinions.length / 10);
});

test("Prism forwards the responses of the stub unchanged", async () => {
  await using prism = await startPrism();
  await allScenarios(prism);
  const shown = (response: SecondOpinion["original"]) =>
    response.type === "response" ? `${response.status} ${response.body.text()}` : response.kind;
  const changed = prism.opinions.filter(({ original, exchange }) => shown(original) !== shown(exchange.response));
  expect(changed).toEqual([]);
});

const json = (status: number, body: object) => textResponse(status, "application/json", JSON.stringify(body));
const get = (target: string): Request => ({
  method: "GET",
  target,
  headers: [["Authorization", "Bearer any"]],
  body: emptyBody,
});
const post = (target: string, body: object): Request => ({
  method: "POST",
  target,
  headers: [
    ["Authorization", "Bearer any"],
    ["Content-Type", "application/json"],
  ],
  body: new Body(JSON.stringify(body)),
});
const status = get("/v2/packages/a/status");
const lookup = post("/registry/transfer-instruction/v2/transfer-factory", { choiceArguments: {} });
const error = { code: "A", cause: "b", context: {}, errorCategory: 11 };
const found = {
  factoryId: "00ab",
  transferKind: "self",
  choiceContext: { choiceContextData: {}, disclosedContracts: [] },
};

test.each<readonly [string, Request, Response, string]>([
  ["a missing member", status, json(200, {}), "response.body required"],
  ["an ill-typed member", status, json(200, { packageStatus: 5 }), "response.body type"],
  ["an empty list", get("/v2/idps"), json(200, { identityProviderConfigs: [] }), "response.body minItems"],
  ["a 400 that is JSON", get("/v2/idps"), json(400, error), "response unmatched"],
  ["an error that is text", get("/v2/idps"), textResponse(404, "text/plain", "x"), "response unmatched"],
  ["an error without its code", status, json(404, { ...error, code: undefined }), "response.body required"],
  ["a context of numbers", status, json(404, { ...error, context: { a: 1 } }), "response.body type"],
  ["a page of HTML", status, textResponse(200, "text/html", "<p>"), "response unmatched"],
  ["an unknown kind", lookup, json(200, { ...found, transferKind: "Self" }), "response.body enum"],
  ["a status that is not described", lookup, json(500, { error: "a" }), "response unmatched"],
])("Prism and our checker both report %s", async (_, request, response, violation) => {
  await using prism = await startPrism();
  prism.serve(async () => response);
  await prism.handler(request);
  const [opinion] = prism.opinions;
  if (opinion === undefined) throw new Error("Prism received no request");
  expect(opinion.ofResponse).toContain(violation);
  expect(isResponseBroken(opinion)).toBe(true);
});

test("Prism changes some responses, as the page explains", async () => {
  await using prism = await startPrism();
  const respondedBy = async (request: Request, response: Response) => {
    prism.serve(async () => response);
    const received = await prism.handler(request);
    return received.type === "response" ? { status: received.status, text: received.body.text() } : received;
  };
  const execute = post("/v2/interactive-submission/executeAndWait", {});
  const large = textResponse(200, "application/json", '{"updateId":"a","completionOffset":9007199254740993}');
  expect(await respondedBy(execute, large)).toEqual({
    status: 200,
    text: '{"updateId":"a","completionOffset":9007199254740992}',
  });
  expect(await respondedBy(status, json(501, error))).toMatchObject({ status: 200 });
  expect(await respondedBy(status, textResponse(200, "application/json", "{"))).toMatchObject({ status: 500 });
});
