import { type HeaderList, mediaType } from "../../foundation/http/header.ts";
import { formatJson, isJsonObject, type Json, jsonOf, textOfJson } from "../../foundation/json/json.ts";
import { bytesOfBase64 } from "../../foundation/text/base64.ts";
import { isUtf8 } from "../../foundation/text/utf8.ts";
import type { ValuePath } from "../../scenarios/files/source-file.ts";
import type { PactBody } from "./interaction.ts";

type BodyResult =
  | PactBody
  | { readonly type: "none" }
  | { readonly type: "invalid"; readonly path: ValuePath; readonly problem: string; readonly advice: string };

const none = { type: "none" } as const;

/** Reads the body of a message. Version 4 states the encoding of the content; in older versions the headers decide. */
export function readBody(
  version: 2 | 3 | 4,
  value: Json | undefined,
  headers: HeaderList,
  path: ValuePath,
): BodyResult {
  if (value === undefined || value === null) return none;
  const named = mediaType(headers);
  if (version < 4) return contentOf(value, named, path);
  if (!isJsonObject(value))
    return {
      type: "invalid",
      path,
      problem: "the body is not an object, as version 4 requires",
      advice: 'Write { "content": … }.',
    };
  const { content, contentType, encoded } = value;
  if (content === undefined || content === null) return none;
  // The header takes precedence: the type in the body can be a guess of the library, such as */*.
  const own = typeof contentType === "string" ? mediaType([["content-type", contentType]]) : undefined;
  const type = named ?? (own === "*/*" ? undefined : own);
  const place = [...path, "content"];
  if (encoded === undefined || encoded === false || encoded === "") return contentOf(content, type, place);
  if (typeof content !== "string") return contentOf(content, type, place);
  if (encoded === "JSON" || encoded === "json") return fromText(content, type ?? "application/json", place);
  if (encoded === true || textOfJson(encoded).toLowerCase() === "base64") return fromBase64(content, type, place);
  const problem = `the body has the unknown encoding ${formatJson(encoded)}`;
  return { type: "invalid", path: [...path, "encoded"], problem, advice: 'Use false, "base64" or "JSON".' };
}

function contentOf(value: Json, contentType: string | undefined, path: ValuePath): PactBody {
  const isText = typeof value === "string" && !isJsonType(contentType);
  return isText ? { type: "text", text: value, contentType, path } : { type: "json", value, contentType, path };
}

function fromBase64(text: string, contentType: string | undefined, path: ValuePath): BodyResult {
  const bytes = bytesOfBase64(text);
  if (bytes === undefined) {
    const problem = "the body is not valid base64";
    return { type: "invalid", path, problem, advice: "Encode it, or set encoded to false." };
  }
  return isUtf8(bytes)
    ? fromText(new TextDecoder().decode(bytes), contentType, path)
    : { type: "bytes", contentType, path };
}

function fromText(text: string, contentType: string | undefined, path: ValuePath): PactBody {
  const value = isJsonType(contentType) ? jsonOf(text) : undefined;
  return value === undefined ? { type: "text", text, contentType, path } : { type: "json", value, contentType, path };
}

function isJsonType(contentType: string | undefined): boolean {
  return contentType !== undefined && /^application\/(?:[\w.-]+\+)?json$/.test(contentType);
}
