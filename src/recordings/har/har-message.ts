import { Body, bodyOfText } from "../../foundation/http/body.ts";
import { type HeaderList, headerValue, headerValues } from "../../foundation/http/header.ts";
import { isJsonObject, type Json, type JsonObject, textOfJson } from "../../foundation/json/json.ts";
import { objectOf, textOf } from "../../foundation/json/members.ts";
import { bytesOfBase64, isBase64 } from "../../foundation/text/base64.ts";
import { isUtf8 } from "../../foundation/text/utf8.ts";
import { decodedBody } from "./content-coding.ts";
import { BeyondLimit, type RecordingLimits } from "./recording-limits.ts";

/** Header fields without HTTP/2's pseudo-headers. Some exporters write an object instead of a list. */
export function headersOf(value: Json | undefined): HeaderList {
  return fieldsOf(value).filter(([name]) => name !== "" && !name.startsWith(":"));
}

/** The value of a pseudo-header of HTTP/2, which browsers list among the headers; empty without one. */
export function pseudoHeader(headers: Json | undefined, name: string): string {
  return headerValue(fieldsOf(headers), name) ?? "";
}

function fieldsOf(value: Json | undefined): HeaderList {
  if (isJsonObject(value)) return Object.entries(value).map(([name, text]) => [name, textOfJson(text)]);
  if (!Array.isArray(value)) return [];
  const headers: (readonly [string, string])[] = [];
  for (const field of value) {
    const { name, value: text } = objectOf(field);
    if (typeof name === "string") headers.push([name, textOf(text)]);
  }
  return headers;
}

/** The body of `content` or `postData`. HAR has no encoding for request bodies, so recorders add one. */
export function bodyOfContent(content: JsonObject, headers: HeaderList, limits: RecordingLimits): Body {
  const bytes = decodedContent(content, limits);
  return bytes === undefined ? bodyOfText(textOf(content["text"])) : uncompressed(headers, bytes, limits);
}

/** Decodes a body. HAR requires decoded bodies with original headers, but some recorders store the encoded bytes. */
function uncompressed(headers: HeaderList, bytes: Uint8Array, limits: RecordingLimits): Body {
  const isCompressed = headerValues(headers, "content-encoding").length > 0 && !isUtf8(bytes);
  return new Body((isCompressed ? decodedBody(headers, bytes, limits) : undefined) ?? bytes);
}

/** The bytes of a content in base64; undefined for text. */
export function decodedContent(content: JsonObject, limits: RecordingLimits): Uint8Array | undefined {
  const text = textOf(content["text"]);
  const encodings = [content["_encoding"], content["encoding"]].map((encoding) => textOf(encoding).toLowerCase());
  if (encodings.includes("base64")) return base64Bytes(text, limits);
  return encodings.every((encoding) => encoding === "") ? unmarkedBase64(text, content) : undefined;
}

/** The bytes of base64, which has four characters for three bytes. */
function base64Bytes(text: string, limits: RecordingLimits): Uint8Array | undefined {
  if ((text.length / 4) * 3 > limits.recordedBodyBytesMax + 3) throw tooLong(limits);
  return bytesOfBase64(text);
}

/** The bytes of JSON in base64 that no member marks: base64 of an object or a list is not JSON itself. */
function unmarkedBase64(text: string, { mimeType }: JsonObject): Uint8Array | undefined {
  if (/^[\s[{]/.test(text) || !/json/i.test(textOf(mimeType)) || !isBase64(text)) return undefined;
  const bytes = bytesOfBase64(text);
  const isJson =
    bytes !== undefined && isUtf8(bytes) && /^\s*[[{]/.test(new TextDecoder().decode(bytes.subarray(0, 99)));
  return isJson ? bytes : undefined;
}

export function tooLong({ recordedBodyBytesMax }: RecordingLimits): BeyondLimit {
  return new BeyondLimit(`a body exceeds the limit of ${recordedBodyBytesMax} bytes (recordedBodyBytesMax)`);
}
