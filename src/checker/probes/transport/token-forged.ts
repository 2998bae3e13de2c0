import type { Probe } from "../../probing/probe.ts";
import { tokenProbe } from "./_token-probe.ts";

export const tokenForged: Probe = tokenProbe(
  "token-forged",
  "a well-formed administrator token with a foreign signature",
  "forged",
);
