import { expect, test } from "vitest";
import { formatJson } from "../../foundation/json/json.ts";
import { createShapes } from "../../foundation/spec/shape.ts";
import { CachedMembers, type UncachedBody } from "../../simulator/operations/response-body.ts";
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
  expect(second?.bytes()).toEqual(first?.bytes());
  expect(first?.bytes()).not.toBe(first?.bytes());
  expect(third?.bytes()).toBe(second?.bytes());
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

test.each<[string, UncachedBody]>([
  ["JSON", { user: { id: "a", gone: null, metadata: { gone: null } }, next: null, list: [{ gone: null }] }],
  ["a long integer", { offset: 9007199254740993n }],
  ["rows", { user: row, next: null }],
  ["rows deeper down", { user: { rows: [row], next: null } }],
  ["a list", [null, "a"]],
  ["a text", "a"],
])("sends the same of %s as is shown to client rules", (_name, body) => {
  for (const form of [undefined, shape]) {
    const rendered = new SuccessRenderer().render(body, form);
    expect(rendered.body.text()).toBe(renderBody(body, form).join(""));
    expect(formatJson(rendered.json?.() ?? null)).toBe(rendered.body.text());
  }
});
