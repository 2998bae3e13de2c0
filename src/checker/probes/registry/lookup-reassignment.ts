import type { Probe } from "../../probing/probe.ts";
import { forLookup, lookup } from "./_lookups.ts";
import { withUndo } from "./_undo.ts";

export const lookupReassignment: Probe = {
  id: "lookup-reassignment",
  summary: "Looks up a transfer before, during and after the reassignment of a contract that it needs.",
  section: "2.1",
  safety: "writes",
  needs: [...forLookup, "reassignable", "beginReassignment", "completeReassignment"],
  reaches: ["getTransferFactory 200", "getTransferFactory 409"],
  async run(context) {
    const { contract, to } = context.need("reassignable");
    const sendLookup = (contractsInFlight: readonly string[], assigned: Readonly<Record<string, string>> = {}) =>
      context.send(lookup(context, { excludeDebugFields: true, context: { contractsInFlight, assigned } }));
    await sendLookup([]);
    // A failed hook may still have begun the reassignment.
    context.created("reassignment of contract", `${contract} to ${to}`);
    const sendMeanwhile = async () => {
      await context.hook("beginReassignment", { contract, to });
      await sendLookup([contract]);
      await sendLookup([contract]);
    };
    await withUndo(sendMeanwhile, () => context.hook("completeReassignment", { contract, to }));
    await sendLookup([], { [contract]: to });
  },
};
