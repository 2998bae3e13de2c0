import { isRedacted } from "../../rules/is-redacted.ts";
import { textAt } from "../../rules/members.ts";
import { notApplicable, withFindings } from "../../rules/rule.ts";
import { executeExample } from "../../rules/sample-submissions.ts";
import { refused } from "../_samples.ts";
import { executions, transactionExecuted } from "../_submissions.ts";
import type { ClientRule } from "../client-rule.ts";

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
    const tried = memories.map<true>();
    return {
      ends(traced) {
        const [transaction, submissionId] = [
          transactionExecuted(traced),
          textAt(traced.requestJson, "submissionId") ?? "",
        ];
        if (transaction === undefined || submissionId === "" || isRedacted(submissionId)) return notApplicable;
        const key = `${transaction} ${submissionId}`;
        const isUsed = tried.get(key) === true;
        tried.set(key, true);
        const expected = "a submission id other than that of the previous attempt";
        return withFindings(isUsed ? [{ expected, actual: submissionId, pointer: "/submissionId" }] : []);
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
