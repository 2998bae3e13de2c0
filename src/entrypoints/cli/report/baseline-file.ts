import type { Baseline, BaselineEntry } from "../../../checker/reports/baseline.ts";
import { isJsonObject, type Json } from "../../../foundation/json/json.ts";
import { checkSchema } from "../../../scenarios/files/check-schema.ts";
import { formatProblem, type Problem } from "../../../scenarios/files/problem.ts";
import { readYaml } from "../../../scenarios/files/read-yaml.ts";
import { diskFiles } from "../../library/files.ts";
import type { NamedFile } from "../files/named-file.ts";
import { unreadable } from "../files/unreadable.ts";
import { isExisting } from "../files/write-whole.ts";
import { UserError } from "../user-error.ts";

/** The baseline in a file; undefined if the file is missing. Throws a UserError with all its problems, or if it is not readable. */
export function readBaseline(file: NamedFile): Baseline | undefined {
  const { name, path } = file;
  const text = diskFiles.read(path);
  if (text === undefined && isExisting(file)) throw unreadable(file);
  if (text === undefined) return undefined;
  const result = readYaml(name, text);
  if (result.type === "invalid") throw invalid(result.problems);
  const problems = checkSchema("baseline", result.source);
  if (problems.length > 0) throw invalid(problems);
  const { value } = result.source;
  const accepted = isJsonObject(value) && Array.isArray(value["accepted"]) ? value["accepted"] : [];
  return { accepted: accepted.map(entryOf) };
}

function invalid(problems: readonly Problem[]): UserError {
  return new UserError(problems.map(formatProblem).join("\n"));
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
