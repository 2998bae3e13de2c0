import { expect, test } from "vitest";
import { exchangeOf } from "../../../test/_example-exchange.ts";
import { loadSpec } from "../../foundation/spec/spec.ts";
import { checkTrace } from "../engine/checker.ts";
import type { RuleExample } from "../rules/rule.ts";
import { ledgerError } from "../rules/sample-bodies.ts";
import { grant, users } from "../rules/sample-users.ts";
import { RefusedOperations } from "./refused-operations.ts";

const spec = loadSpec({ ledger: "spec", registry: "spec" }, { hasAdditionalOperations: true });
const refusedList = { ...users, status: 503, body: ledgerError };
const refusedGrant = { ...grant, status: 404, body: ledgerError };
const { requestBody: _, ...grantWithoutBody } = refusedGrant;

function listed(...examples: readonly Example[]) {
  const refused = new RefusedOperations(spec);
  const steps = examples.map((example) => ({ exchange: exchangeOf(spec, example) }));
  checkTrace(steps, { spec, level: "spec", onVerdict: refused.add });
  return refused.list();
}

type Example = Omit<RuleExample, "name">;

const thrice = (example: Example): readonly Example[] => [example, example, example];

test("lists an operation of which three valid requests were refused and none succeeded", () => {
  expect(listed(refusedList, refusedList, { ...refusedList, status: 401 }, grant)).toEqual([
    { subject: "getV2Users", reason: "no success, only 401, 503 for 3 requests that the spec allows" },
  ]);
});

test.each<readonly [string, readonly Example[]]>([
  ["two refusals", [refusedList, refusedList]],
  ["a success before", [users, refusedList, refusedList, refusedList]],
  ["a success after", [refusedList, refusedList, refusedList, users]],
  ["requests without a required member", thrice({ ...refusedGrant, requestBody: {} })],
  ["requests without a recorded body", thrice(grantWithoutBody)],
  ["queries that are invalid", thrice({ ...refusedList, target: "/v2/users?pageSize=x" })],
  ["requests without a token", thrice({ ...refusedList, status: 401, requestHeaders: { Authorization: "" } })],
  ["an additional operation", thrice({ ...refusedList, operationId: "getV2Parties", target: "/v2/parties" })],
])("lists no operation for %s", (_, examples) => {
  expect(listed(...examples)).toEqual([]);
});

test("lists no operation that the release disables", () => {
  const disabling = loadSpec({ ledger: "canton-3.6", registry: "splice-0.7" }, { hasAdditionalOperations: true });
  const refused = new RefusedOperations(disabling);
  const vetting = {
    operationId: "postV2Package-vetting",
    target: "/v2/package-vetting",
    status: 400,
    body: ledgerError,
  };
  const change = { operation: { Vet: { value: { packages: [{ packageId: "ab" }] } } } };
  const exchange = () => ({ exchange: exchangeOf(disabling, { ...vetting, requestBody: { changes: [change] } }) });
  checkTrace([exchange(), exchange(), exchange()], { spec: disabling, onVerdict: refused.add });
  expect(refused.list()).toEqual([]);
});
