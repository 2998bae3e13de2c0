import { isIdentifier } from "./identifiers.ts";

/**
 * A part of a text: plain text, or a name. Names of different spaces never match: a user and a party may have the same
 * name. Generated hex ids have the empty space.
 */
export type Part =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "name"; readonly space: string; readonly text: string };

export type Name = Extract<Part, { readonly type: "name" }>;

// With `{32,}` a run of megabytes would overflow the stack.
const identifier = /[0-9a-f]{32}[0-9a-f]*/g;
const isOnlyIdentifier = /^[0-9a-f]{32}[0-9a-f]*$/;
const uniqueId = /^(.+?)::([^:]+)(::[A-Za-z0-9]+-[0-9]+)?$/;

/** Maximum length of a unique id, in characters. */
const uniqueIdLengthMax = 600;

/** The spaces of the two parts of a unique id: before and after its colons. */
export const idSpace = "id";
/** The space of fingerprints that are not long runs of hex digits. */
export const fingerprintSpace = "fingerprint";

/**
 * Splits a text into names and plain text. Names are the two parts of the ids of parties, participants and
 * synchronizers, and long runs of hex digits anywhere.
 */
export function partsOf(text: string): readonly Part[] {
  const mayBeId = text.length <= uniqueIdLengthMax && text.includes("::");
  const [, prefix, fingerprint, serial] = (mayBeId && uniqueId.exec(text)) || [];
  if (prefix === undefined || fingerprint === undefined || !isIdentifier("synchronizer", text))
    return identifierParts(text);
  return [
    { type: "name", space: idSpace, text: prefix },
    { type: "text", text: "::" },
    fingerprintName(fingerprint),
    ...(serial === undefined ? [] : [{ type: "text", text: serial } as const]),
  ];
}

/** A fingerprint is a name, even if it is not a long run of hex digits. */
export function fingerprintName(text: string): Name {
  return { type: "name", space: isOnlyIdentifier.test(text) ? "" : fingerprintSpace, text };
}

/** Splits a text into long runs of hex digits and the text around them. */
export function identifierParts(text: string): readonly Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const { 0: run, index } of text.matchAll(identifier)) {
    if (index > end) parts.push({ type: "text", text: text.slice(end, index) });
    parts.push({ type: "name", space: "", text: run });
    end = index + run.length;
  }
  if (end < text.length || end === 0) parts.push({ type: "text", text: text.slice(end) });
  return parts;
}

/** The long runs of hex digits in a text. */
export function identifiersIn(text: string): readonly string[] {
  return identifierParts(text).flatMap(({ type, text: name }) => (type === "name" ? [name] : []));
}

/** The key of a name in a correspondence. */
export function keyOf({ space, text }: Pick<Name, "space" | "text">): string {
  return space === "" ? text : `${space}\u0000${text}`;
}

/** The name of a key. */
export function nameOf(key: string): string {
  return key.slice(key.indexOf("\u0000") + 1);
}
