import { expect, test } from "vitest";
import type { Exchange } from "../http/exchange.ts";
import { textResponse } from "../http/response.ts";
import { loadSpec } from "../spec/spec.ts";
import { isGlobMatch } from "./_divergence-match.ts";
import { judge } from "./judge.ts";
import { renderTerminal } from "./reporters/terminal.ts";
import { Verdict } from "./verdict.ts";

const spec = loadSpec({ ledger: "canton-3.5", registry: "splice-0.7" });
const refusal =
  '{"code":"INVALID_ARGUMENT","cause":"no","correlationId":null,"traceId":"ab","context":{},"resources":[],"errorCategory":8,"grpcCodeValue":3,"retryInfo":null,"definiteAnswer":null}';

function users(status: number, body: string, target = "/v2/users"): Exchange {
  const headers = [
    ["Host", "node.example"],
    ["Authorization", "Bearer top-secret"],
  ] as const;
  return {
    startedAt: "2026-01-01T00:00:00Z",
    durationMs: 1,
    request: { method: "GET", target, headers, body: new Uint8Array() },
    answer: textResponse(status, "application/json", body),
  };
}

test("shows a known divergence at level release and fails it at level document", () => {
  const outcomes = (level: "release" | "document") => {
    const verdict = judge(spec, level, users(400, refusal));
    return verdict.type === "judged" && Object.fromEntries(verdict.results.map(({ rule, outcome }) => [rule, outcome]));
  };
  expect(outcomes("release")).toMatchObject({ "ledger-400-is-text": "KNOWN", "ledger-error-shape": "KNOWN" });
  expect(outcomes("document")).toMatchObject({ "ledger-400-is-text": "FAIL", "ledger-error-shape": "FAIL" });
});

test("never forgives in the profile of the document", () => {
  const verdict = judge(loadSpec({ ledger: "document", registry: "document" }), "release", users(400, refusal));
  expect(verdict.type === "judged" && verdict.results.find(({ rule }) => rule === "ledger-400-is-text")?.outcome).toBe(
    "FAIL",
  );
});

test("tells rule, section, pointer and a curl line without the token", () => {
  const verdict = new Verdict(spec);
  verdict.add(judge(spec, "release", users(200, '{"users":[{"id":5}]}')));
  const summary = verdict.summary();
  expect(summary.violations).toMatchObject([
    { rule: "body-schema", section: "4", pointer: "/users/0/id", actual: "5" },
  ]);
  expect(summary.violations[0]?.curl).toBe(`curl -sS -H "Authorization: Bearer $TOKEN" 'http://node.example/v2/users'`);
  expect(renderTerminal(summary, false)).toMatch(
    /FAIL body-schema: getV2Users 200\n {2}expected {2}\/users\/0\/id must be string\n {2}came {6}5/,
  );
  expect(JSON.stringify(summary)).not.toContain("top-secret");
});

test("finds the operation behind a prefix and leaves other paths outside", () => {
  expect(judge(spec, "release", users(200, '{"users":[]}', "/participant/v2/users")).type).toBe("judged");
  expect(judge(spec, "release", users(200, "{}", "/v2/version")).type).toBe("outside");
});

test("says what was never seen and which divergence nothing met", () => {
  const verdict = new Verdict(spec);
  verdict.add(judge(spec, "release", users(400, refusal)));
  const summary = verdict.summary();
  expect(summary.unseenOperations).not.toContain("getV2Users");
  expect(summary.unseenOperations).toContain("getV2Idps");
  expect(summary.unseenStatuses).toContain("getTransferFactory 409");
  expect(summary.unusedDivergences).toContain("DIV-044");
  expect(summary.knownDivergences.map(({ id }) => id)).toContain("DIV-001");
});

test.each([
  ["/users/*/metadata", "/users/0/metadata", true],
  ["/users/*/metadata", "/users/0/1/metadata", false],
  ["/**/validFrom*", "/a/b/validFromInclusive", true],
  ["/**/x", "/x", true],
  ["/a/debug*", "/a/bug", false],
])("matches the glob %s against %s: %s", (pattern, pointer, isMatch) => {
  expect(isGlobMatch(pattern.split("/"), pointer.split("/"))).toBe(isMatch);
});
