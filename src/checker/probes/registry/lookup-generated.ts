import type { Probe } from "../../probing/probe.ts";

export const lookupGenerated: Probe = {
  id: "lookup-generated",
  summary: "Looks up generated transfers, and by requests in each of which one thing is wrong.",
  section: "4.1",
  safety: "safe",
  needs: ["registry", "generatedCalls"],
  reaches: ["getTransferFactory 400"],
  async run(context) {
    const { valid, invalid } = context.generatedCalls("registry");
    for (const call of [...valid, ...invalid]) await context.send(call);
  },
};
