import { expect, test } from "vitest";
import { exchangeOf } from "../../../../test/_exchange.ts";
import { loadSpec } from "../../../foundation/spec/spec.ts";
import { checkExchange } from "../../engine/checker.ts";
import { lookup } from "../sample-bodies.ts";

const spec = loadSpec({ ledger: "canton-3.5", registry: "splice-0.7" });
const valid = JSON.stringify(lookup.requestBody);

function outcome(status: number, requested: { readonly token?: string; readonly body?: string }): string | undefined {
  const { token, body = valid } = requested;
  const headers = [
    ["Content-Type", "application/json"] as const,
    ...(token === undefined ? [] : [["Authorization", `Bearer ${token}`] as const]),
  ];
  const given = { target: lookup.target, headers, body, status, responseBody: '{"error":"x"}' };
  const verdict = checkExchange(spec, "release", exchangeOf(given));
  return verdict.type === "checked"
    ? verdict.results.find(({ rule }) => rule === "documented-status")?.outcome
    : undefined;
}

test("the scan proxy may require a token and report its own failures, with or without a token", () => {
  for (const status of [500, 502, 503]) {
    expect(outcome(status, {})).toBe("KNOWN");
    expect(outcome(status, { token: "t" })).toBe("KNOWN");
  }
  expect(outcome(401, {})).toBe("KNOWN");
  expect(outcome(401, { body: "no JSON" })).toBe("KNOWN");
});

test("no divergence excuses a refused token or a server error after a malformed body", () => {
  expect(outcome(401, { token: "t" })).toBe("FAIL");
  expect(outcome(500, { token: "t", body: "no JSON" })).toBe("FAIL");
  expect(outcome(503, { body: "no JSON" })).toBe("FAIL");
});
