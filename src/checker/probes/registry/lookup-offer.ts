import type { Probe } from "../../probing/probe.ts";
import { forLookup, lookup } from "./_lookups.ts";

export const lookupOffer: Probe = {
  id: "lookup-offer",
  summary: "Looks up a transfer to a party without a pre-approval, twice.",
  section: "2.1",
  safety: "safe",
  needs: forLookup,
  reaches: ["getTransferFactory 200"],
  async run(context) {
    await context.send(lookup(context, { excludeDebugFields: true }));
    await context.send(lookup(context, { excludeDebugFields: true }));
  },
};
