import type { HeaderSecret } from "../../foundation/secrets/secret-header.ts";
import { digitsIn, type Edit, idsIn, renamedId } from "./identifiers.ts";
import type { Place } from "./place.ts";
import type { Renaming } from "./renaming.ts";
import { secretsIn } from "./secrets.ts";

/** A quick test: most texts contain neither secrets nor ids. */
const interesting =
  /::|%3a%3a|[0-9a-f]{32}|eyJ|-----BEGIN|bearer|basic(?:\s|%20|\+)|:\/\/[^/\s]*@|(?:token|passw|passph|secret|key|session|jwt|assertion|credential|cookie)[\w-]{0,20}["']?\s*[=:]/i;

/** Redacts a text that is neither JSON nor base64. */
export function redactText(text: string, place: Place, secrets: readonly HeaderSecret[], renaming: Renaming): string {
  const found = interesting.test(text) || secrets.some((secret) => text.includes(secret.text));
  const isProse = place.role === "prose";
  if (!found) return isProse ? redactProse(text, renaming) : text;
  const id = renamedId(text, place, renaming);
  if (id !== undefined) return id;
  const edits = [
    ...secretsIn(text, secrets, renaming),
    ...idsIn(text, place, renaming),
    ...digitsIn(text, place, renaming),
  ];
  const edited = applied(text, edits);
  return isProse ? redactProse(edited, renaming) : edited;
}

/** Applies edits. Of two overlapping ones the first wins; with the same start the longer one. */
function applied(text: string, edits: readonly Edit[]): string {
  const ordered = edits.toSorted((left, right) => left.start - right.start || right.end - left.end);
  let [edited, copied] = ["", 0];
  for (const { start, end, replacement } of ordered) {
    if (start < copied) continue;
    edited += text.slice(copied, start) + replacement;
    copied = end;
  }
  return copied === 0 ? text : edited + text.slice(copied);
}

const run = /[A-Za-z0-9][A-Za-z0-9._~+/=:#@|-]*/g;
const plainWord = /[A-Za-z0-9_-]+/g;
const spokenOffset = /\b(offset|ledger[ _]end)(\W{0,4}(?:is |of |at )?\(?)(\d+)(?![\w.-])/gi;

/** Replaces known hints, submission ids, tokens and offsets in prose. */
function redactProse(text: string, renaming: Renaming): string {
  if (text === "") return text;
  const renamed = text.replaceAll(run, (word) => {
    const name = nameOf(word, renaming);
    if (name !== undefined) return name;
    const bare = withoutTrailing(word);
    const bareName = nameOf(bare, renaming);
    if (bareName !== undefined) return bareName + word.slice(bare.length);
    return word.includes("::") ? word : word.replaceAll(plainWord, (part) => nameOf(part, renaming) ?? part);
  });
  return renamed.replaceAll(
    spokenOffset,
    (_, name: string, between: string, digits: string) => `${name}${between}${renaming.offset(BigInt(digits))}`,
  );
}

const trailing = ".:=/#|-";

/** A word without trailing punctuation. Searches from the end, in linear time. */
function withoutTrailing(word: string): string {
  let end = word.length;
  while (end > 0 && trailing.includes(word.charAt(end - 1))) end -= 1;
  return word.slice(0, end);
}

function nameOf(word: string, renaming: Renaming): string | undefined {
  return renaming.inProse(word) ?? renaming.knownToken(word);
}
