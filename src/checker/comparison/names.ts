import { isIdentifier } from "../../foundation/spec/identifiers.ts";

/**
 * A stretch of a text: what it says, or a name that somebody gave. Names of different spaces never stand for each other:
 * a user and a party may be called the same. The space of what a node names by itself is empty.
 */
export type Part =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "name"; readonly space: string; readonly text: string };

export type Name = Extract<Part, { readonly type: "name" }>;

// With `{32,}` a run of megabytes would take more stack than there is.
const identifier = /[0-9a-f]{32}[0-9a-f]*/g;
const isOnlyIdentifier = /^[0-9a-f]{32}[0-9a-f]*$/;
const uniqueId = /^(.+?)::([^:]+)(::[A-Za-z0-9]+-[0-9]+)?$/;

/** A longer text is no id. */
const uniqueIdLengthMax = 600;

/** The spaces of what stands before and behind the colons of a unique id, and of a name that is as long as its text. */
export const idSpace = "id";
export const fingerprintSpace = "fingerprint";

/**
 * The names in a text: ids of parties, participants and synchronizers by what stands before and behind their colons,
 * and long runs of hex digits wherever they stand.
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

/** A fingerprint that is no long run of hex digits is a name all the same. */
export function fingerprintName(text: string): Name {
  return { type: "name", space: isOnlyIdentifier.test(text) ? "" : fingerprintSpace, text };
}

/** The long runs of hex digits in a text, and what stands around them. */
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

/** How a name is called in a correspondence. */
export function keyOf({ space, text }: Pick<Name, "space" | "text">): string {
  return space === "" ? text : `${space}\u0000${text}`;
}

/** The name that was called so. */
export function nameOf(key: string): string {
  return key.slice(key.indexOf("\u0000") + 1);
}
