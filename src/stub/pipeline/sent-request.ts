import type { Request } from "../../foundation/http/request.ts";
import type { JsonObject } from "../../foundation/json/json.ts";
import type { CountedLimits } from "../../foundation/limits/counted-limits.ts";
import { type Decoded, parseBody } from "./decode.ts";

/** The parameters and the body of a request. Each is parsed at most once, since a plan may compare them many times. */
export class SentRequest {
  readonly operationId: string;
  readonly #request: Request;
  readonly #search: string;
  readonly #limits: CountedLimits;
  #query: URLSearchParams | undefined;
  #body: Decoded<JsonObject> | undefined;

  constructor(operationId: string, request: Request, search: string, limits: CountedLimits) {
    this.operationId = operationId;
    this.#request = request;
    this.#search = search;
    this.#limits = limits;
  }

  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.#search);
    return this.#query;
  }

  get body(): Decoded<JsonObject> {
    this.#body ??= parseBody(this.#request.body.text(), this.#limits);
    return this.#body;
  }
}
