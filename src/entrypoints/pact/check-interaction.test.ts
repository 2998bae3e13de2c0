import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../foundation/json/json.ts";
import { loadSpec } from "../../foundation/spec/spec.ts";
import { checkPact } from "./check-interaction.ts";
import type { CheckedInteraction } from "./pact-finding.ts";
import { readPact } from "./read-pact.ts";

const spec = loadSpec({ ledger: "spec", registry: "spec" }, { hasAdditionalOperations: true });
const release = loadSpec({ ledger: "canton-3.5", registry: "splice-0.7" }, { hasAdditionalOperations: true });

interface Given {
  readonly request?: JsonObject;
  readonly status?: number;
  readonly type?: string;
  readonly body?: Json;
  /** Matchers of the body by path. */
  readonly rules?: Readonly<Record<string, JsonObject>>;
  readonly response?: JsonObject;
}

const token = { Authorization: "Bearer any" };
const users = { method: "GET", path: "/v2/users", headers: token };
const grant = {
  method: "POST",
  path: "/v2/users/alice/rights",
  headers: { ...token, "Content-Type": "application/json" },
  body: { content: { userId: "alice" }, contentType: "application/json", encoded: false },
};
const json = (content: Json) => ({ content, contentType: "application/json", encoded: false });
const lookup = {
  method: "POST",
  path: "/registry/transfer-instruction/v2/transfer-factory",
  body: json({ choiceArguments: {}, excludeDebugFields: true }),
};
const execute = {
  method: "POST",
  path: "/v2/interactive-submission/executeAndWait",
  headers: token,
  body: json({ preparedTransaction: "", partySignatures: {}, submissionId: "s", hashingSchemeVersion: "V2" }),
};
const ofClass = (name: string) => ({
  matchingRules: { status: { $: { combine: "AND", matchers: [{ match: "statusCode", status: name }] } } },
});
const ofType = (regex: string) => ({
  matchingRules: { header: { "Content-Type": { combine: "AND", matchers: [{ match: "regex", regex }] } } },
});
const status = { method: "GET", path: "/v2/packages/a/status", headers: token };
/** A lookup whose response has this kind of transfer, and a matcher of it. */
const kind = (transferKind: string, rule: JsonObject): Given => ({
  request: lookup,
  body: { transferKind },
  rules: { "$.transferKind": rule },
});
/** An execution with a response of one member, and a matcher of it. */
const executed = (member: string, value: Json, match: string, more: JsonObject = {}): Given => ({
  request: execute,
  body: { [member]: value },
  rules: { [`$.${member}`]: { match, ...more } },
});
const contexts = "$.choiceContext.disclosedContracts";
const variants = [{ index: 0, rules: { "$.contractId": { combine: "AND", matchers: [{ match: "boolean" }] } } }];
const disclosing = (contract: JsonObject): Given => ({
  request: lookup,
  body: { choiceContext: { disclosedContracts: [contract] } },
});
const withoutToken = { method: "GET", path: "/v2/users" };
const jsonType = "application/json";
const kinds = 'one of "self", "direct", "offer"';

function checked(given: Given, by = spec): CheckedInteraction {
  const { request = users, status: code = 200, type, body, rules = {}, response = {} } = given;
  const matchers = Object.entries(rules).map(([path, matcher]) => [path, { combine: "AND", matchers: [matcher] }]);
  const text = JSON.stringify({
    consumer: { name: "wallet" },
    provider: { name: "canton" },
    interactions: [
      {
        type: "Synchronous/HTTP",
        description: "asks",
        request,
        response: {
          status: code,
          ...(type === undefined ? {} : { headers: { "Content-Type": [type] } }),
          ...(body === undefined
            ? {}
            : { body: typeof body === "string" ? { content: body, contentType: type ?? "" } : json(body) }),
          matchingRules: { body: Object.fromEntries(matchers) },
          ...response,
        },
      },
    ],
    metadata: { pactSpecification: { version: "4.0" } },
  });
  const read = readPact("wallet.json", text);
  const [first] = read.type === "read" ? checkPact(read.file, by, "release") : [];
  if (first === undefined) throw new Error(JSON.stringify(read));
  return first;
}

/** One line per finding: outcome, place and expected value. */
function linesOf(given: Given, by = spec): readonly string[] {
  const { outcome, findings } = checked(given, by);
  return [outcome, ...findings.map((each) => `${each.outcome} ${each.at}${each.pointer}: ${each.expected}`)];
}

test.each<[string, Given]>([
  ["a response without members", {}],
  ["required members", { request: status, body: { packageStatus: "PACKAGE_STATUS_REGISTERED" } }],
  ["an error with some of its members", { status: 404, body: { code: "USER_NOT_FOUND", context: { a: "b" } } }],
  ["the text of a 400", { status: 400, type: "text/plain", body: "Invalid value for: query parameter pageSize" }],
  ["a text with a charset", { status: 400, type: "text/plain; charset=UTF-8", body: "INVALID_ARGUMENT: x" }],
  [
    "a text whose type the library did not know",
    { status: 400, response: { body: { content: "bm8=", contentType: "*/*", encoded: "base64" } } },
  ],
  ["the registry's error", { request: lookup, status: 409, body: { error: "being reassigned" } }],
  [
    "a request that is refused as it has to be",
    { request: { ...grant, body: json({}) }, status: 400, type: "text/plain", body: "Invalid value for: body" },
  ],
  ["a refusal of a missing token", { request: withoutToken, status: 401, body: { code: "UNAUTHENTICATED" } }],
  [
    "members that the spec does not show",
    {
      request: { ...grant, path: "/v2/package-vetting", body: json({ changes: [{}] }) },
      body: { pastVettedPackages: { any: 1 } },
    },
  ],
  ["an integer by its matcher", executed("completionOffset", 1, "integer")],
  ["an example outside an enumeration, matched by type", kind("x", { match: "type" })],
  ["a matcher that accepts one value of an enumeration", kind("self", { match: "regex", regex: "^(self|other)$" })],
  [
    "a type matcher inherited from above",
    { request: lookup, body: { transferKind: "x" }, rules: { $: { match: "type" } } },
  ],
  ["any member of a map", { status: 500, body: { context: { anything: "x" } } }],
  ["a media type by a pattern", { status: 400, type: "text/a", body: "x", response: ofType("^text/plain.*") }],
  ["a class of statuses", { status: 299, response: ofClass("success") }],
])("accepts %s", (_name, given) => {
  expect(linesOf(given)).toEqual(["fine"]);
});

test.each<[string, Given, string]>([
  ["a status that is not documented", { status: 201 }, "response: one of 200, 400, default"],
  ["a status that the registry does not have", { request: lookup, status: 500 }, "response: one of 200, 400, 404, 409"],
  ["a class without status", { status: 204, response: ofClass("redirect") }, "response: one of 200, 400, default"],
  ["JSON where the ledger returns text", { status: 400, type: jsonType, body: { code: "X" } }, "response: text/plain"],
  ["JSON of no type where the ledger returns text", { status: 400, body: { code: "X" } }, "response: text/plain"],
  [
    "text where the registry responds JSON",
    { request: lookup, status: 400, type: "text/plain", body: "no" },
    `response: ${jsonType}`,
  ],
  ["text where the ledger responds JSON", { status: 200, type: "text/plain", body: "users" }, `response: ${jsonType}`],
  [
    "an unknown member",
    { request: status, body: { packageStatus: "x", status: "y" } },
    "response/status: the response has only the members packageStatus",
  ],
  [
    "an unknown member of an element",
    { body: { users: [{ idd: "a" }] } },
    'response/users/0/idd: /users/0 has only the members id, primaryParty, isDeactivated, metadata, identityProviderId, primaryPartyAuthentication. Did you mean "id"?',
  ],
  ["another type", { request: execute, body: { updateId: 5 } }, "response/updateId: /updateId must be string"],
  ["another type, matched by type", executed("updateId", 5, "type"), "response/updateId: /updateId must be string"],
  ["an example of another type", executed("updateId", 5, "integer"), "response/updateId: /updateId must be string"],
  [
    "a date for a number",
    executed("completionOffset", "2026", "datetime", { format: "yyyy" }),
    "response/completionOffset: /completionOffset must be integer",
  ],
  [
    "a fraction for an integer",
    executed("completionOffset", 1.5, "decimal"),
    "response/completionOffset: /completionOffset must be integer",
  ],
  ["null for a string", executed("updateId", null, "null"), "response/updateId: /updateId must be string"],
  [
    "a value outside an enumeration",
    { request: lookup, body: { transferKind: "x" } },
    "response/transferKind: /transferKind must be one of self, direct, offer",
  ],
  [
    "the same under equality",
    kind("x", { match: "equality" }),
    "response/transferKind: /transferKind must be one of self, direct, offer",
  ],
  ["a pattern of no value", kind("self", { match: "regex", regex: "^x" }), `response/transferKind: ${kinds}`],
  ["a substring of no value", kind("self", { match: "include", value: "x" }), `response/transferKind: ${kinds}`],
  [
    "a debug member that the request excludes",
    disclosing({ debugPackageName: "a" }),
    "response/choiceContext/disclosedContracts/0/debugPackageName: no debugPackageName",
  ],
  [
    "a variant of another type",
    { ...disclosing({ contractId: true }), rules: { [contexts]: { match: "arrayContains", variants } } },
    "response/choiceContext/disclosedContracts/0/contractId: /choiceContext/disclosedContracts/0/contractId must be string",
  ],
  [
    "values of another type",
    {
      status: 500,
      body: { context: { a: 1 } },
      rules: { "$.context": { match: "eachValue", rules: [{ match: "integer" }] } },
    },
    "response/context/a: /context/a must be string",
  ],
  [
    "a request without a required member",
    { request: { ...grant, body: json({}) } },
    "request/userId: an error, since the request schema requires: the member /userId",
  ],
  ["a request without its body", { request: { ...grant, body: null } }, "request: a request body"],
  [
    "a request of another media type",
    { request: { ...grant, headers: { ...token, "Content-Type": "text/plain" } } },
    "request: Content-Type application/json",
  ],
  [
    "a query of another type",
    { request: { ...users, query: { pageSize: ["x"] } } },
    "request: an error, since pageSize is not an integer of its format",
  ],
  [
    "an invalid user id",
    { request: { ...grant, path: "/v2/users/a%20b/rights" } },
    "request: user-id to be a valid userId",
  ],
  [
    "another scheme than a bearer token's",
    { request: { ...users, headers: { Authorization: "Basic YTpi" } } },
    "request: a bearer token in the header Authorization",
  ],
  ["a misspelt path", { request: { ...users, path: "/v2/user" } }, "request: a known path. Did you mean /v2/users?"],
  ["an unknown method", { request: { ...users, method: "PUT" } }, "request: GET or POST for /v2/users"],
])("refuses %s", (_name, given, first) => {
  const [outcome, ...findings] = linesOf(given);
  expect(outcome).toBe("contradicts");
  expect(findings[0]).toContain(`FAIL ${first}`);
});

test.each<[string, Given, string]>([
  ["an optional member", { body: { users: [] } }, "response: users is optional"],
  [
    "members that the spec neither requires nor makes optional",
    { body: { users: [{ id: "a", isDeactivated: true }] } },
    "response/users/0: the spec does not say whether id, isDeactivated are required",
  ],
  [
    "a list that may be empty",
    { body: { users: [{}] }, rules: { "$.users": { match: "type", min: 1 } } },
    "response/users: the list can be empty",
  ],
  ["an undocumented header", { response: { headers: { ETag: ["x"] } } }, "response: only the header Content-Type"],
  ["a token that is left to the verifier", { request: withoutToken }, "request: a bearer token"],
  [
    "a misspelt query parameter",
    { request: { ...users, query: { pagesize: ["1"] } } },
    'request: only the query parameters pageSize, pageToken. Did you mean "pageSize"?',
  ],
  [
    "a misspelt member of a request",
    { request: { ...grant, body: json({ userId: "a", right: [] }) } },
    'request/right: the request has only the members userId, rights, identityProviderId. Did you mean "rights"?',
  ],
  [
    "an invalid request with a status other than 400",
    { request: { ...grant, body: json({}) }, status: 404 },
    "request/userId: status 400, because /userId",
  ],
  ["a body for an operation without one", { request: { ...users, body: json({}) } }, "request: no request body"],
  ["a code of another status", { status: 404, body: { errorCategory: 5, grpcCodeValue: 7 } }, "response/grpcCodeValue"],
])("warns of %s", (_name, given, text) => {
  const [outcome, ...findings] = linesOf(given);
  expect(outcome).toBe("warned");
  expect(findings.join("\n")).toContain(`WARN ${text}`);
});

test("does not check an unsupported operation", () => {
  expect(linesOf({ request: { method: "GET", path: "/v2/something/else/entirely" } })).toEqual(["unsupported"]);
});

test("checks an additional operation by its own schema, and only warns of unknown members", () => {
  const version = { method: "GET", path: "/v2/version", headers: token };
  expect(linesOf({ request: version, body: { version: 5 } })).toContain(
    "FAIL response/version: /version must be string",
  );
  expect(linesOf({ request: version, body: { version: "3.5", news: 1 } })[0]).toBe("warned");
});

test("reports a known divergence of the release without failing", () => {
  const { outcome, findings } = checked({ status: 400, body: { code: "INVALID_ARGUMENT" } }, release);
  expect(outcome).toBe("fine");
  expect(findings).toMatchObject([{ outcome: "KNOWN", divergence: "DIV-001", rule: "ledger-400-is-text" }]);
});

test.each([
  ["a", [{ match: "integer" }, { match: "regex", regex: "a" }]],
  [null, [{ match: "null" }, { match: "type" }]],
])("accepts the example %s of matchers combined by OR if one fits", (updateId, matchers) => {
  const rules = { body: { "$.updateId": { combine: "OR", matchers } } };
  expect(linesOf({ request: execute, body: { updateId }, response: { matchingRules: rules } })).toEqual(["fine"]);
});

test("accepts a one-key wrapper without its member", () => {
  const body = { newlyGrantedRights: [{ kind: {} }] };
  expect(linesOf({ request: grant, body }, release).filter((line) => line.startsWith("FAIL"))).toEqual([]);
});
