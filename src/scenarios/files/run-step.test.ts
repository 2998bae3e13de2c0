import { expect, test } from "vitest";
import { Body } from "../../foundation/http/body.ts";
import type { Request } from "../../foundation/http/request.ts";
import type { Json, JsonObject } from "../../foundation/json/json.ts";
import { runStep } from "./run-step.ts";

/** Runs steps against a target that always sends the same page. */
async function run(...steps: readonly JsonObject[]) {
  const requests: Request[] = [];
  const outputs = new Map<string, Readonly<Record<string, Json>>>();
  const page = new Body('{"users":[{"id":"alice"}],"nextPageToken":null}');
  const headers = [["Content-Type", "application/json"]] as const;
  const handler = (request: Request) => {
    requests.push(request);
    return { type: "response", status: 200, headers, body: page } as const;
  };
  const reasons: (string | undefined)[] = [];
  for (const [index, step] of steps.entries()) {
    const whole = { stepId: `step-${index + 1}`, operationId: "getV2Users", ...step };
    const result = await runStep(whole, { outputs }, { handler, hasControl: true, nowMs: () => 0 });
    const { outcome, reason } = result;
    outputs.set(whole.stepId, result.outputs);
    reasons.push(outcome === "passed" ? undefined : reason);
  }
  return { requests: requests.length, reasons, outputs: outputs.get("step-1") };
}

test("does not send a request with an expression that has no value, and says where it is", async () => {
  const parameters = [{ name: "pageToken", in: "query", value: "$steps.step-1.outputs.tokn" }];
  const payload = { list: ["a {$steps.none.outputs.id}"] };
  expect(await run({ parameters }, { requestBody: { payload } })).toMatchObject({
    requests: 0,
    reasons: [
      "the request was not sent: $steps.step-1.outputs.tokn in parameters.0.value has no value",
      "the request was not sent: $steps.none.outputs.id in requestBody.payload.list.0 has no value",
    ],
  });
});

test("fails a step whose output has no value; null is a value", async () => {
  const outputs = { token: "$response.body#/nextPageToken", id: "$response.body#/users/1/id" };
  expect(await run({ outputs })).toEqual({
    requests: 1,
    reasons: ["the output id has no value: $response.body#/users/1/id is missing"],
    outputs: { token: null },
  });
});

test("fails a step with a condition on an expression without a value, whatever the operator is", async () => {
  const criterion = (condition: string) => ({ successCriteria: [{ condition }] });
  const missing = "$response.body#/users/1/id";
  const { reasons } = await run(criterion(`${missing} != 'bob'`), criterion(`!(${missing} == 'bob')`));
  expect(reasons).toEqual([
    `${missing} != 'bob' does not hold: ${missing} is missing`,
    `!(${missing} == 'bob') does not hold: ${missing} is missing`,
  ]);
});
