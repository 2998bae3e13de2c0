import type { Probe } from "../../probing/probe.ts";
import { tokenProbe } from "./_token-probe.ts";

export const tokenInvalid: Probe = tokenProbe("token-invalid", "an invalid token", "invalid");
