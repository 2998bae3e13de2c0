import { expect, test } from "vitest";
import { parseJson } from "../json/json.ts";
import { contracts } from "./contracts.ts";
import { isIdentifier } from "./identifiers.ts";
import { escapeSegment, valueAt } from "./operation.ts";
import { impliedRegistryProfile, loadSpec } from "./spec.ts";

const canton = loadSpec({ ledger: "canton-3.5", registry: "splice-0.7" });
const schema = "/components/schemas";

test("has nine operations", () => {
  expect(canton.operations.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "POST /v2/interactive-submission/executeAndWait",
    "PATCH /v2/users/{user-id}",
    "POST /v2/parties/external/allocate",
    "POST /v2/users/{user-id}/rights",
    "GET /v2/packages/{package-id}/status",
    "GET /v2/users",
    "GET /v2/idps",
    "POST /v2/package-vetting",
    "POST /registry/transfer-instruction/v2/transfer-factory",
  ]);
});

test.each([
  ["9223372036854775807", []],
  ["9223372036854775808", ["format"]],
  ["-9223372036854775808", []],
  ["-9223372036854775809", ["format"]],
  ["9007199254740993", []],
  ["1.5", ["type"]],
  ['"1"', ["type"]],
])("checks %s as an int64 to the last digit", (number, keywords) => {
  const body = parseJson(`{"updateId":"1220","completionOffset":${number}}`);
  const violations = canton.validate.ledger(`${schema}/ExecuteSubmissionAndWaitResponse`, body);
  expect(
    [...new Set(violations.map(({ keyword }) => keyword))].filter(
      (keyword) => keyword !== "format" || number !== "1.5",
    ),
  ).toEqual(keywords);
});

test.each([
  ["2147483647", []],
  ["2147483648", ["format"]],
  ["-2147483648", []],
  ["-2147483649", ["format"]],
])("checks %s as an int32", (number, keywords) => {
  const body = parseJson(`{"code":"A","cause":"b","context":{},"errorCategory":${number}}`);
  expect(canton.validate.ledger(`${schema}/JsCantonError`, body).map(({ keyword }) => keyword)).toEqual(keywords);
});

test("points at a missing member", () => {
  const [violation] = canton.validate.ledger(`${schema}/JsCantonError`, { code: "A", cause: "b", errorCategory: 8 });
  expect(violation).toEqual({ keyword: "required", pointer: "/context", message: "is missing", value: undefined });
});

test.each([
  ["/v2/users", "getV2Users"],
  ["/v2/users/", "getV2Users"],
  ["//v2//users", "getV2Users"],
])("finds the operation of GET %s", (path, operationId) => {
  const route = canton.route("GET", path);
  expect(route.type === "found" && route.operation.operationId).toBe(operationId);
});

test("decodes path parameters", () => {
  const route = canton.route("POST", "/v2/users/a%40b%7C/rights");
  expect(route.type === "found" && route.pathParameters).toEqual({ "user-id": "a@b|" });
});

test("distinguishes a wrong method from an unknown path", () => {
  expect(canton.route("DELETE", "/v2/idps")).toMatchObject({ type: "wrong-method", allowed: ["GET"] });
  expect(canton.route("GET", "/v2/nothing").type).toBe("unknown");
});

test("keeps a malformed escape in a path unchanged", () => {
  expect(canton.route("GET", "/v2/packages/%zz/status")).toMatchObject({ pathParameters: { "package-id": "%zz" } });
});

test("accepts an identifier of the maximum length, and refuses a longer one", () => {
  expect([128, 129].map((length) => isIdentifier("userId", "a".repeat(length)))).toEqual([true, false]);
});

test("finds any member by a JSON pointer, and nothing by an unknown one", () => {
  for (const name of ["a/b", "~1", "~01", ""]) expect(valueAt({ [name]: 1 }, `/${escapeSegment(name)}`)).toBe(1);
  expect(valueAt([[5]], "/0/0")).toBe(5);
  expect(["/toString", "/a/b", "/0"].map((pointer) => valueAt({ a: "x" }, pointer))).toEqual(Array(3).fill(undefined));
});

test("stops counting violations at a limit", () => {
  const users = Array.from({ length: 51 }, () => 5);
  expect(canton.validate.ledger(`${schema}/ListUsersResponse`, { users })).toHaveLength(50);
});

test("implies the registry of a release, and that of the spec for an unknown profile", () => {
  expect(["canton-3.5", "spec", "none"].map(impliedRegistryProfile)).toEqual(["splice-0.8", "spec", "spec"]);
});

test.each(
  contracts.identifiers.flatMap(({ name }) =>
    ["A", "0", "ab", "AAAA", "a.", "a:", "::a"].map((piece) => [name, piece] as const),
  ),
)("decides about 8 MiB in the syntax %s, made of %s", (name, piece) => {
  const long = piece.repeat((8 * 1024 * 1024) / piece.length);
  const beginnings = ["", "a::b", "1220", `${"a".repeat(64)}:`, "#a:"];
  expect(beginnings.map((beginning) => typeof isIdentifier(name, beginning + long))).toEqual(
    beginnings.map(() => "boolean"),
  );
});
