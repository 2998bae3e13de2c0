import { endOfString } from "../../foundation/json/edit-json.ts";
import type { NamePath } from "./name-kinds.ts";

/** Callbacks for texts and member names. */
interface Rewriting {
  text(text: string, path: NamePath): string;
  member(name: string): string;
}

interface Open {
  readonly isList: boolean;
  /** The member of the next value. */
  member: string;
  isMemberNext: boolean;
}

const numberCharacters = /[\d.eE+-]*/y;

/** Rewrites texts and member names in a JSON text; everything else stays unchanged. The text must be JSON. */
export function rewriteJson(text: string, rewriting: Rewriting): string {
  const open: Open[] = [];
  const pieces: string[] = [];
  let copied = 0;
  for (let at = 0; at < text.length; ) {
    const end = endOfToken(text, at);
    const becomes = rewritten(text, at, end, open, rewriting);
    if (becomes !== undefined) {
      pieces.push(text.slice(copied, at), becomes);
      copied = end;
    }
    at = end;
  }
  if (copied === 0) return text;
  pieces.push(text.slice(copied));
  return pieces.join("");
}

function endOfToken(text: string, at: number): number {
  const first = text[at] ?? "";
  if (first === '"') return Math.min(endOfString(text, at + 1) + 1, text.length);
  if (!/[\d-]/.test(first)) return at + 1;
  numberCharacters.lastIndex = at;
  return at + (numberCharacters.exec(text)?.[0].length ?? 1);
}

/** The new token; undefined if it does not change. */
function rewritten(text: string, at: number, end: number, open: Open[], rewriting: Rewriting): string | undefined {
  const [first, top] = [text[at] ?? "", open.at(-1)];
  if (first === "{" || first === "[") open.push({ isList: first === "[", member: "", isMemberNext: first === "{" });
  else if (first === "}" || first === "]") open.pop();
  else if (first === "," && top !== undefined) top.isMemberNext = !top.isList;
  else if (first === '"') return rewrittenText(text.slice(at, end), open, rewriting);
  return undefined;
}

/** The new string token; undefined if the text does not change, so that its escapes stay. */
function rewrittenText(token: string, open: readonly Open[], rewriting: Rewriting): string | undefined {
  const top = open.at(-1);
  const text: unknown = JSON.parse(token);
  if (typeof text !== "string") return undefined;
  let becomes: string;
  if (top?.isMemberNext === true) {
    top.member = text;
    top.isMemberNext = false;
    becomes = rewriting.member(text);
  } else
    becomes = rewriting.text(
      text,
      open.map(({ isList, member }) => (isList ? "*" : member)),
    );
  return becomes === text ? undefined : JSON.stringify(becomes);
}
