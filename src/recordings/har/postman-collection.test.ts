import { expect, test } from "vitest";
import type { JsonObject } from "../../foundation/json/json.ts";
import { isPostmanCollection, postmanExchanges } from "./postman-collection.ts";

const schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";
const saved = {
  name: "two users",
  originalRequest: {
    method: "get",
    header: [
      { key: "Authorization", value: "Bearer {{token}}" },
      { key: "X-Off", value: "1", disabled: true },
    ],
    url: { raw: "{{baseUrl}}/v2/users?pageSize=2", host: ["{{baseUrl}}"], path: ["v2", "users"] },
  },
  status: "OK",
  code: 200,
  _postman_previewlanguage: "json",
  header: [{ key: "Content-Type", value: "application/json" }],
  cookie: [],
  responseTime: 12,
  body: '{"users":[],"nextPageToken":""}',
};
const posted = {
  name: "refused",
  originalRequest: {
    method: "POST",
    header: [],
    body: { mode: "raw", raw: "{", options: { raw: { language: "json" } } },
    url: "http://127.0.0.1:7575/v2/users",
  },
  code: 400,
  header: null,
  body: null,
};

const collection = {
  info: { name: "ledger", schema },
  item: [
    { name: "folder", item: [{ name: "users", request: { method: "GET", url: "x" }, response: [saved] }] },
    { name: "create", request: { method: "POST" }, response: [posted, { name: "never sent", code: null }] },
    { name: "no example", request: "http://127.0.0.1/v2/idps", response: [] },
  ],
};

test("recognizes a collection by its schema", () => {
  expect(isPostmanCollection(collection)).toBe(true);
  expect(isPostmanCollection({ info: { name: "else", schema: "https://example.org" }, item: [] })).toBe(false);
  expect(isPostmanCollection({ log: {} })).toBe(false);
});

test("reads the saved responses of all folders with their own requests", () => {
  const [first, second] = postmanExchanges(collection);
  expect(first?.request).toMatchObject({
    method: "GET",
    target: "/v2/users?pageSize=2",
    headers: [["Authorization", "Bearer {{token}}"]],
  });
  expect(first?.durationMs).toBe(12);
  expect(first?.response).toMatchObject({ status: 200, headers: [["Content-Type", "application/json"]] });
  expect(first?.response.type === "response" && first.response.body.text()).toBe(saved.body);
  expect(second?.request.target).toBe("http://127.0.0.1:7575/v2/users");
  expect(second?.request.body.text()).toBe("{");
  expect(second?.response).toMatchObject({ reason: expect.stringContaining("no body"), partial: { status: 400 } });
});

test("uses the request of the item for an example without one, a plain URL included", () => {
  const item = [{ request: "{{ledger}}/v2/idps", response: [{ code: 200, body: "" }] }];
  expect(postmanExchanges({ info: { schema }, item })[0]?.request).toMatchObject({ method: "GET", target: "/v2/idps" });
});

test("limits the depth of folders", () => {
  let item: object = { response: [{ code: 200 }] };
  for (let depth = 0; depth < 60; depth += 1) item = { item: [item] };
  expect(postmanExchanges({ info: { schema }, item: [JSON.parse(JSON.stringify(item))] })).toEqual([]);
});

test("counts requests without a saved response, and examples without a status", () => {
  const counts: number[] = [];
  expect(postmanExchanges(collection, (requests) => counts.push(requests)).length).toBe(2);
  expect(counts).toEqual([2]);
});

function requestOf(request: object | string, around: object = {}) {
  const item = [{ name: "folder", item: [{ request, response: [{ code: 200, body: "{}" }] }], ...around }];
  const variable = [
    { key: "host", value: "node.example" },
    { key: "address", value: "http://{{host}}:{{port}}" },
    { key: "port", value: 7575 },
    { key: "off", value: "x", disabled: true },
    { id: "user", value: "alice" },
  ];
  const given = {
    info: { schema },
    variable,
    item,
    auth: { type: "bearer", bearer: [{ key: "token", value: "t-{{user}}" }] },
  };
  const found = postmanExchanges(JSON.parse(JSON.stringify(given)))[0]?.request;
  if (found === undefined) throw new Error("no request");
  return found;
}

const parts = { protocol: "http", host: ["{{host}}"], port: "7575", path: ["v2", "users", ":id", "rights"] };
const id = [{ key: "id", value: "{{user}}::1220/x" }];

test.each([
  ["a text with variables", "{{address}}/v2/users", "http://node.example:7575/v2/users"],
  ["a text without a protocol", "localhost:7575/v2/users", "http://localhost:7575/v2/users"],
  ["a text with an unknown host", "{{baseUrl}}/v2/users?a={{off}}", "/v2/users?a={{off}}"],
  ["only its raw form", { raw: "{{address}}/v2/users?x=1" }, "http://node.example:7575/v2/users?x=1"],
  ["parts", parts, "http://node.example:7575/v2/users/:id/rights"],
  [
    "parts with values in the path",
    { ...parts, variable: id },
    "http://node.example:7575/v2/users/alice::1220%2Fx/rights",
  ],
  [
    "a path of objects and a host of text",
    { host: "{{address}}", path: [{ type: "string", value: "v2" }, "idps"] },
    "http://node.example:7575/v2/idps",
  ],
  ["a path of text", { host: ["localhost"], path: "/v2/idps" }, "http://localhost/v2/idps"],
  [
    "a query with disabled parameters",
    {
      raw: "http://a/v2/users?pageSize=2&off=1",
      host: ["a"],
      path: ["v2", "users"],
      query: [
        { key: "pageSize", value: "2" },
        { key: "off", value: "1", disabled: true },
        { key: "flag", value: null },
      ],
    },
    "http://a/v2/users?pageSize=2&flag",
  ],
])("reads a URL as %s", (_what, url, target) => {
  expect(requestOf({ method: "GET", url }).target).toBe(target);
});

const bearer = [["Authorization", "Bearer t-alice"]];

test.each([
  ["of the collection", {}, {}, bearer],
  [
    "of the folder",
    {},
    {
      auth: {
        type: "basic",
        basic: [
          { key: "username", value: "a" },
          { key: "password", value: "b" },
        ],
      },
    },
    [["Authorization", `Basic ${btoa("a:b")}`]],
  ],
  [
    "of the request, as format 2.0 writes it",
    { auth: { type: "bearer", bearer: { token: "own" } } },
    {},
    [["Authorization", "Bearer own"]],
  ],
  ["none", { auth: { type: "noauth" } }, {}, []],
  ["inherited by null", { auth: null }, {}, bearer],
  [
    "an API key",
    {
      auth: {
        type: "apikey",
        apikey: [
          { key: "key", value: "X-Key" },
          { key: "value", value: "1" },
        ],
      },
    },
    {},
    [["X-Key", "1"]],
  ],
  [
    "OAuth",
    { auth: { type: "oauth2", oauth2: [{ key: "accessToken", value: "1" }] } },
    {},
    [["Authorization", "Bearer 1"]],
  ],
  [
    "a header of its own",
    { header: "authorization: Bearer own\nX-A: {{user}}" },
    {},
    [
      ["authorization", "Bearer own"],
      ["X-A", "alice"],
    ],
  ],
])("adds the authorization: %s", (_what, request, around, headers) => {
  expect(requestOf({ method: "GET", url: "/v2/users", ...request }, around).headers).toEqual(headers);
});

test.each([
  [
    "raw",
    { mode: "raw", raw: '{"userId":"{{user}}"}', options: { raw: { language: "json" } } },
    '{"userId":"alice"}',
    "application/json",
  ],
  ["disabled", { mode: "raw", raw: "{}", disabled: true }, "", undefined],
  [
    "a form",
    {
      mode: "urlencoded",
      urlencoded: [
        { key: "a b", value: "{{user}}" },
        { key: "off", value: "1", disabled: true },
      ],
    },
    "a+b=alice",
    "application/x-www-form-urlencoded",
  ],
  ["a form as text", { mode: "urlencoded", urlencoded: "a=1" }, "a=1", "application/x-www-form-urlencoded"],
  [
    "GraphQL",
    { mode: "graphql", graphql: { query: "{a}", variables: '{"x":1}' } },
    '{"query":"{a}","variables":{"x":1}}',
    "application/json",
  ],
])("reads a body that is %s", (_what, body, text, type) => {
  const { headers, body: read } = requestOf({ method: "POST", url: "/x", body, auth: { type: "noauth" } });
  expect([read.text(), headers.find(([name]) => name === "Content-Type")?.[1]]).toEqual([text, type]);
});

const inFile = (file: JsonObject) => ({
  info: { name: "file", schema },
  item: [
    {
      name: "create",
      request: { method: "POST", url: "http://node.example/v2/users", body: { mode: "file", file } },
      response: [{ code: 200, header: ["Content-Type: application/json", { key: "X-Two", value: "2" }], body: "{}" }],
    },
  ],
});

test("reads a body in a file whose content the collection has, and headers that are lines in a list", () => {
  const [exchange] = postmanExchanges(inFile({ content: '{"user":{}}' }));
  expect(exchange?.request.body.text()).toBe('{"user":{}}');
  expect(exchange?.response).toMatchObject({
    type: "response",
    headers: expect.arrayContaining([
      ["Content-Type", "application/json"],
      ["X-Two", "2"],
    ]),
  });
});

test("a request whose body is in another file is not checked, and its response is kept", () => {
  const [exchange] = postmanExchanges(inFile({ src: "user.json" }));
  const reason = expect.stringContaining("in a file of its own");
  expect(exchange?.response).toMatchObject({ type: "broken", reason, partial: { status: 200, bodyLength: 2 } });
});
