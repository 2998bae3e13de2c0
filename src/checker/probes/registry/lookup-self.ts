import type { Probe } from "../../probing/probe.ts";
import { asVariant } from "../_variants.ts";
import { forLookup, lookup } from "./_lookups.ts";

export const lookupSelf: Probe = {
  id: "lookup-self",
  summary: "Looks up a transfer to another party, and one from a party to itself.",
  section: "2.1",
  safety: "safe",
  needs: forLookup,
  reaches: ["getTransferFactory 200"],
  async run(context) {
    const receiver = context.need("sender");
    const { status } = await context.send(lookup(context, { excludeDebugFields: true }));
    const toItself = lookup(context, { receiver, excludeDebugFields: true });
    await context.send(status === 200 ? asVariant(toItself, "the receiver") : toItself);
  },
};
