import { contextLookups } from "../../rules/context-lookups.ts";
import { listAt, textAt } from "../../rules/members.ts";
import { isBefore, notApplicable, type Span, withFindings } from "../../rules/rule.ts";
import { acceptLookup, disclosedContract } from "../../rules/sample-bodies.ts";
import { lookupExample, prepareExample, transfer } from "../_samples.ts";
import { preparation } from "../_submissions.ts";
import type { ClientRule } from "../client-rule.ts";

/** The synchronizers of a contract according to the lookups. */
interface Assignment {
  readonly synchronizerId: string;
  readonly span: Span;
  readonly before: readonly string[];
}

/** Number of former synchronizers remembered. */
const placesMax = 10;

const [a, b] = ["a::1220ab", "b::1220ab"];
const lookUp = (synchronizerId: string) => lookupExample(transfer("1.0"), { synchronizerId });
const prepared = (synchronizerId: string) =>
  prepareExample(transfer("1.0"), "YQ==", { disclosedContracts: [{ ...disclosedContract, synchronizerId }] });

/** A synchronizer from no lookup is allowed: the consumer may have reassigned the contract itself. */
export const disclosedWhereAssigned: ClientRule = {
  type: "trace",
  id: "disclosed-where-assigned",
  section: "2.1",
  severity: "warning",
  sentence: "`synchronizerId`, a required string, is the synchronizer to which the contract is assigned at present.",
  summary: "A disclosed contract has the synchronizer of the latest lookup.",
  why: "The contract has been reassigned since the older lookup. The ledger routes the transaction to a synchronizer without the contract, and the submission fails.",
  advice: "Use the complete response of the latest lookup and discard older ones.",
  operations: [...contextLookups, preparation],
  assumesExclusiveUse: true,
  watch(memories) {
    const assignments = memories.map<Assignment>();
    return {
      ends({ operation, disclosed, status, requestJson, span }) {
        if (operation.operationId !== preparation) {
          for (const { contract } of status === 200 ? disclosed : []) {
            const { contractId: id, synchronizerId } = contract;
            if (typeof id !== "string" || typeof synchronizerId !== "string" || synchronizerId === "") continue;
            const known = assignments.get(id);
            if (known !== undefined && !isBefore(known.span, span)) continue;
            assignments.set(id, { synchronizerId, span, before: placesBefore(known, synchronizerId) });
          }
          return notApplicable;
        }
        const contracts = listAt(requestJson, "disclosedContracts");
        if (contracts.length === 0) return notApplicable;
        return withFindings(
          contracts.flatMap((contract, index) => {
            const known = assignments.get(textAt(contract, "contractId") ?? "");
            const used = textAt(contract, "synchronizerId") ?? "";
            if (known === undefined || !isBefore(known.span, span) || !known.before.includes(used)) return [];
            const expected = `${known.synchronizerId}, as in the latest lookup`;
            return [{ expected, actual: used, pointer: `/disclosedContracts/${index}/synchronizerId` }];
          }),
        );
      },
    };
  },
  examples: {
    kept: [
      { name: "the synchronizer of the latest lookup", exchanges: [lookUp(a), lookUp(b), prepared(b)] },
      { name: "no synchronizer", exchanges: [lookUp(a), lookUp(b), prepared("")] },
      { name: "a registry that stops sending synchronizers", exchanges: [lookUp(a), lookUp(""), prepared(a)] },
      { name: "a contract that was reassigned back", exchanges: [lookUp(a), lookUp(b), lookUp(a), prepared(a)] },
    ],
    broken: [
      { name: "the synchronizer of an older lookup", exchanges: [lookUp(a), lookUp(b), prepared(a)] },
      {
        name: "the synchronizer before a lookup to accept",
        exchanges: [lookUp(a), acceptLookup({ synchronizerId: b }), prepared(a)],
      },
    ],
  },
};

/** The synchronizers that the contract has left, the last one first. */
function placesBefore(known: Assignment | undefined, synchronizerId: string): readonly string[] {
  if (known === undefined) return [];
  if (known.synchronizerId === synchronizerId) return known.before;
  const left = [known.synchronizerId, ...known.before];
  return left.filter((place) => place !== synchronizerId).slice(0, placesMax);
}
