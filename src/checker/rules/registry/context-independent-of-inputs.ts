import { formatJson, isJsonObject, type Json } from "../../../foundation/json/json.ts";
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
import { isSuccessfulLookup, lookupOperations, namedContracts } from "./_lookup.ts";

interface Lookup {
  /** The contract ids that the arguments pass. */
  readonly inputs: string;
  readonly context: string;
}

/** A context may change with time as rounds do; only one that changes with the inputs, and back again, depends on them. */
export const contextIndependentOfInputs: TraceRule = {
  type: "trace",
  id: "context-independent-of-inputs",
  section: "2.1",
  severity: "warning",
  summary: "The context of a lookup does not depend on the contract ids that its arguments pass.",
  operations: lookupOperations,
  assumesExclusiveUse: false,
  watch(memories) {
    const lookups = memories.map<readonly Lookup[]>();
    return {
      ends(traced) {
        if (!isSuccessfulLookup(traced) || memberAt(traced.requestJson, "choiceArguments", "transfer") === undefined)
          return notApplicable;
        const [key, now] = [otherArguments(traced), lookupOf(traced)];
        const before = lookups.get(key) ?? [];
        const last = before.at(-1);
        if (last?.inputs !== now.inputs || last.context !== now.context) lookups.set(key, [...before, now].slice(-2));
        const [first, second] = before;
        if (first === undefined || second === undefined || first.inputs === second.inputs)
          return inconclusive("the same transfer was not looked up with other inputs before");
        const isBack = first.inputs === now.inputs && first.context === now.context;
        return isBack && second.context !== now.context
          ? withFindings([
              {
                expected: "the same context for other inputs",
                actual: "another one for other inputs, and the first one again for the first inputs",
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
        name: "the same for all",
        exchanges: [example("aa", contractId), example("bb", contractId), example("aa", contractId)],
      },
      {
        name: "one that changed once",
        exchanges: [example("aa", contractId), example("bb", otherContractId), example("aa", otherContractId)],
      },
    ],
    broken: [
      {
        name: "another one for other inputs",
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

/** Without inputs and without times, which a client sets anew for each lookup. */
function otherArguments({ requestJson }: TracedExchange): string {
  const {
    requestedAt: _,
    executeBefore: __,
    inputHoldingCids: ___,
    ...transfer
  } = objectOf(memberAt(requestJson, "choiceArguments", "transfer"));
  return digestOf(formatJson([transfer, memberAt(requestJson, "excludeDebugFields") ?? null]));
}

function lookupOf({ requestJson, responseJson, disclosed }: TracedExchange): Lookup {
  const named = namedContracts(responseJson).map(({ contractId: id }) => id);
  const contracts = disclosed.map(({ contract }) => textAt(contract, "contractId") ?? "");
  return {
    inputs: digestOf(formatJson(memberAt(requestJson, "choiceArguments", "transfer", "inputHoldingCids") ?? null)),
    // Which contracts it consists of; their order means nothing.
    context: digestOf([textAt(responseJson, "factoryId") ?? "", ...named.sort(), "", ...contracts.sort()].join(" ")),
  };
}

function objectOf(value: Json | undefined): Readonly<Record<string, Json>> {
  return isJsonObject(value) ? value : {};
}
