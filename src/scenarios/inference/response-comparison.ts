import type { FailedResponse } from "../../foundation/http/failed-response.ts";
import { mediaType } from "../../foundation/http/header.ts";
import type { Response } from "../../foundation/http/response.ts";
import { isJsonObject, type Json, type JsonObject, jsonOf } from "../../foundation/json/json.ts";
import { identifierParts, identifiersIn, keyOf } from "../../foundation/spec/name-parts.ts";
import { escapeSegment } from "../../foundation/spec/operation.ts";
import { namelessKey, rowsSortedBy } from "../../foundation/spec/unordered-lists.ts";
import { percentDecoded } from "../../foundation/text/percent-decoded.ts";
import { isTimestamp } from "../../foundation/text/timestamp.ts";

type Aspect = "response" | "status" | "media-type" | "value" | "missing" | "surplus" | "length" | "identity" | "order";

/** A difference between the responses to one step. */
export interface Difference {
  /** `identity` and `order` refer to an earlier response of the same sequence. */
  readonly aspect: Aspect;
  /** JSON pointer into the recorded response, or into the played one for a surplus member; empty for the whole response. */
  readonly pointer: string;
}

/** Members with texts for people: both responses must have them; their values are ignored. */
const prose: ReadonlySet<string> = new Set(["cause", "error", "errors", "message"]);

/** Members that identify a request in a log. */
const ignored: ReadonlySet<string> = new Set(["correlationId", "traceId"]);

/** Members whose values only the node that generated them can read. They are matched like ids. */
const opaque: ReadonlySet<string> = new Set([
  ...["createdEventBlob", "externalTransactionHash", "multiHash", "nextPageToken", "preparedTransaction"],
  ...["preparedTransactionHash", "topologyTransactions"],
]);

const offsets: ReadonlySet<string> = new Set(["completionOffset", "offset"]);

type Match = readonly [recorded: bigint, played: bigint];

/** Two values at the same place; `name` is that of the nearest enclosing member. */
interface Pair<Value extends Json = Json> {
  readonly recorded: Value;
  readonly played: Value;
  readonly name: string;
  readonly pointer: string;
  readonly isError: boolean;
  /** Whether the error's code is a sentence (Canton 3.5, JsSchema.scala). */
  readonly isLegacy: boolean;
}

/**
 * Compares a sequence of recorded responses with played ones. Generated values are matched one for one. Error texts, trace
 * and correlation ids, and headers other than the media type are ignored.
 */
export class ResponseComparison {
  readonly #played = new Map<string, string>();
  readonly #recorded = new Map<string, string>();
  readonly #offsets: Match[] = [];
  readonly #times: Match[] = [];

  /** Notes the identifiers and timestamps that both requests contain: the client chose them, so they mean the same on both sides. */
  noteRequests(recorded: { readonly target: string; readonly body: string }, played: typeof recorded): void {
    const [left, right] = [recorded, played].map(({ target, body }) => `${percentDecoded(target)} ${body}`);
    const shared = new Set(identifiersIn(right ?? ""));
    const times = [...(left ?? "").matchAll(/"([^"\\]*)"/g)].map(([, text = ""]) => text).filter(isTimestamp);
    const names = identifiersIn(left ?? "").filter((name) => shared.has(name));
    for (const name of [...names, ...times.filter((text) => right?.includes(text))])
      if (!this.#played.has(name) && !this.#recorded.has(name)) this.#bind(name, name);
  }

  /** The first difference. Of a step on the control API only the status counts. */
  difference(
    recorded: Response | FailedResponse,
    played: Response | FailedResponse,
    isControl: boolean,
  ): Difference | undefined {
    if (recorded.type === "broken" || played.type === "broken")
      return recorded.type === played.type ? undefined : different("response");
    if (recorded.status !== played.status) return different("status");
    if (isControl) return undefined;
    const type = mediaType(recorded.headers);
    if (type !== mediaType(played.headers)) return different("media-type");
    const [left, right] = [recorded.body.text(), played.body.text()];
    if (type !== "application/json") return isSameCode(left, right) ? undefined : different("value");
    const [before, after] = [jsonOf(left), jsonOf(right)];
    if (before === undefined || after === undefined) return before === after ? undefined : different("value");
    const isLegacy = isJsonObject(before) && before["errorCategory"] === -1 && before["code"] !== "NA";
    const isError = recorded.status >= 400;
    return this.#compare({ recorded: before, played: after, name: "", pointer: "", isError, isLegacy });
  }

  #compare(pair: Pair): Difference | undefined {
    const { recorded, played, name, pointer } = pair;
    if (kindOf(recorded) !== kindOf(played)) return different("value", pointer);
    if (Array.isArray(recorded) && Array.isArray(played)) return this.#compareLists({ ...pair, recorded, played });
    if (isJsonObject(recorded) && isJsonObject(played)) return this.#compareObjects({ ...pair, recorded, played });
    const aspect =
      typeof recorded === "string" && typeof played === "string"
        ? this.#textAspect(name, recorded, played)
        : this.#numberAspect(name, recorded, played);
    return aspect === undefined ? undefined : different(aspect, pointer);
  }

  #compareObjects(pair: Pair<JsonObject>): Difference | undefined {
    const { recorded, played, isError, isLegacy } = pair;
    const isContext = isError && pair.name === "context";
    for (const name of Object.keys(recorded)) {
      if (ignored.has(name)) continue;
      const pointer = `${pair.pointer}/${escapeSegment(name)}`;
      if (!Object.hasOwn(played, name)) return different("missing", pointer);
      if (isContext || (name === "code" && isError && isLegacy)) continue;
      const inner = { ...pair, recorded: recorded[name] ?? null, played: played[name] ?? null, name, pointer };
      const found = this.#compare(inner);
      if (found !== undefined) return found;
    }
    // A node may add members to an error's context (contracts/error-codes.yaml).
    const surplus = Object.keys(played).find((name) => !Object.hasOwn(recorded, name) && !ignored.has(name));
    if (surplus === undefined || isContext) return undefined;
    return different("surplus", `${pair.pointer}/${escapeSegment(surplus)}`);
  }

  #compareLists(pair: Pair<readonly Json[]>): Difference | undefined {
    const { recorded, played, name, pointer } = pair;
    if (prose.has(name)) return undefined;
    if (recorded.length !== played.length) return different("length", pointer);
    const key = namelessKey(name);
    const others = rowsSortedBy(played, key);
    for (const [place, row] of rowsSortedBy(recorded, key).entries()) {
      const other = others[place] ?? row;
      const found = this.#compare({
        ...pair,
        recorded: row.value,
        played: other.value,
        pointer: `${pointer}/${row.index}`,
      });
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #numberAspect(name: string, recorded: Json, played: Json): Aspect | undefined {
    if (offsets.has(name) && isInteger(recorded) && isInteger(played))
      return inOrder(this.#offsets, [BigInt(recorded), BigInt(played)], (left, right) => left === right)
        ? undefined
        : "order";
    return String(recorded) === String(played) ? undefined : "value";
  }

  #textAspect(name: string, recorded: string, played: string): Aspect | undefined {
    if (prose.has(name)) return undefined;
    if (opaque.has(name) && recorded !== "" && played !== "")
      return this.#bind(recorded, played) ? undefined : "identity";
    if (isTimestamp(recorded) && isTimestamp(played) && !this.#played.has(recorded)) {
      // Each side has its own clock, and neither runs backwards.
      const times = [BigInt(Date.parse(recorded)), BigInt(Date.parse(played))] as const;
      return inOrder(this.#times, times, (left, right) => left * right >= 0) ? undefined : "order";
    }
    const [left, right] = [identifierParts(recorded), identifierParts(played)];
    const isAlike = left.every(
      (part, at) => part.type === right[at]?.type && (part.type === "name" || part.text === right[at].text),
    );
    if (left.length !== right.length || !isAlike) return "value";
    const isBound = left.every((part, at) => {
      const other = right[at];
      return part.type === "text" || other?.type !== "name" || this.#bind(keyOf(part), keyOf(other));
    });
    return isBound ? undefined : "identity";
  }

  /** Matches two values. Returns whether no earlier match contradicts it. */
  #bind(recorded: string, played: string): boolean {
    if ((this.#played.get(recorded) ?? played) !== played) return false;
    if ((this.#recorded.get(played) ?? recorded) !== recorded) return false;
    this.#played.set(recorded, played);
    this.#recorded.set(played, recorded);
    return true;
  }
}

/** Adds a match, unless its order among the earlier ones is another one on the other side. */
function inOrder(
  matches: Match[],
  [recorded, played]: Match,
  isSame: (recorded: number, played: number) => boolean,
): boolean {
  const fits = matches.every(([left, right]) => isSame(order(recorded, left), order(played, right)));
  if (fits) matches.push([recorded, played]);
  return fits;
}

function order(left: bigint, right: bigint): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Texts are ignored, except for the error codes at their beginning. */
function isSameCode(recorded: string, played: string): boolean {
  const [expected, actual] = [recorded, played].map((text) => /^([A-Z][A-Z0-9_]+): /.exec(text)?.[1]);
  return expected === undefined || actual === undefined || expected === actual;
}

function isInteger(value: Json): value is number | bigint {
  return typeof value === "bigint" || Number.isSafeInteger(value);
}

function kindOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  return typeof value === "bigint" ? "number" : typeof value;
}

function different(aspect: Aspect, pointer = ""): Difference {
  return { aspect, pointer };
}
