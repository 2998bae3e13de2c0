import type { Probe } from "../../probing/probe.ts";
import { sendVariants } from "../_variants.ts";
import { forLookup, lookup } from "./_lookups.ts";

export const lookupDebugMembers: Probe = {
  id: "lookup-debug-members",
  summary: "Looks up a transfer with debug members, without them, and with the default.",
  section: "2.1",
  safety: "safe",
  needs: forLookup,
  reaches: ["getTransferFactory 200"],
  async run(context) {
    const [byDefault, debug, excluded] = [{}, { excludeDebugFields: false }, { excludeDebugFields: true }] as const;
    await sendVariants(
      context,
      [byDefault, debug, excluded].map((requested) => lookup(context, requested)),
    );
  },
};
