import { isJsonObject, jsonOf } from "../json/json.ts";
import { latinOfAnyBase64 } from "../text/base64.ts";

/** The position of a JWT in a text, complete or truncated. Its header starts with `eyJ`, decodes to JSON and ends at a dot. */
interface FoundJwt {
  readonly start: number;
  readonly end: number;
}

const run = /[\w-]+/g;
const rest = /(?:\.|%2E)[\w-]+(?:(?:\.|%2E)[\w-]*){0,3}/iy;
/** Positions in a word that are tried as the start of a header. */
const triesMax = 8;

export function jwtsIn(text: string): readonly FoundJwt[] {
  if (!text.includes("eyJ")) return [];
  const found: FoundJwt[] = [];
  for (const { 0: letters, index } of text.matchAll(run)) {
    const begin = letters.includes("eyJ") ? restAfter(text, index + letters.length) : undefined;
    const start = begin === undefined ? -1 : headerIn(letters);
    if (begin !== undefined && start >= 0) found.push({ start: index + start, end: begin });
  }
  return found;
}

/** The end of the payload and the signature; undefined without a payload. */
function restAfter(text: string, from: number): number | undefined {
  rest.lastIndex = from;
  return rest.test(text) ? rest.lastIndex : undefined;
}

/** The start of the header that ends with these letters; -1 if it is not a header. */
function headerIn(letters: string): number {
  let at = letters.lastIndexOf("eyJ");
  for (let tries = 0; at >= 0 && tries < triesMax; tries += 1) {
    if (isHeader(letters.slice(at))) return at;
    at = at === 0 ? -1 : letters.lastIndexOf("eyJ", at - 1);
  }
  return -1;
}

/** The length of `{"a":1}` in base64. */
const headerLengthMin = 10;

function isHeader(letters: string): boolean {
  if (letters.length < headerLengthMin) return false;
  return isJsonObject(jsonOf(latinOfAnyBase64(letters) ?? ""));
}
