import { limits } from "../../../foundation/limits/limits.ts";
import { defaultProfileOf } from "../../../foundation/spec/spec.ts";
import { allOperationsFlag, profileFlag, registryProfileFlag, strictFlag } from "../flags/profile-flags.ts";
import { hostFlag, portFlag, readyFileFlag } from "../flags/server-flags.ts";
import { timeoutFlag } from "../flags/timeout.ts";
import { type Flag, inGroup } from "../options.ts";
import { redactionFlags } from "../redaction/redaction-flags.ts";
import { reportFlags } from "../report/finish-report.ts";
import { noClientRulesFlag } from "../report/watched-client-rules.ts";
import { controlAccessFlags } from "../server/control-access.ts";

export const timeoutSecondsDefault = 300;
export const bodyBytesMaxDefault: number = 8 * 1024 * 1024;

/** Flags of `record`. */
export const recordFlags: readonly Flag[] = [
  ...inGroup("Recording", [
    { name: "ledger", type: "string", value: "URL", help: "forward requests to this JSON Ledger API" },
    {
      name: "registry",
      type: "string",
      value: "URL",
      help: "forward requests below /registry/ to this token registry (default: to --ledger)",
    },
    { name: "out", type: "string", value: "FILE", help: "write the recording to this file (HAR 1.2)" },
  ]),
  portFlag(7576),
  hostFlag,
  readyFileFlag,
  ...inGroup("Recording", [
    timeoutFlag(`time limit for a response of a target (default ${timeoutSecondsDefault})`),
    {
      name: "body-max",
      type: "string",
      value: "BYTES",
      help: `longest body to record (default ${bodyBytesMaxDefault})`,
      isRare: true,
    },
    {
      name: limits.bufferedBytesMax.flag,
      type: "string",
      value: "BYTES",
      help: `memory for all bodies in progress; further ones are forwarded but not recorded (default ${limits.bufferedBytesMax.byDefault})`,
      isRare: true,
    },
  ]),
  profileFlag(`release to expect (default: ${defaultProfileOf("ledger")})`),
  registryProfileFlag,
  strictFlag,
  allOperationsFlag,
  noClientRulesFlag,
  ...inGroup("Control API and inspector", [
    { name: "inspector", type: "boolean", help: "serve a page that shows the traffic, on a port of its own" },
  ]),
  ...controlAccessFlags,
  ...redactionFlags,
  ...inGroup("Recording", [
    { name: "recover", type: "string", value: "FILE", help: "repair a recording after a crash" },
  ]),
  ...reportFlags,
];
