import type { Probe } from "../../probing/probe.ts";
import { forLookup, lookup } from "./_lookups.ts";

/** Some registries ignore the instrument. */
export const lookupUnknownInstrument: Probe = {
  id: "lookup-unknown-instrument",
  summary: "Looks up a transfer of an unknown instrument.",
  section: "4.1",
  safety: "safe",
  needs: forLookup,
  reaches: ["getTransferFactory 404", "getTransferFactory 200"],
  async run(context) {
    await context.send(lookup(context, { instrumentId: context.prefix, excludeDebugFields: true }));
  },
};
