import { logicalId } from "../_vetting.ts";
import { isSuccessfulLookup } from "../context-lookups.ts";
import { textAt } from "../members.ts";
import type { CheckedExchange, ExchangeRule, Finding } from "../rule.ts";
import { contractId, disclosedContract, lookup } from "../sample-bodies.ts";
import { lookupOperations } from "./_lookup.ts";

export const reassignedContracts: ExchangeRule = {
  type: "exchange",
  id: "reassigned-contracts",
  section: "2.1",
  severity: "error",
  summary:
    "A lookup gets 409 if it would disclose a contract that is being reassigned; otherwise each disclosed contract has its current synchronizer.",
  operations: lookupOperations,
  yieldsTo: ["synchronizer-ids"],
  appliesTo: (checked) =>
    isSuccessfulLookup(checked, lookupOperations) &&
    (checked.context.contractsInFlight !== undefined || checked.context.assigned !== undefined),
  check: misplacedContracts,
  examples: {
    kept: [
      {
        ...lookup,
        name: "the current synchronizer",
        context: { contractsInFlight: [], assigned: { [contractId]: disclosedContract.synchronizerId } },
      },
    ],
    broken: [
      { ...lookup, name: "200 during a reassignment", context: { contractsInFlight: [contractId] } },
      { ...lookup, name: "the former synchronizer", context: { assigned: { [contractId]: "second-domain::1220ab" } } },
    ],
  },
};

function misplacedContracts({ disclosed, context }: CheckedExchange): readonly Finding[] {
  return disclosed.flatMap(({ contract, pointer }): readonly Finding[] => {
    const id = textAt(contract, "contractId") ?? "";
    if (context.contractsInFlight?.includes(id) === true)
      return [{ expected: "409", actual: `200, which discloses ${id}`, pointer, keyword: "in-flight" }];
    const [expected, actual] = [ownMember(context.assigned, id), textAt(contract, "synchronizerId") ?? ""];
    return expected === undefined || logicalId(expected) === logicalId(actual)
      ? []
      : [{ expected, actual, pointer: `${pointer}/synchronizerId`, keyword: "assigned" }];
  });
}

/** Contract ids come from the target, so inherited members such as `constructor` must not match. */
function ownMember(members: Readonly<Record<string, string>> | undefined, name: string): string | undefined {
  return members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined;
}
