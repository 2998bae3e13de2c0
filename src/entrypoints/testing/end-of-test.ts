import type { CountedClientFinding } from "../../checker/client-rules/client-finding.ts";
import { clientRules as knownClientRules } from "../../checker/client-rules/index.ts";
import { advise } from "../../foundation/text/suggestion.ts";
import type { JournalEntry } from "../../stub/journal/journal-entry.ts";
import type { Understudy } from "../library/understudy.ts";
import type { UnderstudyOptions } from "../library/understudy-options.ts";
import { timeline, timelineLine } from "./timeline.ts";

/** Checks that can fail a test whose own assertions pass. */
export interface EndOfTestOptions {
  /** Whether an unexpected request fails the test: an unknown path or method, or one that the scenario does not plan. Default: `fail`. */
  readonly onUnexpected?: "fail" | "ignore";
  /** Client findings that fail the test: errors (default), warnings as well, or none. */
  readonly clientRules?: "errors" | "warnings" | "ignore";
  /** Ids of client rules that the test may break, such as `page-tokens-from-pages`. */
  readonly allow?: readonly string[];
  /** Whether the test may leave planned responses unused, such as faults that no request met. Default: false. */
  readonly allowUnused?: boolean;
}

/** Options of the stub of a test, and of the checks at the end of the test. */
export type UnderstudyTestOptions = UnderstudyOptions & EndOfTestOptions;

/** Result of the checks at the end of a test. */
export interface EndOfTest {
  /** Message for the failure of the test; undefined if there are no problems. */
  readonly problems: string | undefined;
  /** Undefined if the stub received no requests. */
  readonly timeline: string | undefined;
}

const allowedValues: Readonly<Record<"onUnexpected" | "clientRules", readonly string[]>> = {
  onUnexpected: ["fail", "ignore"],
  clientRules: ["errors", "warnings", "ignore"],
};

/** Splits options into those of the stub and those of the end of a test. Throws RangeError for an invalid one. */
export function splitOptions(options: UnderstudyTestOptions): {
  readonly stubOptions: UnderstudyOptions;
  readonly endOptions: Required<EndOfTestOptions>;
} {
  const { onUnexpected = "fail", clientRules = "errors", allow = [], allowUnused = false, ...stubOptions } = options;
  checkOneOf("onUnexpected", onUnexpected);
  checkOneOf("clientRules", clientRules);
  if (!Array.isArray(allow))
    throw new RangeError(
      `option allow: ${JSON.stringify(allow)} is not a list. Use ids of client rules, such as ["page-tokens-from-pages"].`,
    );
  if (typeof allowUnused !== "boolean")
    throw new RangeError(`option allowUnused: ${JSON.stringify(allowUnused)} is not a boolean. Use true or false.`);
  const known = knownClientRules.map(({ id }) => id);
  const unknown = allow.find((id) => !known.includes(id));
  if (unknown !== undefined)
    throw new RangeError(
      `option allow: unknown client rule ${JSON.stringify(unknown)}. ${advise(unknown, known, "docs/client-rules.md lists all.")}`,
    );
  return { stubOptions, endOptions: { onUnexpected, clientRules, allow, allowUnused } };
}

/** Refuses unknown values: with a misspelt one, every test would pass. */
function checkOneOf(name: keyof typeof allowedValues, value: string): void {
  if (!allowedValues[name].includes(value))
    throw new RangeError(
      `option ${name}: unknown value ${JSON.stringify(value)}. ${advise(String(value), allowedValues[name])}`,
    );
}

/** Checks the journal of a test's world. Call it before closing the world; a closed world has no problems and no timeline. */
export function endOfTest(understudy: Understudy, options: Required<EndOfTestOptions>): EndOfTest {
  if (understudy.isClosed) return { problems: undefined, timeline: "No timeline: the test closed its world." };
  const { journal } = understudy;
  const problems = [
    ...(options.onUnexpected === "fail" ? unexpectedLines(journal) : []),
    ...(options.clientRules === "ignore" ? [] : clientFindingLines(understudy, options)),
    ...(options.allowUnused ? [] : unusedLines(understudy)),
  ];
  return {
    problems: problems.length === 0 ? undefined : problems.join("\n"),
    timeline: journal.length === 0 ? undefined : timeline(journal),
  };
}

/**
 * Adds the problems at the end of a test and the timeline to the error that failed it, so that the test has one failure.
 * False for an error that cannot be changed, such as a frozen one.
 */
export function addToError(error: { message: string; stack?: string | undefined }, ended: EndOfTest): boolean {
  const { message, stack } = error;
  const whole = [message, textOf(ended)].filter((text) => text !== "" && text !== undefined).join("\n\n");
  if (stack !== undefined)
    Reflect.set(
      error,
      "stack",
      stack.replace(message, () => whole),
    );
  // A definition, since the message of a DOMException, such as that of AbortSignal.timeout, has no setter.
  return Reflect.defineProperty(error, "message", { value: whole });
}

/** The problems and the timeline; empty if there are none. */
export function textOf({ problems, timeline }: EndOfTest): string {
  return [problems, timeline].filter((text) => text !== undefined).join("\n\n");
}

/** The error of a test that only fails at its end. It has no stack: no line of the test is the cause. */
export function errorOf(ended: EndOfTest): Error {
  const error = new Error(textOf(ended));
  error.stack = `${error.name}: ${error.message}`;
  return error;
}

function unusedLines(understudy: Understudy): readonly string[] {
  const unused = understudy.unusedResponses();
  if (unused.length === 0) return [];
  return [
    `The test did not use ${unused.length === 1 ? "a planned response" : `${unused.length} planned responses`}:`,
    ...unused.map(({ on, nth, calls }) => {
      const received = `received ${calls === 1 ? "1 matching call" : `${calls} matching calls`}`;
      return `  ${on}: planned for call ${nth}, ${calls < nth ? received : "replaced by a response that was planned later"}`;
    }),
    "  Send the request, remove the plan, or set the option allowUnused: true.",
  ];
}

function unexpectedLines(journal: readonly JournalEntry[]): readonly string[] {
  const lines = journal.flatMap((entry, index) =>
    entry.unexpected === undefined ? [] : [timelineLine(entry, index + 1)],
  );
  if (lines.length === 0) return [];
  return [`The test sent ${lines.length} unexpected ${lines.length === 1 ? "request" : "requests"}:`, ...lines];
}

function clientFindingLines(
  understudy: Understudy,
  { clientRules, allow }: Required<EndOfTestOptions>,
): readonly string[] {
  const broken = understudy
    .clientFindings()
    .filter(({ rule, severity }) => !allow.includes(rule) && (severity === "error" || clientRules === "warnings"));
  if (broken.length === 0) return [];
  const count = broken.length === 1 ? "1 client rule" : `${broken.length} client rules`;
  return [
    `The application breaks ${count}:`,
    ...broken.flatMap((finding) => findingLines(finding, understudy.journal)),
  ];
}

function findingLines(finding: CountedClientFinding, journal: readonly JournalEntry[]): readonly string[] {
  const { rule, expected, actual, pointer, section, sentence, advice, exchange, count } = finding;
  const entry = journal[exchange];
  return [
    `  ${rule}${count === 1 ? "" : `, ${count} times, first in`}`,
    ...(entry === undefined ? [] : [timelineLine(entry, exchange + 1)]),
    `        expected  ${expected}`,
    `        actual    ${actual}${pointer === "" ? "" : ` at ${pointer}`}`,
    `        spec §${section}  ${sentence}`,
    `        advice    ${advice}`,
  ];
}
