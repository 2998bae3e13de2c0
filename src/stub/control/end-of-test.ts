import type { CountedClientFinding } from "../../checker/client-rules/client-finding.ts";
import { type ClientRuleId, clientRuleIds } from "../../checker/client-rules/generated/client-rule-ids.ts";
import { createMask } from "../../foundation/secrets/mask.ts";
import { advise } from "../../foundation/text/suggestion.ts";
import type { UnusedPlannedResponse } from "../../simulator/world/world-state.ts";
import { type JournalEntry, warningOf } from "../journal/journal-entry.ts";
import { timeline, timelineLine } from "../journal/timeline.ts";

/** Checks that can fail a test whose own assertions pass. */
export interface EndOfTestOptions {
  /** Whether an unexpected request fails the test: an unknown path or method, or one that the scenario does not plan. Default: `fail`. */
  readonly onUnexpected?: "fail" | "ignore";
  /** Client findings that fail the test: errors (default), warnings as well, or none. */
  readonly clientRules?: "errors" | "warnings" | "ignore";
  /** Ids of client rules that the test may break, such as `page-tokens-from-pages`. */
  readonly allow?: readonly ClientRuleId[];
  /** Whether the test may leave planned responses unused, such as faults that no request met. Default: false. */
  readonly allowUnused?: boolean;
}

/** What a test's world received, and what its plan still holds. */
export interface TestedWorld {
  /** Whether the test has removed it. */
  readonly isClosed: boolean;
  readonly journal: readonly JournalEntry[];
  clientFindings(): readonly CountedClientFinding[];
  unusedResponses(): readonly UnusedPlannedResponse[];
}

/** Result of the checks at the end of a test. */
export interface EndOfTest {
  /** Message for the failure of the test; undefined if there are no problems. */
  readonly problems: string | undefined;
  /** Undefined if the stub received no requests. */
  readonly timeline: string | undefined;
}

/** Options as a caller without types gives them. */
interface GivenEndOptions {
  readonly onUnexpected?: string | undefined;
  readonly clientRules?: string | undefined;
  readonly allow?: readonly string[] | undefined;
  readonly allowUnused?: boolean | undefined;
}

/** The options with their defaults. Throws RangeError for an invalid one: with a misspelt value, every test would pass. */
export function endOptionsOf(options: GivenEndOptions): Required<EndOfTestOptions> {
  const { onUnexpected = "fail", clientRules = "errors", allow = [], allowUnused = false } = options;
  if (!Array.isArray(allow))
    throw new RangeError(
      `option allow: ${JSON.stringify(allow)} is not a list. Use ids of client rules, such as ["page-tokens-from-pages"].`,
    );
  if (typeof allowUnused !== "boolean")
    throw new RangeError(`option allowUnused: ${JSON.stringify(allowUnused)} is not a boolean. Use true or false.`);
  return {
    onUnexpected: oneOf("onUnexpected", onUnexpected, ["fail", "ignore"]),
    clientRules: oneOf("clientRules", clientRules, ["errors", "warnings", "ignore"]),
    allow: allow.map(knownClientRule),
    allowUnused,
  };
}

function knownClientRule(id: string): ClientRuleId {
  const found = clientRuleIds.find((known) => known === id);
  if (found !== undefined) return found;
  const advice = advise(id, clientRuleIds, "docs/reference/client-rules.md lists all.");
  throw new RangeError(`option allow: unknown client rule ${JSON.stringify(id)}. ${advice}`);
}

function oneOf<const Value extends string>(name: string, given: string, values: readonly Value[]): Value {
  const found = values.find((value) => value === given);
  if (found !== undefined) return found;
  throw new RangeError(`option ${name}: unknown value ${JSON.stringify(given)}. ${advise(String(given), values)}`);
}

/** Checks what a test's world received. Call it before removing the world; a world that the test closed has no problems. */
export function endOfTest(world: TestedWorld, options: Required<EndOfTestOptions>): EndOfTest {
  if (world.isClosed) return { problems: undefined, timeline: "No timeline: the test closed its world." };
  const { journal } = world;
  const problems = [
    ...(options.onUnexpected === "fail" ? unexpectedLines(journal) : []),
    ...(options.clientRules === "ignore" ? [] : clientFindingLines(world, options)),
    ...(options.allowUnused ? [] : unusedLines(world)),
  ];
  return {
    problems: problems.length === 0 ? undefined : problems.join("\n"),
    timeline: journal.length === 0 ? undefined : timeline(journal),
  };
}

/**
 * What a test that passes would hide, each kind once: client warnings that its options neither make problems nor ignore, and
 * warnings of responses.
 */
export function warningsOf(
  world: Pick<TestedWorld, "isClosed" | "journal" | "clientFindings">,
  { clientRules = "errors", allow = [] }: EndOfTestOptions,
): readonly string[] {
  if (world.isClosed) return [];
  const mask = createMask();
  const ofClient = (clientRules === "errors" ? world.clientFindings() : [])
    .filter(({ rule, severity }) => severity === "warning" && !allow.includes(rule))
    .map(
      ({ rule, method, path, expected, actual }) =>
        `client warning ${rule}: ${method} ${path}: expected ${expected}, actual ${actual}`,
    );
  const ofResponses = world.journal.flatMap((entry) => {
    const { method, target } = entry.request;
    const warning = warningOf(entry);
    return warning === undefined ? [] : [mask(`warning: ${method} ${target}: ${warning}`)];
  });
  return [...new Set([...ofClient, ...ofResponses])];
}

/** The problems and the timeline; empty if there are none. */
export function textOf({ problems, timeline }: EndOfTest): string {
  return [problems, timeline].filter((text) => text !== undefined).join("\n\n");
}

function unusedLines(world: TestedWorld): readonly string[] {
  const unused = world.unusedResponses();
  if (unused.length === 0) return [];
  return [
    `The test did not use ${unused.length === 1 ? "a planned response" : `${unused.length} planned responses`}:`,
    ...unused.map(({ on, nth, calls }) => {
      const received = `received ${calls === 1 ? "1 matching call" : `${calls} matching calls`}`;
      return `  ${on}: planned for call ${nth}, ${calls < nth ? received : "another planned response was given instead"}`;
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

function clientFindingLines(world: TestedWorld, { clientRules, allow }: Required<EndOfTestOptions>): readonly string[] {
  const broken = world
    .clientFindings()
    .filter(({ rule, severity }) => !allow.includes(rule) && (severity === "error" || clientRules === "warnings"));
  if (broken.length === 0) return [];
  const count = broken.length === 1 ? "1 client rule" : `${broken.length} client rules`;
  return [`The application breaks ${count}:`, ...broken.flatMap((finding) => findingLines(finding, world.journal))];
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
