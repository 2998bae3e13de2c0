import { isRedacted } from "../../rules/is-redacted.ts";
import { textAt } from "../../rules/members.ts";
import { type CheckedExchange, notApplicable, withFindings } from "../../rules/rule.ts";
import { executeExample } from "../../rules/sample-submissions.ts";
import { refused } from "../_samples.ts";
import { executions, transactionExecuted } from "../_submissions.ts";
import type { ClientRule } from "../client-rule.ts";

/** Whether an attempt changed the ledger, as far as its response says. */
type Effect = "known" | "unknown" | "none";

const advices: Readonly<Record<Effect, string | undefined>> = {
  known:
    "An earlier attempt succeeded, so do not send the transaction again, and do not prepare it with a new command id. Take the result of that attempt.",
  unknown:
    "The effect of the previous attempt is not known. Repeat the same prepared transaction, so that it takes effect once, with a new UUID as its submission id. 409 DUPLICATE_COMMAND then says that the previous attempt succeeded.",
  none: undefined,
};

/** A timeout or a failed server says nothing about the effect, nor does an attempt that is still in progress. */
function effectOf(traced: CheckedExchange): Effect {
  const { status, responseJson } = traced;
  if ((status >= 200 && status < 300) || isDuplicate(traced)) return "known";
  const isInFlight = textAt(responseJson, "code") === "SUBMISSION_ALREADY_IN_FLIGHT";
  return status < 200 || status >= 500 || isInFlight ? "unknown" : "none";
}

function isDuplicate({ responseJson }: CheckedExchange): boolean {
  return textAt(responseJson, "code") === "DUPLICATE_COMMAND";
}

/** The node replaces an empty id with a new one each time (Canton 3.5, JsInteractiveSubmissionService.scala). */
export const submissionIdPerAttempt: ClientRule = {
  type: "trace",
  id: "submission-id-per-attempt",
  section: "4.2",
  severity: "warning",
  sentence:
    "`submissionId`, a required string, tells completions of submissions with the same change id apart. A random UUID is usual, and each attempt has another one.",
  summary: "Each attempt to execute a prepared transaction has its own submission id.",
  why: "Completions of the attempts are indistinguishable: a late failure of the first attempt looks like a failure of the second, which may have succeeded.",
  advice: "Generate a new UUID for each request, also if a library retries it after a timeout.",
  operations: executions,
  assumesExclusiveUse: false,
  watch(memories) {
    const tried = memories.map<Effect>();
    return {
      ends(traced) {
        const [transaction, submissionId] = [
          transactionExecuted(traced),
          textAt(traced.requestJson, "submissionId") ?? "",
        ];
        if (transaction === undefined || submissionId === "" || isRedacted(submissionId)) return notApplicable;
        const key = `${transaction} ${submissionId}`;
        const earlier = tried.get(key);
        tried.set(key, earlier === "known" ? earlier : effectOf(traced));
        if (earlier === undefined) return withFindings([]);
        const advice = isDuplicate(traced) ? advices.known : advices[earlier];
        const expected = "a submission id other than that of the previous attempt";
        return withFindings([{ expected, actual: submissionId, pointer: "/submissionId", advice }]);
      },
    };
  },
  examples: {
    kept: [
      {
        name: "one id per attempt",
        exchanges: [refused(executeExample("YQ==", "s1"), "REQUEST_TIME_OUT", 504), executeExample("YQ==", "s2")],
      },
      { name: "two transactions", exchanges: [executeExample("YQ==", "s1"), executeExample("Yg==", "s1")] },
      { name: "empty ids", exchanges: [executeExample("YQ==", ""), executeExample("YQ==", "")] },
    ],
    broken: [
      {
        name: "the same id for two attempts",
        exchanges: [refused(executeExample("YQ==", "s1"), "REQUEST_TIME_OUT", 504), executeExample("YQ==", "s1")],
      },
    ],
  },
};
