import { isJsonObject, type Json, type JsonObject, jsonOf } from "../../foundation/json/json.ts";
import { objectOf, textOf } from "../../foundation/json/members.ts";
import { base64OfBytes } from "../../foundation/text/base64.ts";

/** The bytes of a file beside the recording; undefined if it is not readable. */
export type AttachedFiles = (name: string) => Uint8Array | undefined;

/**
 * The entry with the bodies that Playwright wrote to files of their own (`content: "attach"`): `_file` of `postData` and
 * `content`. The file of a WebSocket has a message on each line.
 */
export function withAttached(entry: JsonObject, attached: AttachedFiles): JsonObject {
  const [request, response] = [objectOf(entry["request"]), objectOf(entry["response"])];
  const content = objectOf(response["content"]);
  if (entry["_resourceType"] === "websocket" && entry["_webSocketMessages"] === undefined) {
    const bytes = bytesOf(content, attached);
    return bytes === undefined ? entry : { ...entry, _webSocketMessages: messagesIn(new TextDecoder().decode(bytes)) };
  }
  const [postData, body] = [withText(request["postData"], attached), withText(response["content"], attached)];
  return {
    ...entry,
    ...(postData === undefined ? {} : { request: { ...request, postData } }),
    ...(body === undefined ? {} : { response: { ...response, content: body } }),
  };
}

/** The content with the text of its file; undefined if it has none. */
function withText(value: Json | undefined, attached: AttachedFiles): JsonObject | undefined {
  const content = objectOf(value);
  const bytes = textOf(content["text"]) === "" ? bytesOf(content, attached) : undefined;
  return bytes === undefined ? undefined : { ...content, text: base64OfBytes(bytes), encoding: "base64" };
}

function bytesOf({ _file: file }: JsonObject, attached: AttachedFiles): Uint8Array | undefined {
  return typeof file === "string" ? attached(file) : undefined;
}

function messagesIn(lines: string): readonly JsonObject[] {
  return lines.split("\n").flatMap((line) => {
    const message = jsonOf(line);
    return message !== undefined && isJsonObject(message) ? [message] : [];
  });
}
