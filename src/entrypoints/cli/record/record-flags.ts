import { limits } from "../../../foundation/limits/limits.ts";
import { defaultProfileOf } from "../../../foundation/spec/spec.ts";
import { recordingLimits } from "../../../recordings/har/recording-limits.ts";
import { clientCertificateFlags } from "../flags/client-certificate.ts";
import { allOperationsFlag, profileFlag, registryProfileFlag, strictFlag } from "../flags/profile-flags.ts";
import { hostFlag, portFlag, readyFileFlag } from "../flags/server-flags.ts";
import { timeoutFlag } from "../flags/timeout.ts";
import { booleanFlag, configFlag, type Flag, inGroup, type NamedNumber, rare, textFlag } from "../options.ts";
import { redactionFlags } from "../redaction/redaction-flags.ts";
import { reportFlags } from "../report/finish-report.ts";
import { noClientRulesFlag } from "../report/watched-client-rules.ts";
import { controlAccessFlags } from "../server/control-access.ts";
import { limitFlag } from "../server/limit-flags.ts";
import { openFlag } from "../server/open-inspector.ts";

export const timeoutSecondsDefault = 300;

/** Longest body to record. Two bodies of the largest size as base64 fit an entry that can be read again. */
export const recordedBodyLimit: NamedNumber = {
  name: "bodyBytesMax",
  unit: "bytes",
  byDefault: 8 * 1024 * 1024,
  min: 0,
  max: recordingLimits.recordedBodyBytesMax,
  quantity: "longest body to record",
};

export const recordLimitFlag: Flag = limitFlag([limits.bufferedBytesMax, recordedBodyLimit]);

/** Flags of `record`. */
export const recordFlags: readonly Flag[] = [
  ...inGroup("Recording", [
    textFlag("ledger", "URL", "forward requests to this JSON Ledger API"),
    textFlag("registry", "URL", "forward requests below /registry/ to this token registry (default: to --ledger)"),
    textFlag("out", "FILE", "write the recording to this file (HAR 1.2)"),
  ]),
  portFlag(7576),
  hostFlag,
  readyFileFlag,
  ...inGroup("Recording", [timeoutFlag(`time limit for a response of a target (default ${timeoutSecondsDefault})`)]),
  ...clientCertificateFlags,
  recordLimitFlag,
  profileFlag(`release to expect (default: ${defaultProfileOf("ledger")})`),
  registryProfileFlag,
  strictFlag,
  allOperationsFlag,
  noClientRulesFlag,
  ...inGroup("Control API and inspector", [
    booleanFlag("inspector", "serve a page that shows the traffic, on a port of its own"),
    rare(openFlag),
  ]),
  ...controlAccessFlags,
  ...redactionFlags,
  ...inGroup("Recording", [textFlag("recover", "FILE", "repair a recording after a crash")]),
  ...reportFlags,
  configFlag,
];
