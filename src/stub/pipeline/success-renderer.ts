import { jsonResponse, type Response } from "../../foundation/http/response.ts";
import { formatJson, type Json } from "../../foundation/json/json.ts";
import type { Shape } from "../../foundation/spec/shape.ts";
import type { SentMembers } from "../../simulator/operations/cached-members.ts";
import { isCachedMembers, isPlainJson, type ResponseBody } from "../../simulator/operations/response-body.ts";
import { omitNulls } from "./omit-nulls.ts";
import { renderBody, renderMembers, sentJson } from "./render-body.ts";

/** A response with the JSON that it sends. */
interface RenderedSuccess {
  readonly response: Response;
  readonly json: () => Json;
}

/** Renders the responses of successful operations. Requests that get the same cached members get the same response. */
export class SuccessRenderer {
  /** Undefined for members that were sent once. */
  readonly #repeated = new WeakMap<SentMembers, RenderedSuccess | undefined>();

  /** The response in the form of a schema. */
  render(body: ResponseBody, shape: Shape | undefined): RenderedSuccess {
    if (isCachedMembers(body)) return this.#ofCached(body.sent(shape, renderMembers));
    if (!isPlainJson(body))
      return { response: jsonResponse(200, renderBody(body, shape)), json: () => sentJson(body, shape) };
    const json = shape === undefined ? body : omitNulls(shape, body);
    return { response: jsonResponse(200, [formatJson(json)]), json: () => json };
  }

  /** Members that are sent once share the texts of their rows. If they are sent again, their text is joined and kept. */
  #ofCached(sent: SentMembers): RenderedSuccess {
    const known = this.#repeated.get(sent);
    if (known !== undefined) return known;
    const isRepeated = this.#repeated.has(sent);
    const parts = isRepeated ? [sent.parts.join("")] : sent.parts;
    const rendered = { response: jsonResponse(200, parts), json: () => sent.json };
    this.#repeated.set(sent, isRepeated ? rendered : undefined);
    return rendered;
  }
}
