import { formatJson, isJsonObject } from "../../../foundation/json/json.ts";
import { mayVet, unshownVetting, vettingChanging, vettingOperations, vettingRequest } from "../_vetting.ts";
import { digestOf } from "../digest.ts";
import { textAt } from "../members.ts";
import { Register } from "../register.ts";
import {
  inconclusive,
  noFindings,
  notApplicable,
  type RuleExample,
  type TracedExchange,
  type TraceRule,
  withFindings,
} from "../rule.ts";
import { vetting } from "../sample-vetting.ts";

/** The last run, if nothing has changed since. */
interface VettingRun {
  /** Digest of the request without `dryRun`. */
  readonly digest: string;
  readonly isDry: boolean;
  /** `200`, or the status with the error code. */
  readonly result: string;
}

const key = "vetting";
const unreadable = { ...failed(false), requestBody: { changes: [], dryRun: null }, body: "Invalid value for: body" };

export const dryRunRaisesErrors: TraceRule = {
  type: "trace",
  id: "dry-run-raises-errors",
  section: "4.2",
  severity: "error",
  summary: "A dry run of vetting gives the same result as a real run: the same error, or success.",
  operations: vettingChanging,
  assumesExclusiveUse: true,
  watch(memories) {
    const runs = new Register<VettingRun>(memories);
    return {
      begins(traced) {
        if (mayVet(traced)) runs.writeBegins(key);
      },
      ends(traced) {
        const run = runOf(traced);
        if (run === undefined) {
          if (mayVet(traced)) runs.writeEnds(key, traced.span, unshownVetting(traced.status));
          return notApplicable;
        }
        const before = run.isDry ? runs.expected(key, traced.span) : runs.before(key, traced.span);
        if (run.isDry) runs.seen(key, traced.span, run);
        // A real run that succeeds may make the same request mean something else.
        else
          runs.writeEnds(
            key,
            traced.span,
            run.result === "200" ? { type: "unknown" } : { type: "written", value: run },
          );
        if (before.type === "unknown") return inconclusive(before.reason);
        if (before.value.digest !== run.digest || before.value.isDry === run.isDry) return notApplicable;
        const [dry, real] = run.isDry ? [run, before.value] : [before.value, run];
        if (dry.result === real.result) return noFindings;
        const expected = `the same result for the dry run and the real run`;
        return withFindings([{ expected, actual: `dry run: ${dry.result}; real run: ${real.result}`, pointer: "" }]);
      },
    };
  },
  examples: {
    kept: [
      { name: "the same error in both runs", exchanges: [failed(true), failed(false)] },
      { name: "the error of an invalid dryRun", exchanges: [failed(true), unreadable] },
      { name: "success in both runs", exchanges: [succeeded(true), succeeded(false)] },
    ],
    broken: [
      { name: "a dry run succeeds and the real run fails", exchanges: [succeeded(true), failed(false)] },
      { name: "a dry run fails and the real run succeeds", exchanges: [failed(true), succeeded(false)] },
    ],
  },
};

/** Undefined if the response is not about vetting: a missing token, missing rights, or an unavailable server. */
function runOf(traced: TracedExchange): VettingRun | undefined {
  const { operation, status, responseJson, responseBody } = traced;
  const given = vettingRequest(traced);
  if (!vettingOperations.has(operation.operationId) || !isJsonObject(given)) return undefined;
  if (![200, 400, 404].includes(status)) return undefined;
  const { dryRun = false, ...request } = given;
  // Any other value is refused by itself.
  if (typeof dryRun !== "boolean") return undefined;
  const code = textAt(responseJson, "code") ?? /^[A-Z_]+(?=:)/.exec(responseBody.text())?.[0] ?? "";
  return {
    digest: digestOf(formatJson(request)),
    isDry: dryRun,
    result: status === 200 ? "200" : `${status} ${code}`.trim(),
  };
}

function succeeded(dryRun: boolean): Omit<RuleExample, "name"> {
  return { ...vetting, requestBody: { changes: [], dryRun }, body: "{}" };
}

function failed(dryRun: boolean): Omit<RuleExample, "name"> {
  const body = "TOPOLOGY_DEPENDENCIES_NOT_VETTED: the dependencies of a package are not vetted";
  return { ...succeeded(dryRun), status: 400, contentType: "text/plain", body };
}
