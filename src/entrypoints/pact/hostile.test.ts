import { expect, test } from "vitest";
import { writeLongInteger } from "../../foundation/json/json.ts";
import { loadSpec } from "../../foundation/spec/spec.ts";
import { problemsMax } from "../../scenarios/files/problem.ts";
import { checkPact } from "./check-interaction.ts";
import type { CheckedInteraction } from "./pact-finding.ts";
import { readPact } from "./read-pact.ts";

const spec = loadSpec({ ledger: "spec", registry: "spec" }, { hasAdditionalOperations: true });

/** Checks an interaction whose response has this body, given as JSON text. */
function checked(request: object, body: string): CheckedInteraction {
  const interaction = `{"description":"asks","request":${JSON.stringify(request)},"response":{"status":200,"body":${body}}}`;
  const text = `{"consumer":{"name":"wallet"},"provider":{"name":"canton"},"interactions":[${interaction}]}`;
  const read = readPact("wallet.json", text);
  const [only] = read.type === "read" ? checkPact(read.file, spec, "release") : [];
  if (only === undefined) throw new Error("the Pact cannot be read");
  return only;
}

test("inherited members such as constructor are not members of the schema", () => {
  const request = { method: "GET", path: "/v2/users", headers: { Authorization: "Bearer any" } };
  const { findings } = checked(request, '{"constructor":1,"__proto__":{"a":1}}');
  expect(findings.map(({ outcome, actual }) => [outcome, actual])).toEqual([
    ["FAIL", 'the member "constructor"'],
    ["FAIL", 'the member "__proto__"'],
  ]);
});

test("findings contain no token of the interaction", () => {
  const headers = { Authorization: "Basic bXktc2VjcmV0" };
  const inUrl = checked({ method: "GET", path: "/v2/userz?access_token=s3cret", headers }, "{}");
  const inBody = checked({ method: "GET", path: "/v2/users", headers }, '{"users":"bXktc2VjcmV0"}');
  expect([inUrl.outcome, inBody.outcome]).toEqual(["contradicts", "contradicts"]);
  expect(JSON.stringify([inUrl.findings, inBody.findings])).not.toMatch(/s3cret|bXktc2VjcmV0/);
});

const odd = { toString: 1, valueOf: 2 };
const large = 12345678901234567890n;

test.each([
  ["a version", { metadata: { pactSpecification: { version: odd } } }],
  ["a large version", { metadata: { pactSpecification: { version: large } } }],
  ["a type", { interactions: [{ description: "d", type: large, request: {}, response: {} }] }],
  ["a header", { interactions: [interaction({ headers: { a: odd } })] }],
  ["a query", { interactions: [interaction({ query: { a: [odd] } })] }],
  ["an encoding", { interactions: [interaction({ body: { content: "x", encoded: odd } })] }],
])("reads %s that no text can be made of by itself", (_, members) => {
  const pact = {
    consumer: { name: "c" },
    provider: { name: "p" },
    interactions: [],
    metadata: { pactSpecification: { version: "4.0" } },
    ...members,
  };
  expect(["read", "invalid"]).toContain(readPact("wallet.json", JSON.stringify(pact, writeLongInteger)).type);
});

function interaction(request: object): object {
  return { description: "d", request: { method: "GET", path: "/", ...request }, response: { status: 200 } };
}

test("tells the first of many problems, and counts the others", () => {
  const interactions = Array.from({ length: problemsMax + 5 }, () => 1);
  const pact = { consumer: { name: "c" }, provider: { name: "p" }, interactions };
  const read = readPact("wallet.json", JSON.stringify(pact));
  expect(read.type === "invalid" && read.problems.at(-1)?.problem).toBe("5 more problems in the file");
});
