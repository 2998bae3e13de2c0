import { expect, test } from "vitest";
import { Body } from "../../foundation/http/body.ts";
import { createRedactor } from "./redactor.ts";

/** Twice the length at which V8 runs out of stack for a pattern that keeps each repetition. */
const length = 10_000_000;

const units = ["A", "0", "-", "/", "+", " ", "%2525", "eyJ", "eyJ.", "eyJhIjoi", "a:", "a::", "CgMy", "00ab"];
const words = ["password", "form-data", "a-", "bearer%20", "bearer ", "\\\\", '\\"', "[", "-----BEGIN ", "token="];

test.each([...units, ...words])("redacts a text of 10 MB that repeats %j", (unit) => {
  const redactor = createRedactor();
  const text = JSON.stringify({ other: unit.repeat(Math.floor(length / unit.length)) });
  const request = { method: "GET", target: "/v2/users", headers: [], body: new Body("") };
  const response = { type: "response", status: 200, headers: [], body: new Body(text) } as const;
  const redacted = redactor.redact({ startedAt: "2026-01-01T00:00:00.000Z", durationMs: 1, request, response });
  if (redacted.response.type !== "response") throw new Error("invariant: redaction keeps the type of a response");
  expect(redactor.leaksIn(redacted.response.body.text())).toEqual([]);
});
