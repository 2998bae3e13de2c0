import { bytesToHex } from "@noble/hashes/utils.js";
import type { Probe } from "../../probing/probe.ts";
import { forLookup, lookup } from "./_lookups.ts";

/** The context should not depend on contract ids in the arguments, so that clients can fetch it in advance. */
export const lookupInputHoldings: Probe = {
  id: "lookup-input-holdings",
  summary: "Looks up the same transfer with different input holdings, and again with the first ones.",
  section: "2.1",
  safety: "safe",
  needs: forLookup,
  reaches: ["getTransferFactory 200"],
  async run(context) {
    const ids = ["one", "other"].map(
      (name) =>
        `00${bytesToHex(context.seededBytes(name))}ca121220${bytesToHex(context.seededBytes(`${name}/suffix`))}`,
    );
    for (const count of [0, 1, 0, 2, 0])
      await context.send(lookup(context, { inputHoldingCids: ids.slice(0, count), excludeDebugFields: true }));
  },
};
