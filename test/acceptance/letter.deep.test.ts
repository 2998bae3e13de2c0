import { expect, test } from "vitest";
import { checkTrace } from "../../src/checker/engine/checker.ts";
import { requestOf } from "../../src/checker/probing/request-of.ts";
import type { ExchangeContext } from "../../src/checker/rules/rule.ts";
import { Body } from "../../src/foundation/http/body.ts";
import type { Exchange } from "../../src/foundation/http/exchange.ts";
import type { Request } from "../../src/foundation/http/request.ts";
import { limitValues } from "../../src/foundation/limits/limits.ts";
import { defaultProfileOf, loadSpec } from "../../src/foundation/spec/spec.ts";
import { loadFaker } from "../../src/scenarios/generation/faker.ts";
import { generateRequests } from "../../src/scenarios/generation/generate-requests.ts";
import { identifierFormats } from "../../src/scenarios/generation/request-meaning.ts";
import { type ProbedStub, probedStub } from "./_probed.ts";

// The stub in profile `spec` keeps every rule at level `spec`. The simulation does the same for sequences of requests.

const fake = (await loadFaker())(identifierFormats("generated"));
const names = { ledger: "spec", registry: "spec" };
const letter = loadSpec(names, { hasAdditionalOperations: true });
/** Requests are generated from the schemas of the newest release where the spec shows none. */
const described = loadSpec(names, {
  schemasOf: { ledger: defaultProfileOf("ledger"), registry: defaultProfileOf("registry") },
  hasAdditionalOperations: true,
});

interface Step {
  readonly exchange: Exchange;
  readonly context: ExchangeContext;
}

async function step(stub: ProbedStub, request: Request, context: ExchangeContext): Promise<Step> {
  const response = await stub.handler(request);
  return { exchange: { startedAt: "2026-01-01T00:00:00Z", durationMs: 1, request, response }, context };
}

/** Valid and invalid requests of every operation, with every kind of token. */
async function generatedSteps(stub: ProbedStub, seed: number): Promise<readonly Step[]> {
  const { administrator, plain, expired } = stub.tokens;
  const callers: readonly (readonly [string | undefined, ExchangeContext])[] = [
    [`Bearer ${administrator}`, { token: "administrator" }],
    [`Bearer ${plain}`, { token: "plain" }],
    [undefined, { token: "none" }],
    [`Bearer ${expired}`, { token: "expired" }],
    ["Basic YWxpY2U6c2VjcmV0", {}],
  ];
  const steps: Step[] = [];
  for (const operation of described.operations) {
    const { valid, invalid } = generateRequests(operation.operationId, { fake, spec: described, seed, count: 6 });
    for (const request of [...valid, ...invalid])
      for (const [authorization, context] of callers)
        steps.push(await step(stub, requestOf(operation, request, authorization), context));
  }
  return steps;
}

/** Executions of the prepared transactions, each twice. Without a token they get 401, since the transactions are readable. */
async function executionSteps(stub: ProbedStub): Promise<readonly Step[]> {
  const operationId = "postV2Interactive-submissionExecuteandwait";
  const operation = letter.operations.find((candidate) => candidate.operationId === operationId);
  if (operation === undefined) throw new Error("the contract has changed");
  const callers: readonly (readonly [string | undefined, ExchangeContext])[] = [
    [undefined, { token: "none" }],
    [`Bearer ${stub.tokens.submitter}`, {}],
    [`Bearer ${stub.tokens.submitter}`, {}],
  ];
  const steps: Step[] = [];
  for (const [index, prepared] of (stub.values.preparedTransactions ?? []).entries())
    for (const [authorization, context] of callers) {
      const text = JSON.stringify({ ...prepared, submissionId: `submission-${index}` });
      steps.push(await step(stub, requestOf(operation, { path: {}, query: {}, text }, authorization), context));
    }
  return steps;
}

const tooLarge = " ".repeat(limitValues().bodyBytesMax + 1);

/** Bodies, media types and queries that no generated request has, for every operation. */
async function malformedSteps(stub: ProbedStub): Promise<readonly Step[]> {
  const authorization = `Bearer ${stub.tokens.administrator}`;
  const steps: Step[] = [];
  for (const operation of described.operations) {
    const bare = requestOf(operation, { path: {}, query: {} }, authorization);
    const queries = [
      "?pageSize=x",
      "?pageSize=0",
      "?pageSize=-1",
      "?pageToken=%00",
      "?pageToken=",
      "?pageSize=1",
      "?x=y",
    ];
    for (const query of queries) steps.push(await step(stub, { ...bare, target: `${bare.target}${query}` }, {}));
    if (operation.requestSchema === undefined) continue;
    for (const text of ["", "{", "{}", "[]", "null", "7", '""', "\u0000", "[".repeat(2000), tooLarge])
      for (const type of ["application/json", "text/plain", "application/json; charset=utf-16"]) {
        const headers = [...bare.headers, ["Content-Type", type] as const];
        steps.push(await step(stub, { ...bare, headers, body: new Body(text) }, {}));
      }
  }
  return steps;
}

test.each([1, 2, 3, 4])("every response in profile spec passes at --strict, seed %s", async (seed) => {
  const stub = await probedStub({ ledger: "spec", seed });
  const steps = [
    ...(await executionSteps(stub)),
    ...(await generatedSteps(stub, seed)),
    ...(await malformedSteps(stub)),
  ];
  const options = { spec: letter, level: "spec", areAdditionalOperationsChecked: true } as const;
  const { violations, matrix } = checkTrace(steps, options).summary();
  expect(violations.filter(({ outcome }) => outcome === "FAIL")).toEqual([]);
  const seen = new Set(matrix.map(({ operationId, status }) => `${operationId} ${status}`));
  const missing = letter.operations
    .filter(({ isAdditional }) => !isAdditional)
    .flatMap(({ operationId, api, requestSchema }) => [
      ...(api === "ledger" ? [`${operationId} 401`] : []),
      ...(requestSchema === undefined ? [] : [`${operationId} 400`]),
    ]);
  expect(missing.filter((wanted) => !seen.has(wanted))).toEqual([]);
});
