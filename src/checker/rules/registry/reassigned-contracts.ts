import { logicalId } from "../_vetting.ts";
import { textAt } from "../members.ts";
import type { CheckedExchange, ExchangeRule, Finding } from "../rule.ts";
import { contractId, disclosedContract, lookup, lookupRequest, lookupResponse } from "../sample-bodies.ts";
import { isSuccessfulLookup, lookupOperations } from "./_lookup.ts";

export const reassignedContracts: ExchangeRule = {
  type: "exchange",
  id: "reassigned-contracts",
  section: "2.1",
  severity: "error",
  summary:
    "A lookup that would disclose a contract on its way between synchronizers gets 409; else each contract has its current synchronizer.",
  operations: lookupOperations,
  appliesTo: (checked) =>
    isSuccessfulLookup(checked) &&
    (checked.context.contractsInFlight !== undefined || checked.context.assigned !== undefined),
  check: misplacedContracts,
  examples: {
    kept: [
      {
        ...lookup,
        name: "where it is",
        requestBody: lookupRequest,
        body: lookupResponse(),
        context: { contractsInFlight: [], assigned: { [contractId]: disclosedContract.synchronizerId } },
      },
    ],
    broken: [
      {
        ...lookup,
        name: "200 on the way",
        requestBody: lookupRequest,
        body: lookupResponse(),
        context: { contractsInFlight: [contractId] },
      },
      {
        ...lookup,
        name: "the synchronizer of before",
        requestBody: lookupRequest,
        body: lookupResponse(),
        context: { assigned: { [contractId]: "second-domain::1220ab" } },
      },
    ],
  },
};

function misplacedContracts({ disclosed, context }: CheckedExchange): readonly Finding[] {
  return disclosed.flatMap(({ contract, pointer }): readonly Finding[] => {
    const id = textAt(contract, "contractId") ?? "";
    if (context.contractsInFlight?.includes(id) === true)
      return [{ expected: "409", actual: `200, which discloses ${id}`, pointer, keyword: "in-flight" }];
    const [expected, came] = [ownMember(context.assigned, id), textAt(contract, "synchronizerId") ?? ""];
    return expected === undefined || logicalId(expected) === logicalId(came)
      ? []
      : [{ expected, actual: came, pointer: `${pointer}/synchronizerId`, keyword: "assigned" }];
  });
}

/** A target chooses its contract ids; one that is called as a member of all objects is none of ours. */
function ownMember(members: Readonly<Record<string, string>> | undefined, name: string): string | undefined {
  return members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined;
}
