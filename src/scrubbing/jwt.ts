import { isJsonObject, jsonOf } from "../http/json.ts";

/** A JWT in a text, whole or cut off: its header is JSON, which no other text has behind `eyJ` and before a dot. */
export interface FoundJwt {
  readonly start: number;
  readonly end: number;
}

const pattern = /eyJ[\w-]{5,}(?:\.|%2E)[\w-]+(?:(?:\.|%2E)[\w-]*){0,3}/gi;

export function jwtsIn(text: string): readonly FoundJwt[] {
  if (!text.includes("eyJ")) return [];
  const found: FoundJwt[] = [];
  for (const match of text.matchAll(pattern))
    if (hasHeader(match[0])) found.push({ start: match.index, end: match.index + match[0].length });
  return found;
}

function hasHeader(token: string): boolean {
  const [header = ""] = token.split(/\.|%2E/i);
  try {
    return isJsonObject(jsonOf(atob(header.replaceAll("-", "+").replaceAll("_", "/"))));
  } catch {
    return false;
  }
}
