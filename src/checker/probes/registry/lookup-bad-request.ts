import type { Probe } from "../../probing/probe.ts";
import { malformed } from "../_malformed.ts";
import { account, choiceArguments, withTransfer } from "./_lookups.ts";

/** Invalid requests need no existing entities. */
export const lookupBadRequest: Probe = {
  id: "lookup-bad-request",
  summary: "Sends malformed lookups, lookups without a transfer, and lookups for invalid parties.",
  section: "4.1",
  safety: "safe",
  needs: ["registry"],
  reaches: ["getTransferFactory 400"],
  async run(context) {
    const good = choiceArguments(context);
    const bodies = malformed(
      { choiceArguments: good, excludeDebugFields: true },
      { required: ["choiceArguments"], illTyped: { choiceArguments: "a transfer", excludeDebugFields: "yes" } },
    );
    const unfit = [
      {},
      withTransfer(good, { amount: "much" }),
      withTransfer(good, { requestedAt: "yesterday" }),
      withTransfer(good, { receiver: null }),
      ...["", "no namespace", "::1220ab"].map((owner) => withTransfer(good, { receiver: account(owner) })),
    ].map((given) => ({ body: { choiceArguments: given, excludeDebugFields: true } }));
    for (const body of [...bodies, ...unfit]) await context.send({ operationId: "getTransferFactory", ...body });
  },
};
