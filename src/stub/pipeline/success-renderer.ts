import { Body } from "../../foundation/http/body.ts";
import { jsonResponse, type Response } from "../../foundation/http/response.ts";
import { formatJson, type Json, type JsonObject } from "../../foundation/json/json.ts";
import type { Shape } from "../../foundation/spec/shape.ts";
import { GenerationCache } from "../../foundation/text/generation-cache.ts";
import { type BodyPart, CachedMembers, isRows, type ResponseBody } from "../../simulator/operations/response-body.ts";
import type { CachedRow } from "../../simulator/operations/row-cache.ts";
import { omitNulls } from "./omit-nulls.ts";

/** A response with what the stub knows about the exchange. */
export interface RenderedResponse extends Response {
  /** Gives the JSON that the response sends. */
  readonly json?: () => Json;
  /** Whether the body of the request exceeds a limit; then nothing else reads it. */
  readonly isBodyUnread?: boolean;
}

/** The response of cached members in the form of a schema. */
interface KnownResponse {
  readonly shape: Shape | undefined;
  readonly response: RenderedResponse;
  readonly isRepeated: boolean;
}

/** Maximum responses, and characters of their texts, in one generation of the cache. */
const responsesMax = 100;
const charactersMax: number = 4 * 1024 * 1024;

/** Renders the responses of successful operations. Requests that get the same cached members get the same response. */
export class SuccessRenderer {
  readonly #known = new GenerationCache<CachedMembers, KnownResponse>(
    { entriesMax: responsesMax, sizeMax: charactersMax },
    ({ response }) => response.body.storedLength,
  );

  /** The response in the form of a schema. */
  render(body: ResponseBody, shape: Shape | undefined): RenderedResponse {
    if (body instanceof CachedMembers) return this.#ofCached(body, shape);
    const json = shown(shape, body);
    return { ...jsonResponse(200, [formatJson(json)]), json: () => json };
  }

  /** Members that are sent once share the texts of their rows. If they are sent again, their text is joined, encoded and kept. */
  #ofCached(cached: CachedMembers, shape: Shape | undefined): RenderedResponse {
    const known = this.#known.get(cached);
    const before = known?.shape === shape ? known : undefined;
    if (before?.isRepeated === true) return before.response;
    const response = before === undefined ? sentOnce(cached, shape) : sentAgain(before.response);
    this.#known.set(cached, { shape, response, isRepeated: before !== undefined });
    return response;
  }
}

function sentOnce(cached: CachedMembers, shape: Shape | undefined): RenderedResponse {
  const parts: string[] = [];
  const json = writeMembers(cached, shape, parts);
  return { ...jsonResponse(200, parts), json: () => json };
}

function sentAgain(response: RenderedResponse): RenderedResponse {
  const { body } = response;
  return { ...response, body: new Body(body.text(), body.bytes()) };
}

/** Writes the text of members in consecutive parts, and returns their JSON. The texts and JSON of rows are used without a copy. */
function writeMembers({ members }: CachedMembers, shape: Shape | undefined, parts: string[]): JsonObject {
  const kept: [string, Json][] = [];
  let separator = "{";
  for (const [name, part] of Object.entries(members)) {
    const inner = shape?.properties.get(name);
    if (part === null && inner !== undefined) continue;
    parts.push(`${separator}${JSON.stringify(name)}:`);
    separator = ",";
    kept.push([name, writePart(part, inner, parts)]);
  }
  parts.push(separator === "{" ? "{}" : "}");
  return Object.fromEntries(kept);
}

function writePart(part: BodyPart, shape: Shape | undefined, parts: string[]): Json {
  if (part instanceof CachedMembers) return writeMembers(part, shape, parts);
  if (isRows(part)) return writeRows(part, shape?.items, parts);
  const json = shown(shape, part);
  parts.push(formatJson(json));
  return json;
}

function writeRows(rows: readonly CachedRow[], shape: Shape | undefined, parts: string[]): readonly Json[] {
  let separator = "[";
  const list = rows.map((row) => {
    const { text, json } = row.sent(shape, shown);
    parts.push(separator, text);
    separator = ",";
    return json;
  });
  parts.push("]");
  return list;
}

/** JSON without the null members that a shape names. */
function shown(shape: Shape | undefined, json: Json): Json {
  return shape === undefined ? json : omitNulls(shape, json);
}
