import type { Probe } from "../../probing/probe.ts";
import { forLookup, lookup } from "./_lookups.ts";

export const lookupDirect: Probe = {
  id: "lookup-direct",
  summary: "Looks up a transfer to a party with a pre-approval.",
  section: "2.1",
  safety: "safe",
  needs: [...forLookup, "preapprovedReceiver"],
  reaches: ["getTransferFactory 200"],
  async run(context) {
    const receiver = context.need("preapprovedReceiver");
    await context.send(lookup(context, { receiver, excludeDebugFields: true, context: { isPreapproved: true } }));
  },
};
