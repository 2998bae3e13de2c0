import type { Probe } from "../../probing/probe.ts";
import { forLookup, lookup } from "./_lookups.ts";
import { withUndo } from "./_undo.ts";

export const lookupPreapproval: Probe = {
  id: "lookup-preapproval",
  summary: "Looks up a transfer before, during and after a pre-approval of its receiver.",
  section: "2.1",
  safety: "writes",
  needs: [...forLookup, "createPreapproval", "archivePreapproval"],
  reaches: ["getTransferFactory 200"],
  async run(context) {
    const receiver = context.need("receiver");
    const sendLookup = (isPreapproved: boolean) =>
      context.send(lookup(context, { receiver, excludeDebugFields: true, context: { isPreapproved } }));
    await sendLookup(false);
    context.created("pre-approval of", receiver);
    const sendMeanwhile = async () => {
      await context.hook("createPreapproval", { receiver });
      await sendLookup(true);
    };
    await withUndo(sendMeanwhile, () => context.hook("archivePreapproval", { receiver }));
    context.removed("pre-approval of", receiver);
    await sendLookup(false);
  },
};
