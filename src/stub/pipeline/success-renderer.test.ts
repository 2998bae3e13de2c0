import { expect, test } from "vitest";
import { formatJson } from "../../foundation/json/json.ts";
import { createShapes } from "../../foundation/spec/shape.ts";
import { CachedMembers } from "../../simulator/operations/cached-members.ts";
import type { UncachedBody } from "../../simulator/operations/response-body.ts";
import { RowCache } from "../../simulator/operations/row-cache.ts";
import { renderBody } from "./render-body.ts";
import { SuccessRenderer } from "./success-renderer.ts";

const named = { type: "object", properties: { gone: { type: "string" }, next: { type: "string" } } };
const shape = createShapes({ body: { type: "object", properties: { ...named.properties, user: named } } }).shapeAt(
  "/body",
);
const row = new RowCache<object>().of({}, () => ({ id: "a" }));
const text = '{"rows":[{"id":"a"}],"inner":{"rows":[{"id":"a"}]}}';
const members = () => new CachedMembers({ rows: [row], inner: { rows: [row] } });

test("cached members that are sent again get one response, whose text is joined", () => {
  const renderer = new SuccessRenderer();
  const cached = members();
  const first = renderer.render(cached, undefined);
  const second = renderer.render(cached, undefined);
  expect([first.response.body.text(), second.response.body.content]).toEqual([text, [text]]);
  expect(first.response.body.content).not.toHaveLength(1);
  expect(renderer.render(cached, undefined)).toBe(second);
  expect(second.json()).toEqual(JSON.parse(text));
  expect(second.json()).toBe(first.json());
});

test("other members get another response, and a body without a cache is rendered each time", () => {
  const renderer = new SuccessRenderer();
  const [one, other] = [members(), members()];
  for (let times = 0; times < 3; times += 1) renderer.render(one, undefined);
  expect(renderer.render(other, undefined).response).not.toBe(renderer.render(one, undefined).response);
  const body = { id: "b" };
  const rendered = renderer.render(body, undefined);
  expect([rendered.response.body.text(), rendered.json()]).toEqual(['{"id":"b"}', body]);
  expect(renderer.render(body, undefined).response).not.toBe(rendered.response);
});

test.each<[string, UncachedBody]>([
  ["JSON", { user: { id: "a", gone: null, metadata: { gone: null } }, next: null, list: [{ gone: null }] }],
  ["a long integer", { offset: 9007199254740993n }],
  ["rows", { user: row, next: null }],
  ["rows deeper down", { user: { rows: [row], next: null } }],
  ["a list", [null, "a"]],
  ["a text", "a"],
])("sends the same of %s as is shown to client rules", (_name, body) => {
  for (const form of [undefined, shape]) {
    const { response, json } = new SuccessRenderer().render(body, form);
    expect(response.body.text()).toBe(renderBody(body, form).join(""));
    expect(formatJson(json())).toBe(response.body.text());
  }
});
