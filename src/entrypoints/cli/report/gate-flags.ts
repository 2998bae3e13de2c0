import { type FailOn, failOnKinds, withoutSuccess } from "../../../checker/reports/gate.ts";
import { type InconclusiveRun, inconclusiveTexts, type Report } from "../../../checker/reports/report.ts";
import type { Api } from "../../../foundation/spec/contracts.ts";
import { impliedRegistryProfile, loadSpec, profileNamesOf, type Spec } from "../../../foundation/spec/spec.ts";
import { oneOf } from "../flags/one-of.ts";
import { type Flag, inGroup, type Options, rare, textFlag } from "../options.ts";

/** Flags that decide what else fails a check. */
export const gateFlags: readonly Flag[] = inGroup("Report", [
  textFlag("require", "ID,…", "operations that must succeed at least once; all: every operation"),
  rare(textFlag("fail-on", "KIND,…", "also fail on: skipped (probes), warning, known (divergences), drift")),
]);

/** The operations that `--require` names; undefined without the flag. `all` names those of the given APIs. */
export function requiredOf(options: Options, spec: Spec, apis: ReadonlySet<Api>): readonly string[] | undefined {
  const words = wordsOf(options.text("require"));
  if (words === undefined) return undefined;
  const known = spec.operations.map(({ operationId }) => operationId);
  const ofApis = spec.operations.filter(({ isAdditional, api }) => !isAdditional && apis.has(api));
  return [
    ...new Set(
      words.flatMap((word) =>
        word === "all"
          ? ofApis.map(({ operationId }) => operationId)
          : oneOf("require", word, ["all", ...known], "docs/reference/supported-endpoints.md lists them."),
      ),
    ),
  ];
}

/** Throws a UserError for an operation of `--require` that no release has, before the release of the target is known. */
export function checkRequired(options: Options): void {
  const words = wordsOf(options.text("require"));
  if (words === undefined) return;
  const specs = profileNamesOf("ledger").map((ledger) =>
    loadSpec({ ledger, registry: impliedRegistryProfile(ledger) }, { hasAdditionalOperations: true }),
  );
  const known = new Set(specs.flatMap(({ operations }) => operations.map(({ operationId }) => operationId)));
  for (const word of words)
    oneOf("require", word, ["all", ...known], "docs/reference/supported-endpoints.md lists them.");
}

/** The kinds that `--fail-on` names. */
export function failOnOf(options: Options): readonly FailOn[] {
  return (wordsOf(options.text("fail-on")) ?? []).map((word) => oneOf("fail-on", word, failOnKinds));
}

/** Adds the operations of `--require` that no exchange shows with success to the reasons why the check is incomplete. */
export function withRequired(report: Report, required: readonly string[] | undefined): Report {
  return withIncomplete(report, withoutSuccess(report.summary, required ?? []));
}

/** Adds reasons why the check is incomplete. */
export function withIncomplete(report: Report, reasons: readonly InconclusiveRun[]): Report {
  if (reasons.length === 0) return report;
  return { ...report, incomplete: [...(report.incomplete ?? []), ...inconclusiveTexts(reasons)] };
}

function wordsOf(text: string | undefined): readonly string[] | undefined {
  return text?.split(",").map((word) => word.trim());
}
