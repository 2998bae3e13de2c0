import type { Baseline, BaselineEntry } from "../../../checker/reports/baseline.ts";
import { isJsonObject, type Json } from "../../../foundation/json/json.ts";
import { checkSchema } from "../../../scenarios/files/check-schema.ts";
import { diskFiles } from "../../library/files.ts";
import { checkedSource } from "../files/checked-source.ts";
import type { NamedFile } from "../files/named-file.ts";
import { unreadable } from "../files/unreadable.ts";
import { isExisting } from "../files/write-whole.ts";

/** The baseline in a file; undefined if the file is missing. Throws a UserError with all its problems, or if it is not readable. */
export function readBaseline(file: NamedFile): Baseline | undefined {
  const { name, path } = file;
  const text = diskFiles.read(path);
  if (text === undefined && isExisting(file)) throw unreadable(file);
  if (text === undefined) return undefined;
  const { value } = checkedSource((source) => checkSchema("baseline", source), name, text);
  const accepted = isJsonObject(value) && Array.isArray(value["accepted"]) ? value["accepted"] : [];
  return { accepted: accepted.map(entryOf) };
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
