import { printable } from "../../../foundation/text/printable.ts";
import type { ClientReport, CountedClientFinding } from "../../client-rules/client-finding.ts";
import { counted, times } from "./_phrases.ts";
import { red, yellow } from "./terminal.ts";

/** What the client did, for a person at a terminal. */
export function renderClientFindings(report: ClientReport, isColoured: boolean): string {
  const { findings, dropped } = report;
  if (findings.length === 0) return "Client findings: nothing found.";
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const further = dropped === 0 ? "" : `, and ${counted(dropped, "finding")} of further kinds`;
  return [
    "Client findings:",
    ...findings.flatMap((finding) => findingLines(finding, isColoured)),
    `${counted(errors, "kind")} of error, ${counted(findings.length - errors, "kind")} of warning${further}.`,
  ].join("\n");
}

function findingLines(finding: CountedClientFinding, isColoured: boolean): readonly string[] {
  const { severity, rule, method, path, status, count, expected, actual, pointer, section, sentence, advice } = finding;
  const word = severity === "error" ? "FAIL" : "WARN";
  const mark = isColoured ? (severity === "error" ? red : yellow)(word) : word;
  const repeated = count === 1 ? "" : ` (${times(count)})`;
  return [
    `${mark} ${rule}: ${method} ${path}, ${status === 0 ? "no response" : `answered ${status}`}${repeated}`,
    `  expected  ${printable(expected)}`,
    `  came      ${printable(actual)}`,
    `  at        ${pointer === "" ? "(the request)" : printable(pointer)}`,
    `  section   ${section} of the spec: ${sentence}`,
    `  advice    ${advice}`,
  ];
}

/** One line for a finding as it happens. */
export function clientFindingsLine({
  rule,
  severity,
  method,
  path,
  expected,
  actual,
  advice,
}: CountedClientFinding): string {
  return printable(
    `client rule: ${rule} (${severity}) ${method} ${path}: came ${actual}; expected ${expected}. ${advice}`,
  );
}
