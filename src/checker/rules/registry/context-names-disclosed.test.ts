import { expect, test } from "vitest";
import { exchangeOf } from "../../../../test/_example-exchange.ts";
import { loadSpec } from "../../../foundation/spec/spec.ts";
import { checkExchange } from "../../engine/checker.ts";
import { contractId, lookup, lookupResponse, otherContractId } from "../sample-bodies.ts";

const spec = loadSpec({ ledger: "canton-3.5", registry: "splice-0.7" });

test.each([
  ["a known divergence if the registry discloses another named contract", "KNOWN", [contractId, otherContractId]],
  ["a failure if the registry discloses no named contract", "FAIL", [otherContractId]],
])("an undisclosed contract is %s", (_, outcome, named) => {
  const values = Object.fromEntries(named.map((value, index) => [index, { tag: "AV_ContractId", value }]));
  const choiceContext = { choiceContextData: { values }, disclosedContracts: [{ contractId }] };
  const body = lookupResponse({}, { choiceContext });
  const verdict = checkExchange(spec, "release", exchangeOf(spec, { ...lookup, body }));
  const results = verdict.type === "unsupported" ? [] : verdict.results;
  expect(results.find(({ rule }) => rule === "context-names-disclosed")?.outcome).toBe(outcome);
});
