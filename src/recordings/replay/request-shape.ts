import { headerValues, mediaType } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import { isJsonObject, type Json, jsonOf } from "../../foundation/json/json.ts";
import { fingerprintSpace, keyOf, type Name, type Part, partsOf } from "../../foundation/spec/name-parts.ts";
import { escapeSegment, type SpecOperation } from "../../foundation/spec/operation.ts";
import { routeOf, type TargetRoute } from "../../foundation/spec/route-of.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { namelessKey, rowsSortedBy } from "../../foundation/spec/unordered-lists.ts";
import { percentDecoded } from "../../foundation/text/percent-decoded.ts";
import { isTimestamp } from "../../foundation/text/timestamp.ts";
import { hashOf } from "./hash.ts";
import { type NameKinds, type NameReader, volatileSpace } from "./name-kinds.ts";

/** A relevant value of a request: its location, its text without names, and the names. */
export interface Leaf {
  readonly in: "path" | "query" | "header" | "body";
  /** JSON pointer without names. */
  readonly pointer: string;
  readonly literal: string;
  readonly names: readonly Name[];
  /** The value as it was sent. */
  readonly value: Json;
}

/** The parts of a request that determine its match in a recording. */
export interface RequestShape {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  /** The operation id; method and `path` for an unknown operation. */
  readonly operation: string;
  readonly leaves: readonly Leaf[];
  /** Hash of everything except the names. */
  readonly digest: number;
  /** Hashes of the names, in order. */
  readonly nameHashes: readonly number[];
  /** Hash of the token; 0 for none. */
  readonly token: number;
}

/** Reads the shape of requests: the operation and its members, without timestamps, signatures, trace ids and tokens. */
export class ShapeReader {
  readonly #spec: Spec;
  readonly #kinds: NameKinds;

  constructor(spec: Spec, kinds: NameKinds) {
    this.#spec = spec;
    this.#kinds = kinds;
  }

  read(request: Request): RequestShape {
    const { method } = request;
    const target = pathAndQuery(request.target);
    const route = routeOf(this.#spec, { method, target });
    const operation = route?.operation;
    const leaves = [
      ...(route === undefined ? unknownPathLeaves(target) : this.#pathLeaves(route)),
      ...this.#queryLeaves(operation, target),
      ...headerLeaves(operation, request),
      ...bodyLeaves(this.#kinds.ofRequest(operation), request.body.text()),
    ];
    const name = operation?.operationId ?? `${method} path`;
    const sorted = leaves.sort((left, right) => compareText(placeOf(left), placeOf(right)));
    const shape = sorted.map((leaf) => `${placeOf(leaf)}=${leaf.literal}`).join("\n");
    const names = sorted.flatMap((leaf) => leaf.names);
    return {
      method,
      target,
      operation: name,
      leaves: sorted,
      digest: hashOf(`${name}\n${shape}`),
      nameHashes: names.map((part) => hashOf(keyOf(part))),
      token: tokenOf(request),
    };
  }

  #pathLeaves({ operation, pathParameters }: TargetRoute): Leaf[] {
    return Object.entries(pathParameters).map(([name, value]) =>
      leafOf("path", `/${escapeSegment(name)}`, value, this.#kinds.ofParameter(operation, name)(value)),
    );
  }

  #queryLeaves(operation: SpecOperation | undefined, target: string): Leaf[] {
    const query = new URLSearchParams(queryOf(target));
    const seen = new Map<string, number>();
    return [...query].map(([name, value]) => {
      const nth = seen.get(name) ?? 0;
      seen.set(name, nth + 1);
      const parts = operation === undefined ? partsOf(value) : this.#kinds.ofParameter(operation, name)(value);
      return leafOf("query", `/${escapeSegment(name)}${nth === 0 ? "" : `/${nth}`}`, value, parts);
    });
  }
}

/** Path and query of a target or URL. */
export function pathAndQuery(target: string): string {
  const rest = target.replace(/^https?:\/\/[^/?#]*/i, "").replace(/#.*/s, "");
  return rest.startsWith("/") ? rest : `/${rest}`;
}

export function pathOf(target: string): string {
  return target.split("?", 1)[0] ?? "";
}

export function queryOf(target: string): string {
  const at = target.indexOf("?");
  return at < 0 ? "" : target.slice(at + 1);
}

/** Leaves for the path segments of an unknown operation. */
function unknownPathLeaves(target: string): Leaf[] {
  return pathOf(target)
    .split("/")
    .slice(1)
    .map((segment, index) => {
      const text = percentDecoded(segment);
      return leafOf("path", `/${index}`, text, partsOf(text));
    });
}

/** Leaves for the headers that affect a response: the media type (registry only), and an Accept header without JSON. */
function headerLeaves(operation: SpecOperation | undefined, { headers, body }: Request): Leaf[] {
  const leaves: Leaf[] = [];
  const type = mediaType(headers);
  if (operation?.api === "registry" && body.storedLength > 0 && type !== undefined)
    leaves.push(leafOf("header", "/content-type", type, [{ type: "text", text: type }]));
  const accept = headerValues(headers, "accept").join(", ");
  if (accept !== "" && !/\*\/\*|application\/(?:\*|json)/i.test(accept))
    leaves.push(leafOf("header", "/accept", accept, [{ type: "text", text: accept }]));
  return leaves;
}

function tokenOf({ headers }: Request): number {
  const value = headerValues(headers, "authorization")[0];
  return value === undefined ? 0 : hashOf(value.replace(/^bearer\s+/i, "")) || 1;
}

/** Leaves of the body; a body that is not JSON is one leaf, compared exactly. */
function bodyLeaves(read: NameReader, text: string): Leaf[] {
  if (text === "") return [];
  const json = jsonOf(text);
  if (json === undefined)
    return [{ in: "body", pointer: "", literal: `text ${hashOf(text)} ${text.length}`, names: [], value: text }];
  const leaves: Leaf[] = [];
  collect({ value: json, path: [], pointer: "" }, read, leaves);
  return leaves;
}

interface Spot {
  readonly value: Json;
  readonly path: readonly string[];
  readonly pointer: string;
}

function collect({ value, path, pointer }: Spot, read: NameReader, leaves: Leaf[]): void {
  if (Array.isArray(value) && value.length > 0) {
    const rows = rowsSortedBy(value, namelessKey(path.at(-1) ?? ""));
    for (const [index, row] of rows.entries())
      collect({ value: row.value, path: [...path, "*"], pointer: `${pointer}/${index}` }, read, leaves);
  } else if (isJsonObject(value) && Object.keys(value).length > 0)
    for (const [member, inner] of Object.entries(value)) {
      const parts = partsOf(member);
      const at = `${pointer}/${escapeSegment(literalOf(parts))}`;
      if (parts.some(({ type }) => type === "name")) leaves.push(leafOf("body", at, member, parts));
      collect({ value: inner, path: [...path, member], pointer: at }, read, leaves);
    }
  else if (typeof value === "string") leaves.push(textLeaf(value, path, pointer, read));
  else {
    const literal = typeof value === "object" && value !== null ? (Array.isArray(value) ? "[]" : "{}") : String(value);
    leaves.push({ in: "body", pointer, literal, names: [], value });
  }
}

function textLeaf(text: string, path: readonly string[], pointer: string, read: NameReader): Leaf {
  const parts = isTimestamp(text) ? [{ type: "name", space: volatileSpace, text } as const] : read(text, path);
  return leafOf("body", pointer, text, parts);
}

function leafOf(place: Leaf["in"], pointer: string, text: string, parts: readonly Part[]): Leaf {
  const names = parts.filter((part): part is Name => part.type === "name" && part.space !== volatileSpace);
  return { in: place, pointer, literal: JSON.stringify(literalOf(parts)), names, value: text };
}

/** Encloses the space of a name that replaces the name in a literal. */
export const nameMark = "\u0001";

/** A text with each name replaced by its space. The pseudonym of a fingerprint in another form is in hex digits. */
function literalOf(parts: readonly Part[]): string {
  return parts
    .map((part) =>
      part.type === "text" ? part.text : `${nameMark}${part.space === fingerprintSpace ? "" : part.space}${nameMark}`,
    )
    .join("");
}

function placeOf(leaf: Leaf): string {
  return `${leaf.in} ${leaf.pointer}`;
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
