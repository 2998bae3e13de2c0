import type { Probe } from "../../probing/probe.ts";

export const lookupGenerated: Probe = {
  id: "lookup-generated",
  summary: "Sends generated lookups: valid ones, and invalid ones with one error each.",
  section: "4.1",
  safety: "safe",
  needs: ["registry", "generatedCalls"],
  reaches: ["getTransferFactory 400"],
  async run(context) {
    const { valid, invalid } = context.generatedCalls("registry");
    for (const call of [...valid, ...invalid]) await context.send(call);
  },
};
