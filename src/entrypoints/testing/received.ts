import { maskOf } from "../../checker/engine/shown-violation.ts";
import type { Body } from "../../foundation/http/body.ts";
import { type HeaderList, headerValues } from "../../foundation/http/header.ts";
import { type Json, parseJson } from "../../foundation/json/json.ts";
import { type Mask, plainMask } from "../../foundation/secrets/mask.ts";
import { isSecretHeader } from "../../foundation/secrets/secret-name.ts";
import { type OperationId, operationIds } from "../../foundation/spec/generated/names.ts";
import { advise } from "../../foundation/text/suggestion.ts";
import type { JournalEntry } from "../../stub/journal/journal-entry.ts";
import { timelineLine } from "../../stub/journal/timeline.ts";
import { shown } from "../library/option-checks.ts";
import type { Understudy } from "../library/understudy.ts";
import { asWritten, differences, type ValueDifference } from "./differences.ts";
import type { MatcherResult } from "./matcher-result.ts";

/** A request that a test expects. Omitted members match any value. */
export interface ExpectedRequest {
  readonly operation?: OperationId;
  readonly method?: string;
  /** Path without the query. */
  readonly path?: string | RegExp;
  /** Query parameters by name; the request may have others. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** Headers by name, in any case; the request may have others. */
  readonly headers?: Readonly<Record<string, unknown>>;
  /** The body. Objects may have other members; a RegExp matches strings. */
  readonly body?: unknown;
  /** Status of the response. */
  readonly status?: number;
  /** Number of matching requests. Default: at least one. */
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

/**
 * Checks that a stub received matching requests. If not, the message shows the nearest request and its differences. Throws
 * RangeError for an unknown member or operation.
 */
export function toHaveReceived(understudy: Pick<Understudy, "journal">, expected: ExpectedRequest): MatcherResult {
  checkStub(understudy);
  checkExpected(expected);
  const { journal } = understudy;
  const compared = journal.map((entry, index) => ({
    entry,
    number: index + 1,
    mismatches: mismatchesOf(entry, expected),
  }));
  const found = compared.filter(({ mismatches }) => mismatches.length === 0);
  const { times } = expected;
  const pass = times === undefined ? found.length > 0 : found.length === times;
  return {
    pass,
    message: () => {
      const wanted = `${wantedCount(times, pass)} with\n${described(expected)}`;
      const matching = found.map(({ entry, number }) => timelineLine(entry, number));
      return [
        `expected the stub ${wanted}`,
        found.length === 0 ? "It received none." : `It received ${found.length}:`,
        ...(matching.length > 0 ? matching : nearestLines(compared)),
      ].join("\n");
    },
  };
}

/** Refuses another value than a stub, such as its URL. */
function checkStub(received: unknown): void {
  if (typeof received === "object" && received !== null && "journal" in received) return;
  const actual = received instanceof Promise ? "a promise. Await it first, and write" : `${shown(received)}. Write`;
  throw new RangeError(
    `toHaveReceived needs the stub, but received ${actual} expect(understudy).toHaveReceived({ operation: "getV2Users" }).`,
  );
}

/** Refuses unknown members and operations: with `not` or `times: 0`, a misspelt one would always pass. */
function checkExpected(expected: ExpectedRequest): void {
  if (typeof expected !== "object" || expected === null)
    throw new RangeError(
      `expected an object such as { operation: "getV2Users" }, received ${JSON.stringify(expected)}`,
    );
  const unknown = Object.keys(expected).find((member) => !expectedMembers.has(member));
  if (unknown !== undefined)
    throw new RangeError(
      `unknown member ${JSON.stringify(unknown)} of an expected request. ${advise(unknown, expectedMembers)}`,
    );
  const { operation, method = "GET" } = expected;
  if (typeof method !== "string") throw new RangeError(`member method: ${shown(method)} is not a string. Use "GET".`);
  if (typeof operation === "string" && !operationIds.includes(operation))
    throw new RangeError(
      `unknown operation ${JSON.stringify(operation)}. ${advise(operation, operationIds, "The API descriptions in contracts/ list all.")}`,
    );
}

interface ComparedRequest {
  readonly entry: JournalEntry;
  readonly number: number;
  readonly mismatches: readonly Mismatch[];
}

/** A difference from the expected request, with the part of the request. */
interface Mismatch extends ValueDifference {
  readonly part: string;
}

function mismatchesOf(
  { request, response, operationId }: JournalEntry,
  expected: ExpectedRequest,
): readonly Mismatch[] {
  const [path = "", search = ""] = request.target.split(/\?(.*)/s);
  const query = Object.fromEntries(new URLSearchParams(search));
  const status = response.type === "response" ? response.status : response.kind;
  return [
    ...mismatchesOfPart("operation", expected.operation, operationId),
    ...mismatchesOfPart("method", expected.method?.toUpperCase(), request.method),
    ...mismatchesOfPart("path", expected.path, path),
    ...mismatchesOfPart("query", expected.query, query),
    ...Object.entries(expected.headers ?? {}).flatMap(([name, value]) =>
      headerMismatches(request.headers, name, value),
    ),
    ...mismatchesOfPart("body", expected.body, bodyOf(request.body)),
    ...mismatchesOfPart("status", expected.status, status),
  ];
}

function mismatchesOfPart(part: string, expected: unknown, actual: unknown): readonly Mismatch[] {
  return expected === undefined ? [] : differences(expected, actual).map((difference) => ({ part, ...difference }));
}

/** Compares a header. The values of secret headers are not shown. */
function headerMismatches(headers: HeaderList, name: string, expected: unknown): readonly Mismatch[] {
  const actual = headerValues(headers, name)[0];
  const mismatches = mismatchesOfPart(`header ${name}`, expected, actual);
  if (actual === undefined || !isSecretHeader(name)) return mismatches;
  return mismatches.map((difference) => ({ ...difference, expected: "another value", actual: "[redacted]" }));
}

/** The body as a JSON value, or else as text; undefined if it is empty. */
function bodyOf(body: Body): Json | undefined {
  const text = body.text();
  if (text === "") return undefined;
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** Describes the request with the fewest mismatches; of several, the latest. */
function nearestLines(compared: readonly ComparedRequest[]): readonly string[] {
  const nearest = compared.toSorted((left, right) => weight(left) - weight(right) || right.number - left.number)[0];
  if (nearest === undefined) return [];
  return [
    "The nearest request is",
    timelineLine(nearest.entry, nearest.number),
    ...nearest.mismatches.map((mismatch) => mismatchLine(mismatch, maskOf(nearest.entry, plainMask))),
  ];
}

/** Masks the values with their member name: the name alone can show that a value is a secret. */
function mismatchLine({ part, pointer, expected, actual }: Mismatch, maskOfEntry: Mask): string {
  const name = `"${pointer.split("/").at(-1)}":`;
  const [wanted, found] = [expected, actual].map((value) => maskOfEntry(`${name}${value}`).slice(name.length));
  return `        ${part}${pointer === "" ? "" : ` at ${pointer}`}: expected ${wanted}, actual ${found}`;
}

/** Distance from the expected request. Operation, path and method weigh more than values. */
function weight({ mismatches }: ComparedRequest): number {
  const isOther = mismatches.some(({ part }) => part === "operation" || part === "path");
  const isOtherMethod = mismatches.some(({ part }) => part === "method");
  const wholeParts = mismatches.filter(({ pointer }) => pointer === "").length;
  return mismatches.length + 5 * wholeParts + (isOther ? 1000 : 0) + (isOtherMethod ? 500 : 0);
}

/** The expected number of requests; the negated one after a pass, since only `not` fails then. */
function wantedCount(times: number | undefined, isNegated: boolean): string {
  if (times === undefined) return isNegated ? "to receive no request" : "to receive at least 1 request";
  return `${isNegated ? "not " : ""}to receive ${times === 1 ? "1 request" : `${times} requests`}`;
}

function described({ times: _, ...expected }: ExpectedRequest): string {
  return Object.entries(expected)
    .filter(([, value]) => value !== undefined)
    .map(([part, value]) => `        ${part}: ${plainMask(JSON.stringify(value, asWritten))}`)
    .join("\n");
}
