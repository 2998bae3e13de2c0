import type { Broken } from "../http/broken.ts";
import type { Answer } from "../http/handler.ts";
import type { HeaderList } from "../http/header.ts";
import { formatJson, isJsonObject, type Json, type JsonObject, parseJson } from "../http/json.ts";
import type { Request } from "../http/request.ts";

// A request or an answer as the body of another message, so that nothing of it can get lost on the way: neither the order
// and the case of its headers, nor a target that no client may send, nor that an answer is broken on purpose.

const lengthBytes = 4;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function packRequest({ method, target, headers, body }: Request): Uint8Array {
  return pack({ method, target, headers }, body);
}

export function unpackRequest(bytes: Uint8Array): Request {
  const { head, body } = unpack(bytes);
  return { method: textIn(head, "method"), target: textIn(head, "target"), headers: headersIn(head), body };
}

export function packAnswer(answer: Answer): Uint8Array {
  if (answer.type === "response")
    return pack({ type: "response", status: answer.status, headers: answer.headers }, answer.body);
  const { kind, partial } = answer;
  if (partial === undefined) return pack({ type: "broken", kind }, new Uint8Array());
  const { status, headers, bodyLength, body } = partial;
  return pack({ type: "broken", kind, status, headers, bodyLength }, body);
}

export function unpackAnswer(bytes: Uint8Array): Answer {
  const { head, body } = unpack(bytes);
  if (head["type"] === "response")
    return { type: "response", status: numberIn(head, "status"), headers: headersIn(head), body };
  const kind = brokenKinds.find((known) => known === head["kind"]);
  if (kind === undefined) throw new Error("invariant: an answer is whole or broken in a known way");
  if (head["status"] === undefined) return { type: "broken", kind };
  const partial = {
    status: numberIn(head, "status"),
    headers: headersIn(head),
    body,
    bodyLength: numberIn(head, "bodyLength"),
  };
  return { type: "broken", kind, partial };
}

const brokenKinds: readonly Broken["kind"][] = ["reset", "truncated", "timed-out", "too-large", "unexplained"];

function pack(head: JsonObject, body: Uint8Array): Uint8Array {
  const text = encoder.encode(formatJson(head));
  const packed = new Uint8Array(lengthBytes + text.length + body.length);
  new DataView(packed.buffer).setUint32(0, text.length);
  packed.set(text, lengthBytes);
  packed.set(body, lengthBytes + text.length);
  return packed;
}

function unpack(packed: Uint8Array): { readonly head: JsonObject; readonly body: Uint8Array } {
  const end = lengthBytes + new DataView(packed.buffer, packed.byteOffset).getUint32(0);
  const head = parseJson(decoder.decode(packed.subarray(lengthBytes, end)));
  if (!isJsonObject(head)) throw new Error("invariant: a packed message begins with its head");
  return { head, body: packed.subarray(end) };
}

function textIn(head: JsonObject, member: string): string {
  const value = head[member];
  if (typeof value !== "string") throw new Error(`invariant: ${member} is a text`);
  return value;
}

function numberIn(head: JsonObject, member: string): number {
  const value = head[member];
  if (typeof value !== "number") throw new Error(`invariant: ${member} is a number`);
  return value;
}

function headersIn(head: JsonObject): HeaderList {
  const fields = head["headers"];
  if (!isList(fields)) throw new Error("invariant: headers are a list");
  return fields.map((field) => {
    const [name, value] = isList(field) ? field : [];
    if (typeof name !== "string" || typeof value !== "string") throw new Error("invariant: a header is two texts");
    return [name, value];
  });
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
