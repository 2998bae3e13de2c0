import type { Probe } from "../../probing/probe.ts";
import { forLookup, lookup } from "./_lookups.ts";

/** Some registries do not look at the instrument. */
export const lookupUnknownInstrument: Probe = {
  id: "lookup-unknown-instrument",
  summary: "Looks up the transfer of an instrument that there is not.",
  section: "4.1",
  safety: "safe",
  needs: forLookup,
  reaches: ["getTransferFactory 404", "getTransferFactory 200"],
  async run(context) {
    await context.send(lookup(context, { instrumentId: context.prefix, excludeDebugFields: true }));
  },
};
