import type { Probe } from "../../probing/probe.ts";
import { asAdministrator, unknownPackage } from "../_ledger-calls.ts";
import { sendInvalid } from "./_vetted.ts";

/** Every request is an invalid dry run. */
export const vettingBadRequest: Probe = {
  id: "vetting-bad-request",
  summary: "Sends malformed vetting requests, requests without changes, and one for an invalid synchronizer.",
  section: "4.2",
  safety: "safe",
  needs: asAdministrator,
  reaches: ["postV2Package-vetting 400"],
  run: (context) => sendInvalid(context, unknownPackage(context)),
};
