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
    const look = (isPreapproved: boolean) =>
      context.send(lookup(context, { receiver, excludeDebugFields: true, context: { isPreapproved } }));
    await look(false);
    context.created("pre-approval of", receiver);
    const meanwhile = async () => {
      await context.hook("createPreapproval", { receiver });
      await look(true);
    };
    await withUndo(meanwhile, () => context.hook("archivePreapproval", { receiver }));
    context.removed("pre-approval of", receiver);
    await look(false);
  },
};
