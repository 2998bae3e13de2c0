import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, test } from "vitest";
import type { Request } from "../../foundation/http/request.ts";
import { textResponse } from "../../foundation/http/response.ts";
import type { JsonObject } from "../../foundation/json/json.ts";
import type { FileReader } from "./file-reader.ts";
import { loadScenario } from "./load-scenario.ts";
import { problemText } from "./problem.ts";
import { runScenario } from "./run-scenario.ts";

const head = `arazzo: 1.0.1
info: { title: t, version: 1.0.0, x-a: 1 }
sourceDescriptions:
  - { name: ledger, url: ledger-json-api.yaml, type: openapi, x-a: 1 }
`;
const world =
  "x-understudy: { given: { ledger: fixtures/ledgers/two-synchronizers.yaml, registry: fixtures/registries/amulet.yaml } }";

interface Case {
  readonly files?: Readonly<Record<string, string>>;
  /** Responses in order: a status, or a status with a `Retry-After`. The last one repeats. */
  readonly statuses?: readonly (number | readonly [number, string])[];
  readonly inputs?: JsonObject;
}

function load(text: string, files: Case["files"] = {}) {
  const reader: FileReader = {
    read: (path) =>
      path === "s.yaml" ? text : (files[path] ?? (/^fixtures/.test(path) ? readFileSync(path, "utf8") : undefined)),
    resolve: (from, path) => posix.join(posix.dirname(from), path),
    unreadable: (path) => (path in files || /^fixtures/.test(path) ? undefined : "does not exist"),
  };
  return loadScenario("s.yaml", reader);
}

const problemsOf = (text: string, files?: Case["files"]) => {
  const result = load(text, files);
  return result.type === "loaded" ? [] : result.problems.map(problemText);
};

/** Runs a document against a target that responds with the body of its requests. */
async function run(text: string, { files, statuses = [200], inputs }: Case = {}) {
  const result = load(text, files);
  if (result.type === "invalid") throw new Error(result.problems.map(problemText).join("\n"));
  const sent: Request[] = [];
  const waits: number[] = [];
  const handler = (request: Request) => {
    const given = statuses[Math.min(sent.length, statuses.length - 1)] ?? 200;
    const [status, retryAfter] = typeof given === "number" ? [given, undefined] : given;
    sent.push(request);
    const response = textResponse(status, "application/json", request.body.text() || '{"users":[{"id":"alice"}]}');
    return retryAfter === undefined
      ? response
      : { ...response, headers: [...response.headers, ["Retry-After", retryAfter] as const] };
  };
  const sleep = async (ms: number) => {
    waits.push(ms);
  };
  const target = { handler, hasControl: false, nowMs: () => 0, sleep, ...(inputs === undefined ? {} : { inputs }) };
  const results = await runScenario(result.scenario, target);
  return {
    steps: results.map(
      ({ stepId, outcome, reason }) => `${stepId} ${outcome}${reason === undefined ? "" : `: ${reason}`}`,
    ),
    sent: sent.map(
      ({ method, target: path, body }) => `${method} ${path}${body.text() === "" ? "" : ` ${body.text()}`}`,
    ),
    requests: sent,
    waits,
    outputs: results.at(-1)?.outputs,
  };
}

test("calls an operation by its path, with parameters and actions of the workflow and of components", async () => {
  const { steps, requests } = await run(
    `${head}components:
  parameters: { size: { name: pageSize, in: query, value: 1 }, token: { name: Authorization, in: header, value: Bearer any } }
  failureActions: { again: { name: again, type: retry, retryLimit: 2, criteria: [{ condition: $statusCode == 503 }] } }
workflows:
  - workflowId: w
    ${world}
    parameters: [{ reference: $components.parameters.token }, { name: session, in: cookie, value: a }]
    failureActions: [{ reference: $components.failureActions.again }]
    steps:
      - stepId: list
        operationPath: '{$sourceDescriptions.ledger.url}#/paths/~1v2~1users/get'
        parameters: [{ reference: $components.parameters.size, value: 7 }]
        successCriteria: [{ condition: $statusCode == 200 }, { condition: $request.query.pageSize == 7 }]
`,
    { statuses: [503, 503, 200] },
  );
  expect(steps).toEqual([
    expect.stringMatching(/^list handled: \$statusCode == 200 does not hold/),
    expect.stringMatching(/^list handled/),
    "list passed",
  ]);
  expect(requests[2]?.target).toBe("/v2/users?pageSize=7");
  expect(requests[2]?.headers).toEqual([
    ["Authorization", "Bearer any"],
    ["Cookie", "session=a"],
  ]);
});

const listing = (more: string) => `${head}workflows:
  - workflowId: w
    ${world}
    steps:
      - { stepId: list, operationId: getV2Users, successCriteria: [{ condition: $statusCode == 200 }], ${more} }
      - { stepId: last, operationId: getV2Parties }
      - { stepId: later, operationId: getV2Version }
`;

test.each([
  ["fails after one attempt more", "onFailure: [{ name: a, type: retry }]", [503], ["list handled", "list failed"], []],
  [
    "waits as long as the action says, and longer if the response says so",
    "onFailure: [{ name: a, type: retry, retryAfter: 1.5, retryLimit: 5 }]",
    [503, [503, "3"], 200],
    ["list handled", "list handled", "list passed", "last passed", "later passed"],
    [1500, 3000],
  ],
  [
    "takes the next action when the attempts are exhausted",
    "onFailure: [{ name: a, type: retry }, { name: b, type: goto, stepId: later }]",
    [503, 503, 200],
    ["list handled", "list handled", "later passed"],
    [],
  ],
  [
    "executes another step before it tries again",
    "onFailure: [{ name: a, type: retry, stepId: last }]",
    [503, 200],
    ["list handled", "last passed", "list passed", "last passed", "later passed"],
    [],
  ],
  ["ends", "onFailure: [{ name: a, type: end }]", [503], ["list failed"], []],
  ["ends after a success", "onSuccess: [{ name: a, type: end }]", [200], ["list passed"], []],
  [
    "goes to a step if the criteria hold",
    "onSuccess: [{ name: a, type: goto, stepId: last, criteria: [{ condition: $statusCode == 201 }] }, { name: b, type: goto, stepId: later }]",
    [200],
    ["list passed", "later passed"],
    [],
  ],
] as const)("an action %s", async (_, action, statuses, steps, waits) => {
  const ran = await run(listing(action), { statuses });
  expect(ran.steps.map((line) => line.split(":")[0])).toEqual(steps);
  expect(ran.waits).toEqual(waits);
});

test("runs the workflows that a workflow depends on first and once, and calls workflows of other documents", async () => {
  const other = `${head}workflows:
  - workflowId: grant
    inputs: { type: object, required: [user], properties: { user: { type: string } } }
    steps:
      - stepId: rights
        operationId: postV2UsersUser-idRights
        parameters: [{ name: user-id, in: path, value: $inputs.user }]
        requestBody: { payload: { userId: $inputs.user, rights: [] } }
        outputs: { body: $response.body }
    outputs: { granted: "$steps.rights.outputs.body#/userId" }
`;
  const ran = await run(
    `${head}  - { name: more, url: more.yaml, type: arazzo }
workflows:
  - workflowId: w
    ${world}
    dependsOn: [first]
    steps:
      - stepId: call
        workflowId: $sourceDescriptions.more.grant
        parameters: [{ name: user, value: $workflows.first.outputs.user }]
        successCriteria: [{ condition: $outputs.granted == 'ALICE' }]
        outputs: { mine: $outputs.granted }
      - { stepId: end, operationId: getV2Users, parameters: [{ name: pageToken, in: query, value: "{$steps.call.outputs.granted}-{$steps.call.outputs.mine}" }] }
  - workflowId: v
    dependsOn: [first]
    steps: [{ stepId: version, operationId: getV2Version }]
  - workflowId: first
    steps: [{ stepId: list, operationId: getV2Users, outputs: { id: "$response.body.users[0].id" } }]
    outputs: { user: $steps.list.outputs.id }
`,
    { files: { "more.yaml": other } },
  );
  expect(ran.steps).toEqual([
    "first.list passed",
    "grant.rights passed",
    "call passed",
    "end passed",
    "v.version passed",
  ]);
  expect(ran.sent).toEqual([
    "GET /v2/users",
    'POST /v2/users/alice/rights {"userId":"alice","rights":[]}',
    "GET /v2/users?pageToken=alice-alice",
    "GET /v2/version",
  ]);
});

const withInputs = (payload: string) => `${head}components:
  inputs: { names: { type: object, required: [user], properties: { user: { type: string }, count: { type: integer, default: 2 } } } }
workflows:
  - workflowId: w
    ${world.replace("{ given", "{ inputs: { user: alice }, given")}
    inputs: { $ref: "#/components/inputs/names" }
    steps:
      - stepId: rights
        operationId: postV2UsersUser-idRights
        parameters: [{ name: user-id, in: path, value: $inputs.user }]
        requestBody: ${payload}
`;

test.each([
  [
    "{ payload: { a: $inputs.user, b: $inputs.count, c: '{$inputs.user}-{$inputs.count}' } }",
    '{"a":"o\\"hara","b":2,"c":"o\\"hara-2"}',
  ],
  [`{ payload: '{"a": "{$inputs.user}", "b": {$inputs.count}}' }`, '{"a": "o\\"hara", "b": 2}'],
  [
    "{ payload: { a: { b: [1, 2] } }, replacements: [{ target: /a/b/1, value: $inputs.count }, { target: /c, value: x }] }",
    '{"a":{"b":[1,2]},"c":"x"}',
  ],
  [`{ payload: '{"a": 1}', replacements: [{ target: /a, value: $inputs.user, x-a: 1 }] }`, '{"a":"o\\"hara"}'],
  ["{ contentType: application/x-www-form-urlencoded, payload: { a: $inputs.user, b: 1 } }", "a=o%22hara&b=1"],
])("sends the payload %s with inputs of the user", async (payload, body) => {
  const { sent } = await run(withInputs(payload), { inputs: { user: 'o"hara' } });
  expect(sent).toEqual([`POST /v2/users/o%22hara/rights ${body}`]);
});

test("takes inputs of the extension, and says which one has no value or another type", async () => {
  const text = withInputs("{ payload: {} }");
  expect((await run(text)).sent).toEqual(["POST /v2/users/alice/rights {}"]);
  expect((await run(text.replace("inputs: { user: alice }, ", ""))).steps).toEqual([
    'w failed: the input "user" has no value: give it under inputs of x-understudy, or a default in the schema',
  ]);
  expect((await run(text, { inputs: { count: "many" } })).steps).toEqual([
    "w failed: the inputs do not match their schema: count must be integer",
  ]);
});

test("stops workflows that call each other without end", async () => {
  const { steps } = await run(`${head}workflows:
  - { workflowId: w, ${world}, steps: [{ stepId: again, workflowId: w }] }
`);
  expect(steps[0]).toBe("w failed: more than 50 workflows call each other");
});

test.each([
  [
    "onFailure: [{ name: a, type: goto, stepId: lst }]",
    'the action "a" names the unknown step "lst". Did you mean "list" or "last"?',
  ],
  ["onFailure: [{ name: a, type: goto }]", 'the action "a" has no target. Give it one of stepId and workflowId.'],
  ["onSuccess: [{ name: a, type: goto, workflowId: v }]", 'unknown workflow "v". Did you mean "w"?'],
  [
    "onSuccess: [{ reference: $components.successActions.a }]",
    '"$components.successActions.a" names no entry of components.successActions. Add it: components: { successActions: … }.',
  ],
  [
    "workflowId: w",
    'the step "list" has operationId and workflowId. Give it one of operationId, operationPath and workflowId.',
  ],
])("refuses { %s }", (more, problem) => {
  expect(problemsOf(listing(more))).toEqual([expect.stringContaining(problem)]);
});

test("names what is valid Arazzo and not supported", () => {
  const text = listing("description: a").replace(
    "workflows:",
    "  - { name: o, url: 'https://example.com/a.yaml', type: arazzo }\nworkflows:",
  );
  expect(problemsOf(text)).toEqual([
    "https://example.com/a.yaml is valid Arazzo, but documents from a network are not supported here. Save it as a file, and name that.",
  ]);
  expect(problemsOf(listing("description: a").replace(`    ${world}`, `    ${world}\n    dependsOn: [w]`))).toEqual([
    'the workflow "w" depends on itself. Remove one of the workflows of the circle from dependsOn.',
  ]);
});
