import { formatJson } from "../../../foundation/json/json.ts";
import { objectOf } from "../../../foundation/json/members.ts";
import { memoize } from "../../../foundation/text/memoize.ts";
import { isSuccessfulLookup } from "../context-lookups.ts";
import { digestOf } from "../digest.ts";
import { memberAt, textAt } from "../members.ts";
import {
  inconclusive,
  noFindings,
  notApplicable,
  type RuleExample,
  type TracedExchange,
  type TraceRule,
  withFindings,
} from "../rule.ts";
import { contractId, lookup, lookupResponse, otherContractId, transferRequest } from "../sample-bodies.ts";
import { lookupOperations, namedContracts } from "./_lookup.ts";

interface Lookup {
  /** The contract ids in the arguments. */
  readonly inputs: string;
  readonly context: string;
}

/**
 * A context may change over time, for example with rounds. Only a context that changes with the inputs and changes back
 * depends on them.
 */
export const contextIndependentOfInputs: TraceRule = {
  type: "trace",
  id: "context-independent-of-inputs",
  section: "2.1",
  severity: "warning",
  summary: "The context of a lookup does not depend on the contract ids in its arguments.",
  operations: lookupOperations,
  assumesExclusiveUse: false,
  watch(memories) {
    const lookups = memories.map<readonly Lookup[]>();
    // Many lookups have the same inputs, and the same context.
    const digest = memoize(digestOf);
    return {
      ends(traced) {
        if (
          !isSuccessfulLookup(traced, lookupOperations) ||
          memberAt(traced.requestJson, "choiceArguments", "transfer") === undefined
        )
          return notApplicable;
        const [key, now] = [otherArguments(traced), lookupOf(traced, digest)];
        const before = lookups.get(key) ?? [];
        const last = before.at(-1);
        if (last?.inputs !== now.inputs || last.context !== now.context) lookups.set(key, [...before, now].slice(-2));
        const [first, second] = before;
        if (first === undefined || second === undefined || first.inputs === second.inputs)
          return inconclusive("no earlier lookup of the same transfer has other inputs");
        const isBack = first.inputs === now.inputs && first.context === now.context;
        return isBack && second.context !== now.context
          ? withFindings([
              {
                expected: "the same context whatever the inputs",
                actual: "another context for other inputs, and the first one again for the first inputs",
                pointer: "/choiceContext",
              },
            ])
          : noFindings;
      },
    };
  },
  examples: {
    kept: [
      {
        name: "the same context for all inputs",
        exchanges: [example("aa", contractId), example("bb", contractId), example("aa", contractId)],
      },
      {
        name: "a context that changes once",
        exchanges: [example("aa", contractId), example("bb", otherContractId), example("aa", otherContractId)],
      },
    ],
    broken: [
      {
        name: "a context that changes with the inputs",
        exchanges: [example("aa", contractId), example("bb", otherContractId), example("aa", contractId)],
      },
    ],
  },
};

function example(input: string, named: string): Omit<RuleExample, "name"> {
  const values = { rules: { tag: "AV_ContractId", value: named } };
  return {
    ...lookup,
    requestBody: transferRequest("alice::1220ab", "bob::1220ab", [input]),
    body: lookupResponse({}, { choiceContext: { choiceContextData: { values }, disclosedContracts: [] } }),
  };
}

/** The arguments without inputs and without times, which clients set anew for each lookup. */
function otherArguments({ requestJson }: TracedExchange): string {
  const {
    requestedAt: _,
    executeBefore: __,
    inputHoldingCids: ___,
    ...transfer
  } = objectOf(memberAt(requestJson, "choiceArguments", "transfer"));
  return digestOf(formatJson([transfer, memberAt(requestJson, "excludeDebugFields") ?? null]));
}

function lookupOf(traced: TracedExchange, digest: (text: string) => string): Lookup {
  const { requestJson, responseJson, disclosed } = traced;
  const named = namedContracts(traced).map(({ contractId: id }) => id);
  const contracts = disclosed.map(({ contract }) => textAt(contract, "contractId") ?? "");
  return {
    inputs: digest(formatJson(memberAt(requestJson, "choiceArguments", "transfer", "inputHoldingCids") ?? null)),
    // The contracts of the context; their order does not matter.
    context: digest([textAt(responseJson, "factoryId") ?? "", ...named.sort(), "", ...contracts.sort()].join(" ")),
  };
}
