import { printable } from "../../../foundation/text/printable.ts";
import type { ClientReport, CountedClientFinding } from "../../client-rules/client-finding.ts";
import { explainCommand } from "../docs-links.ts";
import { counted, times } from "./_phrases.ts";
import { red, yellow } from "./terminal.ts";

/** Renders the client findings for a terminal. */
export function renderClientFindings(report: ClientReport, isColoured: boolean): string {
  const { findings, dropped } = report;
  if (findings.length === 0) return "Client findings: none.";
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const further = dropped === 0 ? "" : `, and ${counted(dropped, "finding")} of kinds beyond the limit`;
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
    `${mark} ${rule}: ${method} ${path}, ${status === 0 ? "incomplete response" : `status ${status}`}${repeated}`,
    `  expected  ${printable(expected)}`,
    `  actual    ${printable(actual)}`,
    `  at        ${pointer === "" ? "(the request)" : printable(pointer)}`,
    `  spec      §${section}: ${sentence}`,
    `  advice    ${advice}`,
    `  explain   ${explainCommand(rule)}`,
  ];
}

/** One line per finding, for live output. */
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
    `client rule: ${rule} (${severity}) ${method} ${path}: expected ${expected}; actual ${actual}. ${advice}`,
  );
}
