import type { Body } from "../../foundation/http/body.ts";
import type { Request } from "../../foundation/http/request.ts";
import type { JsonObject } from "../../foundation/json/json.ts";
import type { CountedLimits } from "../../foundation/limits/counted-limits.ts";
import { type Decoded, parseBody } from "./decode.ts";

const byteOrderMark = "\uFEFF";
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The parameters and the body of a request. Each is parsed at most once, since a plan may compare them many times. */
export class SentRequest {
  readonly operationId: string;
  readonly #request: Request;
  readonly #search: string;
  readonly #limits: CountedLimits;
  #query: URLSearchParams | undefined;
  #text: string | undefined;
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

  /** The text of the body, with its byte order mark. */
  get text(): string {
    this.#text ??= markedText(this.#request.body);
    return this.#text;
  }

  get body(): Decoded<JsonObject> {
    const { text } = this;
    this.#body ??= parseBody(text.startsWith(byteOrderMark) ? text.slice(1) : text, this.#limits);
    return this.#body;
  }
}

function markedText({ content }: Body): string {
  if (typeof content === "string") return content;
  return ArrayBuffer.isView(content) ? decoder.decode(content) : content.join("");
}
