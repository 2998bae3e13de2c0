import { formatJson, isJsonObject, type Json, jsonOf } from "../../../foundation/json/json.ts";
import { escapeSegment, valueAt } from "../../../foundation/spec/operation.ts";
import type { ShownMessage } from "../../engine/shown-violation.ts";
import { type Markup, markup } from "./_markup.ts";
import { messageText } from "./_phrases.ts";

/** A message whose JSON body is indented, with the value at the pointer marked; of an absent one, the value around it. */
export function markedMessage(message: ShownMessage, pointer: string): Markup {
  const value = jsonOf(message.body);
  if (value === undefined) return markup`${messageText(message)}`;
  return markup`${messageText({ ...message, body: "" })}\n\n${indented(value, { path: "", indent: "" }, present(value, pointer))}`;
}

/** The pointer, or the nearest one above it that has a value. */
function present(value: Json, pointer: string): string {
  return pointer === "" || valueAt(value, pointer) !== undefined
    ? pointer
    : present(value, pointer.slice(0, Math.max(0, pointer.lastIndexOf("/"))));
}

interface Place {
  readonly path: string;
  readonly indent: string;
}

function indented(value: Json, { path, indent }: Place, marked: string): Markup {
  const inner = `${indent}  `;
  const rows = membersOf(value).map(
    ([name, member, segment]) =>
      markup`${inner}${name}${indented(member, { path: `${path}/${segment}`, indent: inner }, marked)}`,
  );
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const text =
    rows.length === 0
      ? markup`${formatJson(value)}`
      : markup`${open}\n${rows.map((row, index) => (index === 0 ? row : markup`,\n${row}`))}\n${indent}${close}`;
  return path === marked && path !== "" ? markup`<mark>${text}</mark>` : text;
}

function membersOf(value: Json): readonly (readonly [name: string, member: Json, segment: string])[] {
  if (Array.isArray(value)) return value.map((member, index) => ["", member, String(index)]);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).map(([name, member]) => [`${JSON.stringify(name)}: `, member, escapeSegment(name)]);
}
