import type { Probe } from "../../probing/probe.ts";
import { tokenProbe } from "./_token-probe.ts";

export const tokenExpired: Probe = tokenProbe("token-expired", "an expired token", "expired", [
  "ledger",
  "expiredToken",
]);
