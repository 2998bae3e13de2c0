import type { Body } from "../../foundation/http/body.ts";
import type { Request } from "../../foundation/http/request.ts";
import type { Json, JsonObject } from "../../foundation/json/json.ts";
import type { CountedLimits } from "../../foundation/limits/counted-limits.ts";
import { BodyMessages, type createEventReader } from "../../foundation/protobuf/body-messages.ts";
import { beyond, type Decoded, parseBody, type Refused } from "./decode.ts";

const byteOrderMark = "\uFEFF";
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

interface ReadingOptions {
  readonly limits: CountedLimits;
  readonly readEvent: ReturnType<typeof createEventReader>;
}

/** The parameters and the body of a request. Each is parsed at most once, since a plan may compare them many times. */
export class SentRequest {
  readonly operationId: string;
  readonly #request: Request;
  readonly #search: string;
  readonly #options: ReadingOptions;
  #query: URLSearchParams | undefined;
  #text: string | undefined;
  #body: Decoded<JsonObject> | undefined;
  #messages: BodyMessages | undefined;

  constructor(operationId: string, request: Request, search: string, options: ReadingOptions) {
    this.operationId = operationId;
    this.#request = request;
    this.#search = search;
    this.#options = options;
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
    this.#body ??= parseBody(text.startsWith(byteOrderMark) ? text.slice(1) : text, this.#options.limits);
    return this.#body;
  }

  /** The JSON of the body, if a stage has parsed it. */
  get json(): Json | undefined {
    return this.#body?.type === "decoded" ? this.#body.value : undefined;
  }

  /** Decodes the protobuf messages in the body, within a limit. */
  get messages(): BodyMessages {
    const { limits, readEvent } = this.#options;
    this.#messages ??= new BodyMessages(limits.values.protobufFieldsMax, readEvent);
    return this.#messages;
  }

  /** The refusal of messages with more fields than allowed; it is counted. */
  get exceededMessages(): Refused | undefined {
    if (this.#messages?.isExceeded !== true) return undefined;
    const { limits } = this.#options;
    const problem = `the messages in the body have more than ${limits.values.protobufFieldsMax} fields`;
    return beyond("protobufFieldsMax", problem, limits);
  }
}

function markedText({ content }: Body): string {
  if (typeof content === "string") return content;
  return ArrayBuffer.isView(content) ? decoder.decode(content) : content.join("");
}
