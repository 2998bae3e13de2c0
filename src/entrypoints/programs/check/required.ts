import { withoutSuccess } from "../../../checker/reports/gate.ts";
import { type InconclusiveRun, inconclusiveTexts, type Report } from "../../../checker/reports/report.ts";
import type { Api } from "../../../foundation/spec/contracts.ts";
import { impliedRegistryProfile, loadSpec, profileNamesOf, type Spec } from "../../../foundation/spec/spec.ts";
import type { ProgramCaller } from "../caller.ts";
import { oneOf } from "../one-of.ts";

/** Operations that must succeed. */
interface RequiredOperations {
  readonly require?: readonly string[] | undefined;
}

/** The operations that `require` names; undefined without it. `all` names those of the given APIs. */
export function requiredOf(
  { require }: RequiredOperations,
  { operations }: Spec,
  apis: ReadonlySet<Api>,
  caller: Pick<ProgramCaller, "nameOf">,
): readonly string[] | undefined {
  if (require === undefined) return undefined;
  checkKnown(require, operations, caller);
  const ofApis = operations.filter(({ isAdditional, api }) => !isAdditional && apis.has(api));
  const ids = require.flatMap((word) => (word === "all" ? ofApis.map(({ operationId }) => operationId) : [word]));
  return [...new Set(ids)];
}

/** Throws a UserError for an operation of `require` that no release has, before the release of the target is known. */
export function checkRequired({ require }: RequiredOperations, caller: Pick<ProgramCaller, "nameOf">): void {
  if (require === undefined) return;
  const specs = profileNamesOf("ledger").map((ledger) =>
    loadSpec({ ledger, registry: impliedRegistryProfile(ledger) }, { hasAdditionalOperations: true }),
  );
  checkKnown(
    require,
    specs.flatMap(({ operations }) => operations),
    caller,
  );
}

function checkKnown(
  words: readonly string[],
  operations: Spec["operations"],
  { nameOf }: Pick<ProgramCaller, "nameOf">,
): void {
  const known = ["all", ...new Set(operations.map(({ operationId }) => operationId))];
  for (const word of words) oneOf(nameOf("require"), word, known, "docs/reference/supported-endpoints.md lists them.");
}

/** Adds the operations of `require` that no exchange shows with success to the reasons why the check is incomplete. */
export function withRequired(report: Report, required: readonly string[] | undefined): Report {
  return withIncomplete(report, withoutSuccess(report.summary, required ?? []));
}

/** Adds reasons why the check is incomplete. */
export function withIncomplete(report: Report, reasons: readonly InconclusiveRun[]): Report {
  if (reasons.length === 0) return report;
  return { ...report, incomplete: [...(report.incomplete ?? []), ...inconclusiveTexts(reasons)] };
}
