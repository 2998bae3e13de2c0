import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderOf, serving, understudy } from "./_command-line.ts";

const described = `openapi: 3.0.3
info: { title: t, version: "1" }
paths:
  /v2/things/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }, { name: n, in: query, schema: { type: integer } }]
      responses: { "200": { description: d, content: { application/json: { schema: { type: object, required: [a], properties: { a: { type: integer, example: 7 } } } } } } }
  /v2/users:
    get: { responses: { "200": { description: d, content: { application/json: { schema: { type: object } } } } } }
`;

test("unknown paths get a response from the description and a header that says so; paths of the stub never do", async () => {
  const folder = folderOf({ "api.yaml": described });
  const { url } = await serving(["--openapi", "api.yaml"], { folder });
  const ask = (path: string, method = "GET") =>
    fetch(`${url}${path}`, { method, headers: { Authorization: "Bearer any" } });
  const thing = await ask("/v2/things/1");
  expect([thing.status, thing.headers.get("understudy-responded-by"), await thing.json()]).toEqual([
    200,
    "Prism, from api.yaml",
    { a: 7 },
  ]);
  const users = await ask("/v2/users");
  expect([users.headers.get("understudy-responded-by"), await users.json()]).toEqual([
    null,
    expect.objectContaining({ users: expect.anything() }),
  ]);
  const absolute = request(url, { path: `${url}/v2/users`, headers: { Authorization: "Bearer any" } });
  const [whole] = await once(absolute.end(), "response");
  expect([whole.resume().statusCode, whole.headers["understudy-responded-by"]]).toEqual([200, undefined]);
  expect((await ask("/v2/none")).status).toBe(404);
  expect((await ask("/v2/things/1", "DELETE")).status).toBe(404);
  const refused = await ask("/v2/things/1?n=x");
  expect([refused.status, refused.headers.get("understudy-responded-by")]).toEqual([422, "Prism, from api.yaml"]);
});

test.each([
  ["a missing description", "none.yaml", "File not found: none.yaml."],
  ["a file that is not a description", "other.yaml", "other.yaml is not an OpenAPI description."],
  ["a truncated description", "cut.yaml", "cut.yaml:1:10: a bracket is not closed"],
  ["references to other machines", "remote.yaml", "has references to other hosts. Bundle it into one file first."],
])("refuses %s", async (_what, file, message) => {
  const folder = folderOf({ "other.yaml": "a: 1\n", "cut.yaml": "openapi: [\n" });
  writeFileSync(
    join(folder, "remote.yaml"),
    `${described}components: { schemas: { A: { $ref: "https://example.com/a.yaml" } } }\n`,
  );
  const ran = await understudy(["serve", "--port", "0", "--openapi", file], { folder });
  expect([ran.exitCode, ran.error]).toEqual([2, expect.stringContaining(message)]);
});
