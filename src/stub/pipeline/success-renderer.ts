import { Body } from "../../foundation/http/body.ts";
import { jsonResponse, type Response } from "../../foundation/http/response.ts";
import { formatJson, type Json } from "../../foundation/json/json.ts";
import type { Shape } from "../../foundation/spec/shape.ts";
import { GenerationCache } from "../../foundation/text/generation-cache.ts";
import {
  type CachedMembers,
  isCachedMembers,
  isPlainJson,
  type ResponseBody,
} from "../../simulator/operations/response-body.ts";
import { omitNulls } from "./omit-nulls.ts";
import { renderBody, sentJson } from "./render-body.ts";

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
    if (isCachedMembers(body)) return this.#ofCached(body, shape);
    if (!isPlainJson(body)) return { ...jsonResponse(200, renderBody(body, shape)), json: () => sentJson(body, shape) };
    const json = shape === undefined ? body : omitNulls(shape, body);
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

function sentOnce({ members }: CachedMembers, shape: Shape | undefined): RenderedResponse {
  const json = sentJson(members, shape);
  return { ...jsonResponse(200, renderBody(members, shape)), json: () => json };
}

function sentAgain(response: RenderedResponse): RenderedResponse {
  const { body } = response;
  return { ...response, body: new Body(body.text(), body.bytes()) };
}
