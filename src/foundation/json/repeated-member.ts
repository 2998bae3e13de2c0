import { endOfString } from "./edit-json.ts";
import { isJsonObject, type Json } from "./json.ts";

/**
 * A member name that an object of this JSON text has twice; otherwise undefined. `value` is the parsed text: a
 * text with no more names than the value has members repeats none and is not searched.
 */
export function repeatedMember(text: string, value: Json): string | undefined {
  return namesMax(text) === membersIn(value) ? undefined : search(text);
}

const quote = 34;
const space = 32;

/** The number of colons after a quote: all that follow a name, and those of strings that look like one. */
function namesMax(text: string): number {
  let names = 0;
  for (let colon = text.indexOf(":"); colon >= 0; colon = text.indexOf(":", colon + 1)) {
    let before = colon - 1;
    while (text.charCodeAt(before) <= space) before -= 1;
    if (text.charCodeAt(before) === quote) names += 1;
  }
  return names;
}

/** The number of members of all objects in a value. */
function membersIn(value: Json): number {
  if (typeof value !== "object" || value === null) return 0;
  let members = 0;
  if (isJsonObject(value)) for (const name in value) members += 1 + membersIn(value[name] ?? null);
  else for (const element of value) members += membersIn(element);
  return members;
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
