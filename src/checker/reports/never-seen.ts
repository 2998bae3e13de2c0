import { listed } from "../../foundation/text/listed.ts";
import { alternatives } from "../../foundation/text/suggestion.ts";
import { anotherError, type CoverageReport, isCalled, type OperationCoverage } from "./coverage-report.ts";

/** An outcome that no test met, and how a test can provoke it, as two sentences. */
interface NeverSeen {
  readonly text: string;
  readonly remedy: string;
}

/** The outcomes that no test met: of the called operations, of the ledger's error codes, of the client rules; last the other operations. */
export function neverSeenIn(report: CoverageReport): readonly NeverSeen[] {
  return [
    ...report.operations.filter(({ neverSeen }) => neverSeen.length > 0).map(outcomesNeverSeen),
    ...codesNeverSeen(report),
    ...report.clientRules
      .filter(({ exercised }) => exercised === 0)
      .map(({ rule, summary }) => ({
        text: `No test exercises the client rule ${rule}.`,
        remedy: `It says: ${summary}`,
      })),
    ...report.operations
      .filter((operation) => !isCalled(operation))
      .map(({ operationId, method, path }) => ({
        text: `No test calls ${operationId}.`,
        remedy: `Its request is ${method} ${path}.`,
      })),
  ];
}

function outcomesNeverSeen({ operationId, neverSeen }: OperationCoverage): NeverSeen {
  return {
    text: `No test meets ${alternatives(neverSeen)} of ${operationId}.`,
    remedy: remedyFor(operationId, neverSeen),
  };
}

/** Prefers an error, which a fault provokes. */
function remedyFor(operationId: string, missed: readonly string[]): string {
  const error = missed.findLast((outcome) => Number(outcome) >= 400);
  if (error !== undefined) return `Try fault("${operationId}", { status: ${error} }).`;
  return missed.includes(anotherError)
    ? `Try fault("${operationId}", { error: "SERVICE_NOT_RUNNING" }).`
    : "Send a request that succeeds.";
}

/** Error codes in one line for each status. */
const codesShown = 3;

function codesNeverSeen({ errorCodes, operations }: CoverageReport): readonly NeverSeen[] {
  const called = operations.find((operation) => isCalled(operation) && operation.path.startsWith("/v2/"));
  const missed = Map.groupBy(
    errorCodes.filter(({ count }) => count === 0),
    ({ status }) => status,
  );
  return [...missed]
    .sort(([left], [right]) => left - right)
    .map(([status, codes]) => {
      const names = codes.map(({ code }) => code);
      return {
        text: `No test meets ${status} with ${listed(names, codesShown)}.`,
        remedy: `Try fault("${called?.operationId ?? "any"}", { error: "${names[0]}" }).`,
      };
    });
}
