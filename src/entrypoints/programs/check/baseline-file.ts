import { type Baseline, type BaselineEntry, compareBaseline } from "../../../checker/reports/baseline.ts";
import { type FailOn, withFailOn } from "../../../checker/reports/gate.ts";
import type { Report } from "../../../checker/reports/report.ts";
import { isJsonObject, type Json } from "../../../foundation/json/json.ts";
import { checkSchema } from "../../../scenarios/files/check-schema.ts";
import { diskFiles } from "../../library/files.ts";
import { checkedSource } from "../files/checked-source.ts";
import type { NamedFile } from "../files/named-file.ts";
import { unreadable } from "../files/unreadable.ts";
import { isExisting } from "../files/write-whole.ts";

/** A file with the baseline in it. */
export interface BaselineFile {
  readonly file: NamedFile;
  readonly baseline: Baseline;
}

/** What fails a report, or is accepted in it, beside its rules. */
interface GateOptions {
  readonly before: BaselineFile | undefined;
  /** The baseline that the check writes. */
  readonly after?: Baseline | undefined;
  readonly failOn: readonly FailOn[];
}

/** The report with what the baseline accepts, and with what else fails it. */
export function gated(found: Report, { before, after, failOn }: GateOptions): Report {
  return withFailOn(before === undefined ? found : withBaseline(found, before, after), failOn);
}

/** Fixed findings come from the baseline before the check, accepted ones from the baseline after it. */
function withBaseline(report: Report, { file, baseline }: BaselineFile, after: Baseline = baseline): Report {
  const { accepted } = compareBaseline(file.name, after, report.summary);
  return { ...report, baseline: { ...compareBaseline(file.name, baseline, report.summary), accepted } };
}

/** The baseline in a file; undefined if the file is missing. Throws a UserError with all its problems, or if it is not readable. */
export function baselineIn(file: NamedFile): BaselineFile | undefined {
  const { name, path } = file;
  const text = diskFiles.read(path);
  if (text === undefined && isExisting(file)) throw unreadable(file);
  if (text === undefined) return undefined;
  const { value } = checkedSource((source) => checkSchema("baseline", source), name, text);
  const accepted = isJsonObject(value) && Array.isArray(value["accepted"]) ? value["accepted"] : [];
  return { file, baseline: { accepted: accepted.map(entryOf) } };
}

function entryOf(entry: Json): BaselineEntry {
  const members = isJsonObject(entry) ? entry : {};
  const { fingerprint, outcome, finding, reason } = members;
  return {
    fingerprint: String(fingerprint),
    outcome: outcome === "WARN" ? "WARN" : "FAIL",
    finding: String(finding),
    ...(typeof reason === "string" ? { reason } : {}),
  };
}
