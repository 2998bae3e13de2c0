import { expect, test } from "vitest";
import { formatJson, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { createShapes } from "../../foundation/spec/shape.ts";
import { type BodyPart, CachedMembers, isRows, type ResponseBody } from "../../simulator/operations/response-body.ts";
import { RowCache } from "../../simulator/operations/row-cache.ts";
import { omitNulls } from "./omit-nulls.ts";
import { SuccessRenderer } from "./success-renderer.ts";

const gone = { type: "string" };
const user = { type: "object", properties: { id: gone, gone, next: gone, free: {}, list: { $ref: "#/list" } } };
const list = { type: "array", items: user };
const body = { type: "object", properties: { gone, next: gone, free: { type: "object" }, user, list, rows: list } };
const shape = createShapes({ body, list }).shapeAt("/body");
const row = new RowCache<object>().of({}, () => ({ id: "a" }));
const text = '{"rows":[{"id":"a"}],"inner":{"rows":[{"id":"a"}]}}';
const members = () => new CachedMembers({ rows: [row], inner: new CachedMembers({ rows: [row] }) });

test("cached members that are sent again get one response, whose text is joined", () => {
  const renderer = new SuccessRenderer();
  const cached = members();
  const first = renderer.render(cached, undefined);
  const second = renderer.render(cached, undefined);
  expect([first.body.text(), second.body.content]).toEqual([text, text]);
  expect(first.body.content).not.toBe(text);
  expect(renderer.render(cached, undefined)).toBe(second);
  expect(second.json?.()).toEqual(JSON.parse(text));
  expect(second.json?.()).toBe(first.json?.());
});

test("the text of a response is encoded once when it is sent again", () => {
  const renderer = new SuccessRenderer();
  const cached = members();
  const [first, second, third] = [1, 2, 3].map(() => renderer.render(cached, undefined).body);
  expect(second?.encoded).toEqual(first?.bytes());
  expect(first?.encoded).toBe(undefined);
  expect(third?.encoded).toBe(second?.encoded);
  expect(third?.isText).toBe(true);
});

test("members are rendered anew for another schema", () => {
  const renderer = new SuccessRenderer();
  const cached = new CachedMembers({ gone: null });
  const forms = [undefined, shape, shape, shape, undefined, undefined];
  expect(forms.map((form) => renderer.render(cached, form).body.text())).toEqual(
    forms.map((form) => (form === undefined ? '{"gone":null}' : "{}")),
  );
});

test("other members get another response, and a body without a cache is rendered each time", () => {
  const renderer = new SuccessRenderer();
  const [one, other] = [members(), members()];
  for (let times = 0; times < 3; times += 1) renderer.render(one, undefined);
  expect(renderer.render(other, undefined)).not.toBe(renderer.render(one, undefined));
  const body = { id: "b" };
  const rendered = renderer.render(body, undefined);
  expect([rendered.body.text(), rendered.json?.()]).toEqual(['{"id":"b"}', body]);
  expect(renderer.render(body, undefined)).not.toBe(rendered);
});

const rowOf = (json: JsonObject) => new RowCache<JsonObject>().of(json, (same) => same);

test.each<[string, ResponseBody]>([
  ["JSON", { user: { id: "a", gone: null, free: { gone: null } }, next: null, list: [{ gone: null }] }],
  ["a long integer", { offset: 9007199254740993n }],
  ["a list", [null, "a"]],
  ["a text", "a"],
  ["a list of rows", new CachedMembers({ rows: [rowOf({ id: "a", gone: null }), rowOf({ id: "ä" })], next: "t" })],
  ["rows deeper down", new CachedMembers({ user: new CachedMembers({ list: [rowOf({ gone: null })], next: null }) })],
  ["a list without rows", new CachedMembers({ list: [{ id: "a", gone: null }, 1n, null], next: "" })],
  ["an empty list and an empty object", new CachedMembers({ list: [], user: {}, next: new CachedMembers({}) })],
  [
    "free-form data with null in it",
    new CachedMembers({ free: { gone: null, deep: [{ gone: null }] }, unnamed: null }),
  ],
  ["names that must be escaped", new CachedMembers({ 'a"b': 1, "": "\u2028" })],
  ["a member named like the prototype", new CachedMembers({ ["__proto__"]: { ["__proto__"]: 1 } })],
])("renders %s, with and without null members, as text and as JSON for client rules", (_name, body) => {
  for (const form of [undefined, shape]) {
    const rendered = new SuccessRenderer().render(body, form);
    const json = form === undefined ? plainJson(body) : omitNulls(form, plainJson(body));
    expect(rendered.body.text()).toBe(formatJson(json));
    expect(formatJson(rendered.json?.() ?? null)).toBe(rendered.body.text());
  }
});

/** The body as JSON, before its schema omits anything. */
function plainJson(body: BodyPart): Json {
  if (body instanceof CachedMembers)
    return Object.fromEntries(Object.entries(body.members).map(([name, part]) => [name, plainJson(part)]));
  return isRows(body) ? body.map(({ json }) => json) : body;
}
