import { isSuccessfulLookup } from "../context-lookups.ts";
import { digestOf } from "../digest.ts";
import { textAt } from "../members.ts";
import {
  type Finding,
  inconclusive,
  notApplicable,
  type TracedExchange,
  type TraceRule,
  withFindings,
} from "../rule.ts";
import { contractId, lookup, lookupResponse, otherContractId } from "../sample-bodies.ts";
import { lookupOperations, namedContracts } from "./_lookup.ts";

const rules = { values: { rules: { tag: "AV_ContractId", value: contractId } } };
const context = (choiceContextData: object) => ({ choiceContext: { choiceContextData, disclosedContracts: [] } });
const before = { ...lookup, context: { contractsInFlight: [] } };
const meanwhile = (body: string) => ({ ...before, body, context: { contractsInFlight: [contractId] } });
const conflict = { ...meanwhile('{"error":"being reassigned"}'), status: 409 };

/**
 * A registry may respond without the contract during the reassignment. A response that still refers to the contract
 * without disclosing it is unusable. A contract that was never disclosed may be visible to the client's participant.
 */
export const reassignmentIsReported: TraceRule = {
  type: "trace",
  id: "reassignment-is-reported",
  section: "7",
  severity: "error",
  summary:
    "A lookup that needs a contract that is being reassigned gets 409; the registry does not just leave the contract out.",
  operations: lookupOperations,
  assumesExclusiveUse: false,
  watch(memories) {
    const disclosedBefore = memories.map<true>();
    const disclosedFor = memories.map<readonly string[]>();
    return {
      ends(traced) {
        const inFlight = traced.context.contractsInFlight;
        if (inFlight === undefined) return notApplicable;
        // Another target may be refused for its form.
        const request = digestOf(`${traced.exchange.request.target} ${traced.requestText}`);
        // Another request may be refused for a reason of its own.
        const isLookup = lookupOperations.includes(traced.operation.operationId);
        const isRefused = isLookup && (traced.status === 400 || traced.status === 404);
        if (isRefused && disclosedFor.get(request)?.some((id) => inFlight.includes(id)) === true)
          return withFindings([{ expected: "409", actual: String(traced.status), pointer: "" }]);
        if (!isSuccessfulLookup(traced, lookupOperations)) return notApplicable;
        const disclosed = new Set(traced.disclosed.flatMap(({ contract }) => textAt(contract, "contractId") ?? []));
        for (const id of disclosed) disclosedBefore.set(id, true);
        disclosedFor.set(request, [...disclosed]);
        const left = inFlight.filter((id) => !disclosed.has(id));
        const known = left.filter((id) => disclosedBefore.get(id) === true);
        if (left.length > known.length)
          return inconclusive("no earlier lookup shows whether the registry discloses the contract");
        return left.length === 0 ? notApplicable : withFindings(known.flatMap((id) => referencesTo(id, traced)));
      },
    };
  },
  examples: {
    kept: [
      {
        name: "another contract is disclosed instead",
        exchanges: [
          before,
          meanwhile(lookupResponse({ contractId: otherContractId }, { factoryId: otherContractId, ...context({}) })),
        ],
      },
      {
        name: "an invalid request during the reassignment",
        exchanges: [before, { ...meanwhile('{"error":"invalid"}'), requestBody: {}, status: 400 }],
      },
      { name: "409 during the reassignment", exchanges: [before, conflict, before] },
    ],
    broken: [
      {
        name: "404 for a request that disclosed the contract before",
        exchanges: [before, { ...meanwhile('{"error":"not found"}'), status: 404 }],
      },
      {
        name: "a factory without its disclosed contract",
        exchanges: [before, meanwhile(lookupResponse({}, context({})))],
      },
      {
        name: "a context with the undisclosed contract",
        exchanges: [before, meanwhile(lookupResponse({}, { factoryId: otherContractId, ...context(rules) }))],
      },
    ],
  },
};

function referencesTo(contract: string, traced: TracedExchange): readonly Finding[] {
  const isFactory = textAt(traced.responseJson, "factoryId") === contract;
  const places = [
    ...(isFactory ? ["/factoryId"] : []),
    ...namedContracts(traced).flatMap((named) => (named.contractId === contract ? [named.pointer] : [])),
  ];
  return places.map((pointer) => ({
    expected: "409, since the contract is being reassigned",
    actual: `200 that refers to ${contract} without disclosing it`,
    pointer,
    keyword: "left-out",
  }));
}
