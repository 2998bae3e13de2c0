import { expect, test } from "vitest";
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
  const [first, second, ...others] = postmanExchanges(collection);
  expect(others).toEqual([]);
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
  expect(second?.response).toMatchObject({ status: 400, headers: [] });
});

test("uses the request of the item for an example without one, a plain URL included", () => {
  const item = [{ request: "{{ledger}}/v2/idps", response: [{ code: 200 }] }];
  expect(postmanExchanges({ info: { schema }, item })[0]?.request).toMatchObject({ method: "GET", target: "/v2/idps" });
});

test("limits the depth of folders", () => {
  let item: object = { response: [{ code: 200 }] };
  for (let depth = 0; depth < 60; depth += 1) item = { item: [item] };
  expect(postmanExchanges({ info: { schema }, item: [JSON.parse(JSON.stringify(item))] })).toEqual([]);
});
