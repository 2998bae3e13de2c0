import type { Probe } from "../../probing/probe.ts";
import { forLookup, lookup } from "./_lookups.ts";

export const lookupSelf: Probe = {
  id: "lookup-self",
  summary: "Looks up a transfer from a party to itself.",
  section: "2.1",
  safety: "safe",
  needs: forLookup,
  reaches: ["getTransferFactory 200"],
  async run(context) {
    await context.send(lookup(context, { receiver: context.need("sender"), excludeDebugFields: true }));
  },
};
