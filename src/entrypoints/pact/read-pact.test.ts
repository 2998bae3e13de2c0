import { expect, test } from "vitest";
import type { Json } from "../../foundation/json/json.ts";
import { matchersFor } from "./matching-rules.ts";
import { type PactResult, readPact } from "./read-pact.ts";
import { parseRulePath } from "./rule-path.ts";

const sides = { consumer: { name: "wallet" }, provider: { name: "canton" } };

function read(value: Json): PactResult {
  return readPact("wallet.json", JSON.stringify(value, undefined, 2));
}

function fileOf(value: Json) {
  const result = read(value);
  if (result.type === "invalid") throw new Error(JSON.stringify(result.problems));
  return result.file;
}

/** Line and text of each problem. */
function problemsIn(value: Json): readonly string[] {
  const result = read(value);
  return result.type === "read" ? [] : result.problems.map(({ line, problem }) => `${line} ${problem}`);
}

const requested = { method: "get", path: "/v2/users" };

test("reads version 2: one provider state, a query as text, rules by path from the message", () => {
  const { version, interactions } = fileOf({
    ...sides,
    interactions: [
      {
        description: "a page",
        providerState: "there are users",
        request: { ...requested, query: "pageSize=2&pageToken=a%20b", headers: { Authorization: "Bearer x" } },
        response: {
          status: 200,
          body: { users: [{ id: "a" }] },
          matchingRules: {
            "$.body.users": { min: 1 },
            "$.body.users[*].id": { match: "regex", regex: "a|b" },
            "$.headers.Content-Type": { match: "regex", regex: "json" },
          },
        },
      },
    ],
    metadata: { pactSpecification: { version: "2.0.0" } },
  });
  const [first] = interactions;
  expect(version).toBe(2);
  expect(first).toMatchObject({
    description: "a page",
    providerStates: [{ name: "there are users", params: {} }],
    request: { method: "GET", target: "/v2/users?pageSize=2&pageToken=a%20b" },
    response: { status: 200, body: { type: "json", value: { users: [{ id: "a" }] } } },
  });
  const rules = first?.response.rules;
  expect(rules?.body.map(({ matchers }) => matchers)).toEqual([
    [{ match: "type", min: 1 }],
    [{ match: "regex", regex: "a|b" }],
  ]);
  expect(rules?.contentType).toEqual([{ match: "regex", regex: "json" }]);
});

test("reads version 3: provider states with parameters, rules by category, a query by name", () => {
  const { interactions } = fileOf({
    ...sides,
    interactions: [
      {
        description: "a page",
        providerStates: [{ name: "there are users", params: { count: 2 } }, { name: "and more" }],
        request: { ...requested, query: { pageSize: ["2"], pageToken: ["a b", "c"] } },
        response: {
          status: 400,
          headers: { "Content-Type": "text/plain" },
          body: "no",
          matchingRules: { body: { $: { matchers: [{ match: "timestamp", timestamp: "yyyy" }] } } },
        },
      },
    ],
    metadata: { pactSpecification: { version: "3.0.0" } },
  });
  expect(interactions[0]).toMatchObject({
    providerStates: [
      { name: "there are users", params: { count: 2 } },
      { name: "and more", params: {} },
    ],
    request: { target: "/v2/users?pageSize=2&pageToken=a+b&pageToken=c" },
    response: {
      body: { type: "text", text: "no" },
      rules: { body: [{ matchers: [{ match: "timestamp" }] }] },
    },
  });
});

const fourth = { ...sides, metadata: { pactSpecification: { version: "4.0" } } };

test.each<[string, Json, Json]>([
  ["JSON", { content: { a: 1 }, contentType: "application/json", encoded: false }, { type: "json", value: { a: 1 } }],
  ["text", { content: "no", contentType: "text/plain", encoded: false }, { type: "text", text: "no" }],
  ["a JSON string", { content: "no", contentType: "application/json", encoded: false }, { type: "json", value: "no" }],
  ["base64", { content: "bm8=", contentType: "*/*", encoded: "base64" }, { type: "text", text: "no" }],
  [
    "base64 of JSON",
    { content: "eyJhIjoxfQ==", contentType: "application/json", encoded: true },
    { type: "json", value: { a: 1 } },
  ],
  ["base64 of other bytes", { content: "/w==", contentType: "image/png", encoded: "base64" }, { type: "bytes" }],
  [
    "JSON in a text",
    { content: '{"a":1}', contentType: "application/json", encoded: "JSON" },
    { type: "json", value: { a: 1 } },
  ],
])("reads a body of version 4: %s", (_name, body, expected) => {
  const interaction = {
    type: "Synchronous/HTTP",
    description: "a",
    request: requested,
    response: { status: 200, body },
  };
  expect(fileOf({ ...fourth, interactions: [interaction] }).interactions[0]?.response.body).toMatchObject(
    Object(expected),
  );
});

test("reads an interaction with members that are not checked, and its lines", () => {
  const interaction = {
    type: "Synchronous/HTTP",
    description: "a",
    pending: true,
    comments: { text: ["why"] },
    request: requested,
    response: { status: 200 },
  };
  const file = fileOf({ ...fourth, interactions: [interaction] });
  const [first] = file.interactions;
  expect(first).toMatchObject({ description: "a", response: { status: 200 } });
  expect(file.placeOf(first?.response.path ?? []).line).toBe(27);
});

test("skips entries that are not exchanges over HTTP, with the reason", () => {
  const http = { request: requested, response: { status: 200 } };
  const { interactions, skipped } = fileOf({
    ...fourth,
    interactions: [
      { type: "Asynchronous/Messages", description: "a message" },
      { type: "Synchronous/HTTP", description: "a plugin's", pluginConfiguration: { protobuf: {} }, ...http },
      { type: "Synchronous/HTTP", description: "an exchange", ...http },
    ],
  });
  expect(interactions.map(({ description }) => description)).toEqual(["an exchange"]);
  expect(skipped.map(({ description, reason }) => `${description}: ${reason}`)).toEqual([
    "a message: it is a message",
    "a plugin's: it is for the plugin protobuf",
  ]);
});

test("infers a missing version from the form of the interactions", () => {
  const interaction = { description: "a", request: requested, response: { status: 200 } };
  const versionOf = (entry: Json) => fileOf({ ...sides, interactions: [entry] }).version;
  expect(versionOf(interaction)).toBe(2);
  expect(versionOf({ ...interaction, providerStates: [] })).toBe(3);
  expect(versionOf({ ...interaction, type: "Synchronous/HTTP" })).toBe(4);
});

test("lists all problems of a file with their lines", () => {
  const invalid = {
    consumer: { name: "wallet" },
    interactions: [
      { description: "a", request: { path: "users" }, response: { status: "200" } },
      { request: requested, response: { status: 200, headers: [] } },
      5,
    ],
    metadata: { pactSpecification: { version: "5.0" } },
  };
  expect(problemsIn(invalid)).toEqual([
    "1 provider.name is missing",
    "8 interactions.0.request.method is missing",
    "9 interactions.0.request.path is not a path",
    "12 interactions.0.response.status is not a valid status",
    "15 interactions.1.description is missing",
    "22 headers is not an object",
    "25 interactions.2 is not an object",
    '27 the file follows version "5.0" of the Pact specification',
  ]);
});

test.each([
  ["an empty file", "", "the file is empty"],
  ["invalid JSON", '{\n"consumer": oops', "the file is not valid JSON"],
  ["a list", "[]", "the file is not a Pact file"],
  ["another file", '{"log":{}}', "the file is not a Pact file"],
])("refuses %s", (_name, text, problem) => {
  const result = readPact("wallet.json", text);
  expect(result.type === "invalid" ? result.problems[0]?.problem : "").toContain(problem);
});

test("reads the paths of matching rules", () => {
  expect(parseRulePath("$.a[0]['b.c'][*].*")).toEqual(["a", 0, "b.c", "*", "*"]);
  expect(parseRulePath("$")).toEqual([]);
  expect(parseRulePath("$.a[")).toBeUndefined();
  expect(parseRulePath("a.b")).toBeUndefined();
});

test("the most specific matching rule applies, or else one above the value", () => {
  const texts = ["$", "$.users", "$.users[*].id", "$.users[0].id"];
  const rules = texts.map((text) => ({ path: parseRulePath(text) ?? [], matchers: [{ match: "regex", regex: text }] }));
  const textFor = (...path: (string | number)[]) => matchersFor(rules, path)[0]?.["regex"];
  expect(textFor("users", 0, "id")).toBe("$.users[0].id");
  expect(textFor("users", 1, "id")).toBe("$.users[*].id");
  expect(textFor("users", 1, "name")).toBe("$.users");
  expect(textFor("other")).toBe("$");
  const ofList = [{ path: ["users"], matchers: [{ match: "type", min: 1 }] }];
  expect(matchersFor(ofList, ["users", 1, "name"])).toEqual([{ match: "type" }]);
});
