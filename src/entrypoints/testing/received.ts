import { maskOf } from "../../checker/engine/shown-violation.ts";
import { type HeaderList, headerValues } from "../../foundation/http/header.ts";
import { type Json, parseJson } from "../../foundation/json/json.ts";
import { type Mask, plainMask } from "../../foundation/secrets/mask.ts";
import { isSecretHeader } from "../../foundation/secrets/secret-header.ts";
import { loadSpec } from "../../foundation/spec/spec.ts";
import { advise } from "../../foundation/text/suggestion.ts";
import type { JournalEntry } from "../../stub/journal/journal-entry.ts";
import type { OperationId, Understudy } from "../library/understudy.ts";
import { asWritten, differences, type ValueDifference } from "./differences.ts";
import type { MatcherResult } from "./matcher-result.ts";
import { timelineLine } from "./timeline.ts";

/** A request that a test expects; what is left out may be anything. */
export interface ExpectedRequest {
  readonly operation?: OperationId;
  readonly method?: string;
  /** Path without the query. */
  readonly path?: string | RegExp;
  /** Query parameters, by name; there may be more. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** Headers, by name in any case; there may be more. */
  readonly headers?: Readonly<Record<string, unknown>>;
  /** The body: members of objects that are left out may be anything, texts may be given as RegExp. */
  readonly body?: unknown;
  /** Status of the response that it got. */
  readonly status?: number;
  /** How many such requests there have to be; at least one when left out. */
  readonly times?: number;
}

const expectedMembers: ReadonlySet<string> = new Set([
  "operation",
  "method",
  "path",
  "query",
  "headers",
  "body",
  "status",
  "times",
]);

/** Whether a stub has received such requests; if not, the message shows the nearest one and how it differs. Throws RangeError for what no request has. */
export function toHaveReceived({ journal }: Pick<Understudy, "journal">, expected: ExpectedRequest): MatcherResult {
  checkExpected(expected, journal);
  const compared = journal.map((entry, index) => ({ entry, number: index + 1, apart: apartFrom(entry, expected) }));
  const found = compared.filter(({ apart }) => apart.length === 0);
  const { times } = expected;
  const pass = times === undefined ? found.length > 0 : found.length === times;
  return {
    pass,
    message: () => {
      const received = found.length === 0 ? "no such request" : `${found.length} of them`;
      const wanted = `${pass ? "not " : ""}to have received ${countOf(times)}\n${described(expected)}`;
      const matching = found.map(({ entry, number }) => timelineLine(entry, number));
      return [
        `expected the stub ${wanted}`,
        `It received ${received}.`,
        ...(matching.length > 0 ? matching : nearestLines(compared)),
      ].join("\n");
    },
  };
}

/** What is misspelt would be expected of no request, and no test could tell. */
function checkExpected(expected: ExpectedRequest, journal: readonly JournalEntry[]): void {
  const unknown = Object.keys(expected).find((member) => !expectedMembers.has(member));
  if (unknown !== undefined)
    throw new RangeError(
      `an expected request has no member ${JSON.stringify(unknown)}. ${advise(unknown, expectedMembers)}`,
    );
  const { operation } = expected;
  if (typeof operation !== "string" || journal.some(({ operationId }) => operationId === operation)) return;
  const { operations } = loadSpec({ ledger: "spec", registry: "spec" }, { hasAdditionalOperations: true });
  const known = operations.map(({ operationId }) => operationId);
  if (!known.includes(operation))
    throw new RangeError(`there is no operation ${JSON.stringify(operation)}. ${advise(operation, known)}`);
}

interface Compared {
  readonly entry: JournalEntry;
  readonly number: number;
  readonly apart: readonly Apart[];
}

/** A part of a request that differs from what is expected of it. */
interface Apart extends ValueDifference {
  readonly part: string;
}

function apartFrom({ request, response, operationId }: JournalEntry, expected: ExpectedRequest): readonly Apart[] {
  const [path = "", search = ""] = request.target.split(/\?(.*)/s);
  const query = Object.fromEntries(new URLSearchParams(search));
  const status = response.type === "response" ? response.status : response.kind;
  return [
    ...of("operation", expected.operation, operationId),
    ...of("method", expected.method?.toUpperCase(), request.method),
    ...of("path", expected.path, path),
    ...of("query", expected.query, query),
    ...Object.entries(expected.headers ?? {}).flatMap(([name, value]) => ofHeader(request.headers, name, value)),
    ...of("body", expected.body, bodyOf(request.body)),
    ...of("status", expected.status, status),
  ];
}

function of(part: string, expected: unknown, actual: unknown): readonly Apart[] {
  return expected === undefined ? [] : differences(expected, actual).map((difference) => ({ part, ...difference }));
}

/** A secret is compared and not shown. */
function ofHeader(headers: HeaderList, name: string, expected: unknown): readonly Apart[] {
  const actual = headerValues(headers, name)[0];
  const apart = of(`header ${name}`, expected, actual);
  if (actual === undefined || !isSecretHeader(name)) return apart;
  return apart.map((difference) => ({ ...difference, expected: "another value", actual: "[redacted]" }));
}

/** JSON as it is read, anything else as text. */
function bodyOf(body: Uint8Array): Json | undefined {
  if (body.length === 0) return undefined;
  const text = new TextDecoder().decode(body);
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** The request that differs in the fewest places; of those that are as near, the last. */
function nearestLines(compared: readonly Compared[]): readonly string[] {
  const nearest = compared.toSorted((left, right) => weight(left) - weight(right) || right.number - left.number)[0];
  if (nearest === undefined) return [];
  return [
    "The nearest is",
    timelineLine(nearest.entry, nearest.number),
    ...nearest.apart.map((apart) => apartLine(apart, maskOf(nearest.entry, plainMask))),
  ];
}

/** Whether a value is a secret may show by the name of its member alone. */
function apartLine({ part, pointer, expected, actual }: Apart, maskOfEntry: Mask): string {
  const name = `"${pointer.split("/").at(-1)}":`;
  const [wanted, came] = [expected, actual].map((value) => maskOfEntry(`${name}${value}`).slice(name.length));
  return `        ${part}${pointer === "" ? "" : ` at ${pointer}`}: expected ${wanted}, was ${came}`;
}

/** What a request is for counts more than what it says. */
function weight({ apart }: Compared): number {
  const isOther = apart.some(({ part }) => part === "operation" || part === "path");
  const isOtherMethod = apart.some(({ part }) => part === "method");
  const whollyOther = apart.filter(({ pointer }) => pointer === "").length;
  return apart.length + 5 * whollyOther + (isOther ? 1000 : 0) + (isOtherMethod ? 500 : 0);
}

function countOf(times: number | undefined): string {
  if (times === undefined) return "at least once";
  return times === 1 ? "once" : `${times} times`;
}

function described({ times: _, ...expected }: ExpectedRequest): string {
  return Object.entries(expected)
    .filter(([, value]) => value !== undefined)
    .map(([part, value]) => `        ${part}: ${plainMask(JSON.stringify(value, asWritten))}`)
    .join("\n");
}
