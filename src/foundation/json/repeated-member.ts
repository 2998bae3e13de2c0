import { endOfString } from "./edit-json.ts";
import { formatJson, type Json } from "./json.ts";

/**
 * A member name that an object of this JSON text has twice; otherwise undefined. `value` is the parsed text: a
 * text that equals its compact form repeats no member and is not searched.
 */
export function repeatedMember(text: string, value: Json): string | undefined {
  return formatJson(value) === text ? undefined : search(text);
}

/** Searches valid JSON text from the left. The names of the open objects are on a stack; a list has none. */
function search(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at += 1)
    switch (text[at]) {
      case "{":
        open.push(new Set());
        break;
      case "[":
        open.push(undefined);
        break;
      case "}":
      case "]":
        open.pop();
        break;
      case '"': {
        const end = endOfString(text, at + 1);
        if (isName(text, end + 1)) {
          const [names, name] = [open.at(-1), nameIn(text.slice(at + 1, end))];
          if (names?.has(name) === true) return name;
          names?.add(name);
        }
        at = end;
      }
    }
  return undefined;
}

/** Whether a colon follows after white space. */
function isName(text: string, from: number): boolean {
  let at = from;
  while (text.charCodeAt(at) <= 32) at += 1;
  return text[at] === ":";
}

function nameIn(raw: string): string {
  return raw.includes("\\") ? String(JSON.parse(`"${raw}"`)) : raw;
}
