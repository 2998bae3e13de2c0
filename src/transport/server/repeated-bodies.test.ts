import { expect, test } from "vitest";
import { Body } from "../../foundation/http/body.ts";
import { RepeatedBodies } from "./repeated-bodies.ts";

const long = "\u00e4".repeat(5000);

test("a long text is encoded once when its body is sent again", () => {
  const bodies = new RepeatedBodies();
  const body = new Body([long, "b"]);
  expect(bodies.contentOf(body)).toBe(`${long}b`);
  const bytes = bodies.contentOf(body);
  expect(bytes).toEqual(body.bytes());
  expect(bodies.contentOf(body)).toBe(bytes);
  expect(bodies.contentOf(new Body(long))).toBe(long);
});

test.each<[string, Body]>([
  ["a short text", new Body("a")],
  ["an empty body", new Body("")],
])("%s stays a text", (_name, body) => {
  const bodies = new RepeatedBodies();
  expect([bodies.contentOf(body), bodies.contentOf(body), bodies.contentOf(body)]).toEqual(Array(3).fill(body.text()));
});

test("bytes are sent as they are", () => {
  const bytes = new Uint8Array([0xff]);
  expect(new RepeatedBodies().contentOf(new Body(bytes))).toBe(bytes);
});
