import { expect, test } from "vitest";
import { exchangeOf } from "../../../../../test/_exchange.ts";
import { groupsMax, MigrationFindings } from "./findings.ts";
import type { PlayedRequest, ResponseSummary } from "./played-request.ts";
import { migrationOf } from "./releases.ts";

const migration = migrationOf({ name: "canton-3.5", reason: "" }, { name: "canton-3.6", reason: "" });
const summary = (text: string): ResponseSummary => ({ status: 200, code: "", text });

/** A request to a path of its own that gets another response of the later release. */
function different(number: number): PlayedRequest {
  const target = `/v2/unknown-${number}`;
  const exchange = exchangeOf({ method: "GET", target });
  const difference = { aspect: "value", pointer: "/a", oracle: 1, target: 2, clash: undefined } as const;
  return {
    sent: {
      type: "different",
      number,
      method: "GET",
      target,
      operationId: undefined,
      hasOverlapped: false,
      differences: [difference],
      request: exchange.request,
      api: "ledger",
      after: [],
    },
    exchange,
    path: target,
    recorded: summary("1"),
    before: summary("1"),
    after: summary("2"),
  };
}

/** A request that is not sent, for a reason of its own. */
function unsent(number: number): PlayedRequest {
  const played = different(number);
  const { method, target, hasOverlapped } = played.sent;
  const sent = { type: "not-sent", number, method, target, hasOverlapped, reason: `${number}` } as const;
  return { ...played, sent: { ...sent, operationId: "getV2Users" }, before: undefined, after: undefined };
}

test("counts the requests of causes and of reasons beyond the limit", () => {
  const findings = new MigrationFindings(migration);
  const numbers = Array.from({ length: groupsMax + 3 }, (_, index) => index + 1);
  for (const number of numbers) findings.add(different(number));
  for (const number of numbers) findings.add(unsent(number));
  const result = findings.result();
  const requests = result.findings.reduce((sum, finding) => sum + finding.requests, 0);
  expect([requests, result.findings.at(-1)]).toMatchObject([
    groupsMax + 3,
    { effect: "changes", cause: "causes beyond the first 1000", requests: 3, example: { exchange: groupsMax + 1 } },
  ]);
  expect(result.inconclusive.at(-1)).toMatchObject({ reason: "reasons beyond the first 1000", requests: 3 });
});
