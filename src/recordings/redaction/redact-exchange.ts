import type { Exchange } from "../../foundation/http/exchange.ts";
import type { Broken } from "../../foundation/http/failed-response.ts";
import { type HeaderList, headerValues, mediaType } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import type { Response } from "../../foundation/http/response.ts";
import { decompressed } from "./decompressed.ts";
import { nowhere, prosePlace } from "./place.ts";
import { scrubBytes } from "./redact-bytes.ts";
import { scrubHeaders } from "./redact-headers.ts";
import { scrubQuery, scrubTarget } from "./redact-target.ts";
import type { Renaming } from "./renaming.ts";
import type { ValueScrubber } from "./value-redactor.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** An exchange with other values; the request is read first, since an answer repeats what it names. */
export function scrubExchange(exchange: Exchange, scrubber: ValueScrubber, renaming: Renaming): Exchange {
  const request = scrubRequest(exchange.request, scrubber, renaming);
  return { ...exchange, request, answer: scrubAnswer(exchange.answer, scrubber, renaming) };
}

function scrubRequest(request: Request, scrubber: ValueScrubber, renaming: Renaming): Request {
  const target = scrubTarget(request.target, scrubber);
  const headers = scrubHeaders(request.headers, scrubber, renaming);
  return { method: request.method, target, ...scrubMessage(request, headers, scrubber, renaming) };
}

function scrubAnswer(answer: Response | Broken, scrubber: ValueScrubber, renaming: Renaming): Response | Broken {
  if (answer.type === "broken") return scrubBroken(answer, scrubber, renaming);
  const { type, status } = answer;
  const headers = scrubHeaders(answer.headers, scrubber, renaming);
  return { type, status, ...scrubMessage(answer, headers, scrubber, renaming) };
}

function scrubBroken(broken: Broken, scrubber: ValueScrubber, renaming: Renaming): Broken {
  const { kind, reason, partial } = broken;
  const headers = scrubHeaders(partial?.headers ?? [], scrubber, renaming);
  return {
    type: "broken",
    kind,
    ...(reason === undefined ? {} : { reason: scrubber.text(reason, prosePlace, 0) }),
    ...(partial === undefined
      ? {}
      : { partial: { ...partial, headers, body: scrubMessage(partial, headers, scrubber, renaming).body } }),
  };
}

export interface Message {
  readonly headers: HeaderList;
  readonly body: Uint8Array;
  readonly text?: string;
}

/** The body under headers that are scrubbed already; a length that told the body's tells that of the new one. */
function scrubMessage(message: Message, headers: HeaderList, scrubber: ValueScrubber, renaming: Renaming): Message {
  const text = message.text ?? textOf(message);
  if (text === undefined) {
    const body = scrubBinary(message, scrubber, renaming);
    return body === message.body ? { headers, body } : { headers: resized(headers, message, body), body };
  }
  const scrubbed = scrubTextBody(text, message.headers, scrubber);
  if (scrubbed === text && message.text === undefined && isPlain(message)) return { headers, body: message.body };
  return withText(scrubbed, headers, message);
}

/** Bytes are made when somebody asks for them. */
function withText(text: string, headers: HeaderList, message: Message): Message {
  let bytes: Uint8Array | undefined;
  const bodyOf = () => {
    bytes ??= encoder.encode(text);
    return bytes;
  };
  const told = headerValues(headers, "content-length")[0];
  return {
    headers: told === undefined ? headers : resized(headers, message, bodyOf()),
    text,
    get body() {
      return bodyOf();
    },
  };
}

function resized(headers: HeaderList, before: Message, after: Uint8Array): HeaderList {
  const length = String(before.body.length);
  return headers.map(([name, value]) =>
    name.toLowerCase() === "content-length" && value === length ? [name, String(after.length)] : [name, value],
  );
}

function isPlain({ headers }: Message): boolean {
  return headerValues(headers, "content-encoding").every((coding) => coding === "" || coding === "identity");
}

/** The body as text, decoded where it is compressed, as HAR has it; undefined where it is none. */
export function textOf(message: Message): string | undefined {
  try {
    return decoder.decode(isPlain(message) ? message.body : decompressed(message.body));
  } catch {
    return undefined;
  }
}

const forms = "application/x-www-form-urlencoded";

function scrubTextBody(text: string, headers: HeaderList, scrubber: ValueScrubber): string {
  return mediaType(headers) === forms ? scrubQuery(text, scrubber) : scrubber.body(text);
}

/** What is compressed and cannot be read is left out: nobody knows what it names. */
function scrubBinary(message: Message, scrubber: ValueScrubber, renaming: Renaming): Uint8Array {
  if (message.body.length > 0 && !isPlain(message)) return new Uint8Array();
  const text = (value: string) => scrubber.text(value, nowhere, 1);
  return scrubBytes(message.body, { text, renaming, isProtobuf: false, isPage: false });
}
