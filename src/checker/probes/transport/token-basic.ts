import type { Probe } from "../../probing/probe.ts";
import { tokenProbe } from "./_token-probe.ts";

/** Basic credentials are not a bearer token. */
export const tokenBasic: Probe = tokenProbe("token-basic", "Basic credentials instead of a bearer token", "basic");
