import type { FoundSecret, SecretFinder } from "../../foundation/secrets/secret-finder.ts";
import { secretSpans } from "../../foundation/secrets/secret-header.ts";
import { isPlaceholder, redactionMark } from "../../foundation/secrets/secret-name.ts";
import { applied } from "./edit.ts";
import type { Renaming } from "./renaming.ts";
import { placeholderSignature } from "./signature.ts";

/** Replaces the secrets of a text by pseudonyms. */
export function redactSecrets(text: string, finder: SecretFinder, renaming: Renaming): string {
  return redactFound(text, finder.find(text), renaming);
}

/** Replaces secrets that were found in a text by pseudonyms. */
export function redactFound(text: string, found: readonly FoundSecret[], renaming: Renaming): string {
  if (found.length === 0) return text;
  return applied(
    text,
    found.map((secret) => ({ ...secret, replacement: placeholderOf(secret, renaming) })),
  );
}

/** Replaces the secrets within a header value; the scheme and separators stay. */
export function redactHeaderSecrets(name: string, value: string, renaming: Renaming): string {
  const edits = secretSpans(name, value).map(({ start, end, kind }) => {
    const text = value.slice(start, end);
    return { start, end, replacement: placeholderOf({ text, kind }, renaming) };
  });
  return applied(value, edits);
}

function placeholderOf({ text, kind }: Pick<FoundSecret, "text" | "kind">, renaming: Renaming): string {
  if (isPlaceholder(text)) return text;
  if (kind === "private") return redactionMark;
  return kind === "signature" ? placeholderSignature(text, renaming) : renaming.secret(text, kind);
}
