import type { JsonObject } from "../../../foundation/json/json.ts";
import { optionalTextOf, textOf, withoutUndefined } from "../../../foundation/json/members.ts";
import { knownProfile } from "../../library/understudy-options.ts";
import { type CheckResult, check } from "../../programs/check.ts";
import { bounds } from "../bounds.ts";
import type { Session } from "../session.ts";
import { shownFinding } from "../shown-finding.ts";
import type { Tool } from "../tool.ts";

export const checkHar: Tool = {
  name: "check_har",
  title: "Check a HAR file",
  description:
    "Checks a recording of HTTP traffic (HAR) with a Canton node or a token registry: its responses against the spec of a release, and its requests against the client rules. Returns the verdict with one violation and one client finding of each kind. The file is only read.",
  isReadOnly: true,
  input: {
    file: {
      type: "string",
      minLength: 1,
      description: "HAR file, plain or compressed, relative to the working folder.",
    },
    profile: {
      type: "string",
      description:
        "Release of the node, such as canton-3.5. Default: the one that the recording names, else the default.",
    },
    strict: { type: "boolean", description: "Whether known divergences of the release fail. Default: false." },
  },
  required: ["file"],
  output: {
    hasPassed: { type: "boolean" },
    profile: { type: "object" },
    counts: { type: "object", description: "Exchanges by outcome." },
    violations: { type: "array", description: "Failures of the node first; explain has the rules." },
    clientFindings: { type: "array" },
    notes: { type: "array" },
  },
  run: runCheckHar,
};

async function runCheckHar(given: JsonObject, { folder }: Session): Promise<JsonObject> {
  const profile = optionalTextOf(given["profile"]);
  const file = textOf(given["file"]);
  const result = await check({
    // Standard input, which - names elsewhere, carries the messages of the assistant.
    recordings: [file === "-" ? "./-" : file],
    clientRules: true,
    strict: given["strict"] === true,
    folder,
    ...(profile === undefined ? {} : { profile: knownProfile("ledger", profile) }),
  });
  return shownResult(result);
}

function shownResult({
  hasPassed,
  summary,
  clientRules,
  profileReason,
  incomplete = [],
  notes,
}: CheckResult): JsonObject {
  const { exchanges, passed, known, warned, failed, unsupported } = summary;
  const findings = clientRules?.findings ?? [];
  const violations = summary.violations.toSorted(
    (left, right) => Number(right.outcome === "FAIL") - Number(left.outcome === "FAIL"),
  );
  const omitted = [
    ...(violations.length > bounds.kinds
      ? [`Not listed: ${violations.length - bounds.kinds} kinds of violations.`]
      : []),
    ...(findings.length > bounds.kinds
      ? [`Not listed: ${findings.length - bounds.kinds} kinds of client findings.`]
      : []),
  ];
  return {
    hasPassed,
    profile: { ...summary.profile },
    counts: { exchanges, passed, known, warned, failed, unsupported },
    violations: violations.slice(0, bounds.kinds).map(({ rule, operationId, status, outcome, ...violation }) => {
      const { count, divergence, pointer, expected, actual } = violation;
      return withoutUndefined({
        outcome,
        rule,
        divergence,
        operation: operationId,
        status,
        count,
        pointer,
        expected,
        actual,
      });
    }),
    clientFindings: findings.slice(0, bounds.kinds).map(({ operationId, count, ...finding }) => ({
      operation: operationId,
      count,
      ...shownFinding({ ...finding }),
    })),
    notes: [profileReason, ...incomplete, ...notes, ...omitted],
  };
}
