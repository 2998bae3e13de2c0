import type { SecretFinder } from "../../foundation/secrets/secret-finder.ts";
import { applied } from "./edit.ts";
import { digitsIn, idsIn, renamedId } from "./identifiers.ts";
import type { TextPlace } from "./place.ts";
import { redactSecrets } from "./redact-secrets.ts";
import type { Renaming } from "./renaming.ts";

/** A quick test: most texts have no ids. */
export const mayHaveIds: RegExp = /::|%3a%3a|[0-9a-f]{32}/i;

/** Redacts a text that is neither JSON nor base64: first its secrets, then its ids, since an id may be part of a secret. */
export function redactText(text: string, place: TextPlace, finder: SecretFinder, renaming: Renaming): string {
  const redacted = redactIds(redactSecrets(text, finder, renaming), place, renaming);
  return place.role === "prose" ? redactProse(redacted, renaming) : redacted;
}

function redactIds(text: string, place: TextPlace, renaming: Renaming): string {
  if (!mayHaveIds.test(text)) return text;
  return (
    renamedId(text, place, renaming) ??
    applied(text, [...idsIn(text, place, renaming), ...digitsIn(text, place, renaming)])
  );
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
