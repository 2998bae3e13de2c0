import { textAt } from "../../rules/members.ts";
import { notApplicable, withFindings } from "../../rules/rule.ts";
import { executeExample } from "../../rules/sample-submissions.ts";
import { prepareExample, transfer } from "../_samples.ts";
import { executions, preparation, transactionExecuted, transactionPrepared } from "../_submissions.ts";
import type { ClientRule } from "../client-rule.ts";

const prepared = prepareExample(transfer("1.0"), "YQ==");

export const hashingSchemeAsPrepared: ClientRule = {
  type: "trace",
  id: "hashing-scheme-as-prepared",
  section: "4.2",
  severity: "error",
  sentence: "`hashingSchemeVersion`, a required string, is the version with which the hash was computed.",
  summary: "A prepared transaction is executed with the hashing scheme version of its hash.",
  why: "The node recomputes the hash with the given version. With another version no signature is valid.",
  advice: "Take `hashingSchemeVersion` from the response to the prepare request instead of a constant.",
  operations: [preparation, ...executions],
  assumesExclusiveUse: false,
  watch(memories) {
    const versions = memories.map<string>();
    return {
      ends(traced) {
        const transaction = transactionPrepared(traced);
        if (transaction !== undefined)
          versions.set(transaction, textAt(traced.responseJson, "hashingSchemeVersion") ?? "");
        const built = versions.get(transactionExecuted(traced) ?? "") ?? "";
        const actual = textAt(traced.requestJson, "hashingSchemeVersion") ?? "";
        if (built === "" || actual === "") return notApplicable;
        const expected = `${built}, as in the response to the preparation`;
        return withFindings(built === actual ? [] : [{ expected, actual, pointer: "/hashingSchemeVersion" }]);
      },
    };
  },
  examples: {
    kept: [
      { name: "the version of the response", exchanges: [prepared, executeExample("YQ==", "s")] },
      {
        name: "a request without a version",
        exchanges: [prepared, executeExample("YQ==", "s", { hashingSchemeVersion: null })],
      },
      { name: "a transaction prepared elsewhere", exchanges: [prepared, executeExample("Yg==", "s")] },
    ],
    broken: [
      {
        name: "another version",
        exchanges: [prepared, executeExample("YQ==", "s", { hashingSchemeVersion: "HASHING_SCHEME_VERSION_V3" })],
      },
    ],
  },
};
