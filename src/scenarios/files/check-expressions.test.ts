import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, test } from "vitest";
import type { FileReader } from "./file-reader.ts";
import { loadScenario } from "./load-scenario.ts";
import { problemText } from "./problem.ts";

/** Problems of a workflow with two steps, by line of the text that is given. The second step is `page-2`. */
function problemsIn(second: string, more = "", userId = "alice"): readonly string[] {
  const text = `arazzo: 1.0.1
info: { title: t, version: 1.0.0 }
sourceDescriptions: [{ name: my-ledger, url: ledger.yaml }]
workflows:
  - workflowId: w
    x-understudy: { given: { ledger: fixtures/ledgers/two-synchronizers.yaml, registry: fixtures/registries/amulet.yaml } }
    steps:
      - stepId: page-1
        operationId: $sourceDescriptions.my-ledger.getV2Users
        outputs: { token: $response.body#/nextPageToken }
      - stepId: page-2
        operationId: postV2UsersUser-idRights
        parameters: [{ name: user-id, in: path, value: "${userId}" }]
${second.replaceAll(/^/gm, "        ")}
      - stepId: page-3
        operationId: getV2Users
        outputs: { token: $response.body#/nextPageToken }
${more}`;
  const files: FileReader = {
    read: (path) => (path === "s.yaml" ? text : readFileSync(path, "utf8")),
    resolve: (from, path) => posix.join(posix.dirname(from), path),
  };
  const result = loadScenario("s.yaml", files);
  return result.type === "loaded"
    ? []
    : result.problems.map((found) => `${(found.line ?? 0) - 13}: ${problemText(found)}`);
}

test.each([
  "requestBody: { payload: { userId: $steps.page-1.outputs.token, a: ['x{$steps.page-1.outputs.token}'] } }",
  "successCriteria: [{ condition: $statusCode == 200 && $response.header.x == $steps.page-1.outputs.token }]",
  "successCriteria: [{ type: regex, context: $request.header.x, condition: a }]",
  "outputs: { a: $url, b: $method, c: $response.body, d: '$response.body#/a b' }",
  "x-other: { of: another tool, $steps: a }",
  'requestBody: { payload: \'{"a": "$5"}\' }',
])("accepts %s", (step) => {
  expect(problemsIn(step)).toEqual([]);
});

test.each([
  ["$steps.nope.outputs.id", 'names the step "nope", which does not exist. Use page-1.'],
  ["$steps.Page-1.outputs.token", 'names the step "Page-1", which does not exist. Did you mean "page-1"?'],
  [
    "$steps.page-1.outputs.tokn",
    'names the output "tokn", which the step "page-1" does not have. Did you mean "token"?',
  ],
  [
    "$steps.page-2.outputs.token",
    "names an output of its own step, which has no value yet. Use the expression of the output.",
  ],
  ["$steps.page-3.outputs.token", 'names the step "page-3", which runs later. Move that step before this one.'],
  ["$inputs.size", 'names the input "size", which the workflow does not have. Add it to the inputs of the workflow.'],
  ["$workflows.v.outputs.a", 'names the workflow "v", which does not exist. Did you mean "w"?'],
  ["$respons.body#/x", 'is not a runtime expression. Did you mean "$response.body#/x"?'],
  ["$Response.Body#/x", 'is not a runtime expression. Did you mean "$response.body#/x"?'],
  ["$response.body#x", 'is not a runtime expression. Did you mean "$response.body#/x"?'],
  ["$step.page-1.outputs.token", 'is not a runtime expression. Did you mean "$steps.page-1.outputs.token"?'],
  ["$steps.page-1.output.token", 'is not a runtime expression. Did you mean "$steps.page-1.outputs.token"?'],
  ["$statuscode", 'is not a runtime expression. Did you mean "$statusCode"?'],
  ["$response.headers.x", 'is not a runtime expression. Did you mean "$response.header.x"?'],
  ["$anything", "is not a runtime expression. Use $statusCode, $method, $url, $response.body#/…"],
])("refuses %s wherever it is, with its line", (expression, problem) => {
  const text = `requestBody:
  payload:
    userId: 'prefix {${expression}}'
    rights:
      - ['${expression}']
successCriteria:
  - condition: $statusCode == ${expression}
  - type: regex
    context: ${expression}
    condition: a
outputs:
  one: ${expression}`;
  const found = problemsIn(text, "", expression);
  expect(found.map((line) => Number(line.split(":")[0]))).toEqual([0, 3, 5, 7, 9, 12]);
  for (const line of found) expect(line).toContain(`${expression} ${problem}`);
});

test("refuses what a response gives in the request, and in the outputs of the workflow", () => {
  expect(problemsIn("requestBody: { payload: $response.body#/a }")).toEqual([
    "1: $response.body#/a has no value before the request is sent. Only outputs of the steps before have one: $steps.ID.outputs.NAME.",
  ]);
  const outputs = "    outputs: { a: $steps.page-3.outputs.token, b: $statusCode, c: $steps.page-2.outputs.d }\n";
  expect(problemsIn("", outputs)).toEqual([
    "5: $statusCode has no value in the outputs of the workflow. Use $steps.ID.outputs.NAME.",
    '5: $steps.page-2.outputs.d names the output "d", which the step "page-2" does not have. Add it to the outputs of the step.',
  ]);
});

test("refuses an output or context that is not an expression", () => {
  expect(problemsIn("outputs: { a: response.body#/x, b: 5 }")).toEqual([
    '1: response.body#/x is not a runtime expression. Did you mean "$response.body#/x"?',
    expect.stringContaining("1: 5 is not a runtime expression. Use $statusCode"),
  ]);
  expect(problemsIn("successCriteria: [{ type: jsonpath, condition: '$[0]' }]")).toEqual([
    "1: a criterion of type jsonpath needs a context. Add it, such as context: $response.body.",
  ]);
  expect(problemsIn("successCriteria: [{ type: regexp, context: $response.body, condition: a }]")).toEqual([
    '1: criteria of type "regexp" are not supported. Did you mean "regex"?',
  ]);
});

test("refuses an unknown value or name of an extension, and members that it makes ineffective", () => {
  expect(problemsIn("x-broken: halved\nrequestBody: { payload: $inputs.a }")).toEqual([
    expect.stringMatching(
      /^1: .*x-broken is "halved", which is not an allowed value\. Use reset, truncated or timed-out\.$/,
    ),
    '2: $inputs.a names the input "a", which the workflow does not have. Add it to the inputs of the workflow.',
  ]);
  expect(problemsIn("x-brokn: reset\nx-participants: a")).toEqual([
    '1: unknown extension "x-brokn". Did you mean "x-broken"?',
    '2: unknown extension "x-participants". Did you mean "x-participant"?',
  ]);
  expect(problemsIn("x-broken: reset\nsuccessCriteria: [{ condition: $statusCode == 200 }]")).toEqual([
    "2: the step has x-broken, so its successCriteria are not read. Remove one of the two.",
  ]);
});
