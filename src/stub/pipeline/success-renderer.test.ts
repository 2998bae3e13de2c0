import { expect, test } from "vitest";
import { CachedMembers } from "../../simulator/operations/cached-members.ts";
import { RowCache } from "../../simulator/operations/row-cache.ts";
import { SuccessRenderer } from "./success-renderer.ts";

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
