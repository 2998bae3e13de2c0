import type { CountedClientFinding } from "../../checker/client-rules/client-finding.ts";
import { clientRules as knownClientRules } from "../../checker/client-rules/index.ts";
import { advise } from "../../foundation/text/suggestion.ts";
import type { JournalEntry } from "../../stub/journal/journal-entry.ts";
import type { UnderstudyOptions } from "../library/settings.ts";
import type { Understudy } from "../library/understudy.ts";
import { timeline, timelineLine } from "./timeline.ts";

/** What may fail a test when it has ended well. */
export interface EndOfTestOptions {
  /** Whether a request that the stub did not expect fails the test: a path that there is not, or what no scenario plans. */
  readonly onUnexpected?: "fail" | "ignore";
  /** What of the client rules fails the test: broken ones that are errors (default), warnings too, or nothing. */
  readonly clientRules?: "errors" | "warnings" | "ignore";
  /** Ids of client rules that the test may break, such as `page-tokens-from-pages`. */
  readonly allow?: readonly string[];
}

/** What a stub of a test starts from, and what may fail the test. */
export type UnderstudyTestOptions = UnderstudyOptions & EndOfTestOptions;

/** What a test came to, as far as its stub knows. */
export interface EndOfTest {
  /** What the test did wrong though it ended well, as a text for its failure; undefined where there is nothing. */
  readonly problems: string | undefined;
  readonly timeline: string;
}

const endings: Readonly<Record<"onUnexpected" | "clientRules", readonly string[]>> = {
  onUnexpected: ["fail", "ignore"],
  clientRules: ["errors", "warnings", "ignore"],
};

/** Settings of the stub and those of its tests apart. Throws RangeError for what cannot be. */
export function optionsApart(options: UnderstudyTestOptions): {
  readonly started: UnderstudyOptions;
  readonly ending: Required<EndOfTestOptions>;
} {
  const { onUnexpected = "fail", clientRules = "errors", allow = [], ...started } = options;
  checkOneOf("onUnexpected", onUnexpected);
  checkOneOf("clientRules", clientRules);
  if (!Array.isArray(allow))
    throw new RangeError(`allow is ${JSON.stringify(allow)}; give a list, such as ["page-tokens-from-pages"]`);
  const known = knownClientRules.map(({ id }) => id);
  const unknown = allow.find((id) => !known.includes(id));
  if (unknown !== undefined)
    throw new RangeError(`there is no client rule ${JSON.stringify(unknown)}. ${advise(unknown, known)}`);
  return { started, ending: { onUnexpected, clientRules, allow } };
}

/** What is misspelt would let every test pass. */
function checkOneOf(name: keyof typeof endings, value: string): void {
  if (!endings[name].includes(value))
    throw new RangeError(`${name} cannot be ${JSON.stringify(value)}. ${advise(String(value), endings[name])}`);
}

/** To be called before the test's world is closed; of a world that the test has closed itself nothing is known. */
export function endOfTest(understudy: Understudy, options: Required<EndOfTestOptions>): EndOfTest {
  if (understudy.isClosed) return { problems: undefined, timeline: "The test has closed its world." };
  const { journal } = understudy;
  const problems = [
    ...(options.onUnexpected === "fail" ? unexpectedLines(journal) : []),
    ...(options.clientRules === "ignore" ? [] : clientFindingLines(understudy, options)),
  ];
  return { problems: problems.length === 0 ? undefined : problems.join("\n"), timeline: timeline(journal) };
}

function unexpectedLines(journal: readonly JournalEntry[]): readonly string[] {
  const lines = journal.flatMap((entry, index) =>
    entry.unexpected === undefined ? [] : [timelineLine(entry, index + 1)],
  );
  if (lines.length === 0) return [];
  return [
    `The test sent ${lines.length === 1 ? "a request" : `${lines.length} requests`} that nobody expected:`,
    ...lines,
  ];
}

function clientFindingLines(
  understudy: Understudy,
  { clientRules, allow }: Required<EndOfTestOptions>,
): readonly string[] {
  const broken = understudy
    .clientRules()
    .filter(({ rule, severity }) => !allow.includes(rule) && (severity === "error" || clientRules === "warnings"));
  if (broken.length === 0) return [];
  const count = broken.length === 1 ? "a client rule" : `${broken.length} client rules`;
  return [
    `The application breaks ${count}:`,
    ...broken.flatMap((finding) => findingLines(finding, understudy.journal)),
  ];
}

function findingLines(finding: CountedClientFinding, journal: readonly JournalEntry[]): readonly string[] {
  const { rule, expected, actual, pointer, section, sentence, advice, exchange, count } = finding;
  const entry = journal[exchange];
  return [
    `  ${rule}${count === 1 ? "" : `, ${count} times, first by`}`,
    ...(entry === undefined ? [] : [timelineLine(entry, exchange + 1)]),
    `        expected  ${expected}`,
    `        came      ${actual}${pointer === "" ? "" : ` at ${pointer}`}`,
    `        section   ${section} of the spec: ${sentence}`,
    `        advice    ${advice}`,
  ];
}
