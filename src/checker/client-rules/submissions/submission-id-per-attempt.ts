import { isRedacted } from "../../rules/is-redacted.ts";
import { textAt } from "../../rules/members.ts";
import { notApplicable, withFindings } from "../../rules/rule.ts";
import { executeExample, refused } from "../_samples.ts";
import { executions, transactionExecuted } from "../_submissions.ts";
import type { ClientRule } from "../client-rule.ts";

/** An empty id is filled in by the node, with another one each time (Canton 3.5, JsInteractiveSubmissionService.scala). */
export const submissionIdPerAttempt: ClientRule = {
  type: "trace",
  id: "submission-id-per-attempt",
  section: "4.2",
  severity: "warning",
  sentence:
    "Distinguishes completions of different submissions with the same change ID. Typically a random UUID, and a different one for each retry.",
  summary: "Each try to execute a prepared transaction has a submission id of its own.",
  why: "Completions of the tries cannot be told apart: a late failure of the first looks like that of the second, and the second may have succeeded.",
  advice: "Make a new UUID for each request, also where a library repeats it after a time-out.",
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
        const expected = "another submission id than that of the try before";
        return withFindings(isUsed ? [{ expected, actual: submissionId, pointer: "/submissionId" }] : []);
      },
    };
  },
  examples: {
    kept: [
      {
        name: "an id for each try",
        exchanges: [refused(executeExample("YQ==", "s1"), "REQUEST_TIME_OUT", 504), executeExample("YQ==", "s2")],
      },
      { name: "two transactions", exchanges: [executeExample("YQ==", "s1"), executeExample("Yg==", "s1")] },
      { name: "ids that the node makes", exchanges: [executeExample("YQ==", ""), executeExample("YQ==", "")] },
    ],
    broken: [
      {
        name: "one id for two tries",
        exchanges: [refused(executeExample("YQ==", "s1"), "REQUEST_TIME_OUT", 504), executeExample("YQ==", "s1")],
      },
    ],
  },
};
