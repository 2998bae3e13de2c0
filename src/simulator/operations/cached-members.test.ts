import { expect, test } from "vitest";
import { createShapes } from "../../foundation/spec/shape.ts";
import { CachedMembers } from "./cached-members.ts";

test("renders members once for each schema in turn", () => {
  const { shapeAt } = createShapes({ components: { schemas: { a: {}, b: {} } } });
  const [one, other] = [shapeAt("/components/schemas/a"), shapeAt("/components/schemas/b")];
  const cached = new CachedMembers({ name: "page" });
  const as = (text: string) => () => ({ parts: [text], json: text });
  const sent = cached.sent(one, as("one"));
  expect(cached.sent(one, neverRequested)).toBe(sent);
  expect(cached.sent(other, as("other")).parts).toEqual(["other"]);
  expect(cached.sent(undefined, as("none")).json).toBe("none");
  expect(cached.sent(one, as("anew")).json).toBe("anew");
});

function neverRequested(): never {
  throw new Error("built twice");
}
