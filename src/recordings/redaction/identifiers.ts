import type { Edit } from "./edit.ts";
import type { TextPlace } from "./place.ts";
import type { HintKind, Renaming } from "./renaming.ts";

// Finds identifiers of the ledger by their syntax (contracts/identifiers.yaml), and gives pseudonyms of the same syntax.

const codes: Readonly<Record<string, HintKind>> = { PAR: "participant", MED: "mediator", SEQ: "sequencer" };
const wholeId =
  /^(?:(PAR|MED|SEQ)::)?(:?[A-Za-z0-9_ -]+(?::[A-Za-z0-9_ -]+)*)::([A-Za-z0-9_ -]{1,68})(::[A-Za-z0-9]+-[0-9]+)?$/;

/** Longer texts are searched for ids, but are not ids. */
const idLengthMax = 1000;

/** The pseudonym of an id of the form `hint::fingerprint`; undefined for other texts and for sentences that end with an id. */
export function renamedId(text: string, place: TextPlace, renaming: Renaming): string | undefined {
  if (text.length > idLengthMax || !text.includes("::")) return undefined;
  const [, code, hint = "", fingerprint = "", physical = ""] = wholeId.exec(text) ?? [];
  if (hint === "" || isSentence(hint, place, renaming)) return undefined;
  const kind = kindOf(code, physical, place);
  const prefix = code === undefined ? "" : `${code}::`;
  return `${prefix}${renaming.hint(hint, kind, fingerprint)}::${renaming.fingerprint(fingerprint)}${physical}`;
}

/** Distinguishes a hint with spaces from a sentence that ends with a party. */
function isSentence(hint: string, { role }: TextPlace, renaming: Renaming): boolean {
  if (!hint.includes(" ") || renaming.hasHint(hint)) return false;
  return role === "prose" || renaming.hasHint(hint.slice(hint.lastIndexOf(" ") + 1));
}

function kindOf(code: string | undefined, physical: string, place: TextPlace): HintKind {
  if (code !== undefined) return codes[code] ?? place.hint;
  return physical === "" ? place.hint : "synchronizer";
}

const separator = /::|%3A%3A/gi;
const behind = /(?:1220[0-9a-f]{64}(?![0-9A-Za-z_-])|[0-9A-Za-z_-]+)/y;
/** Characters before `::` that are searched for a hint. */
const hintLengthMax = 400;

/** Replaces ids within a text. A hint has letters, digits, `-` and `_`; one with spaces must be known. */
export function idsIn(text: string, place: TextPlace, renaming: Renaming): readonly Edit[] {
  const edits: Edit[] = [];
  let from = 0;
  for (const { 0: sign, index } of text.matchAll(separator)) {
    if (index < from) continue;
    behind.lastIndex = index + sign.length;
    const fingerprint = behind.exec(text)?.[0];
    if (fingerprint === undefined) continue;
    const head = text.slice(Math.max(from, index - hintLengthMax), index);
    const hint = hintBefore(head, fingerprint, renaming);
    if (codes[hint] !== undefined || (hint === "" && !isFingerprint(fingerprint))) continue;
    if (!isFingerprint(fingerprint) && !renaming.hasHint(decoded(hint))) continue;
    const end = index + sign.length + fingerprint.length;
    const kind = kindAround(head.slice(0, head.length - hint.length), text.slice(end, end + 20), place);
    const name = hint === "" ? "" : renaming.hint(decoded(hint), kind, fingerprint);
    edits.push({ start: index - hint.length, end, replacement: `${name}${sign}${renaming.fingerprint(fingerprint)}` });
    from = end;
  }
  return edits;
}

/** Whether the text after `::` has the form of a fingerprint; `::` alone is common in prose. */
function isFingerprint(text: string): boolean {
  return /^1220[0-9a-f]{2,}/i.test(text);
}

function hintBefore(head: string, fingerprint: string, renaming: Renaming): string {
  const spaced = renaming.spacedHints(fingerprint).find((hint) => head.endsWith(hint));
  if (spaced !== undefined) return spaced;
  const run = head.slice(hintStart(head));
  const parts = run.split(/%20|:|%3A/i);
  if (parts.length === 1 || renaming.hasHint(decoded(run))) return run;
  return parts.at(-1) ?? run;
}

const encodedInHint = /%20|%3A/i;
const inHint = /[A-Za-z0-9_-]/;

/** The index at which the characters of a hint begin, in a text or in a URL. */
function hintStart(head: string): number {
  let at = head.length;
  while (at > 0) {
    const last = head.slice(Math.max(0, at - 3), at);
    if (encodedInHint.test(last)) {
      if (/%3A%3A$/i.test(head.slice(0, at))) return at;
      at -= 3;
    } else if (inHint.test(last.slice(-1)) || /[^:]:$/.test(last)) at -= 1;
    else return at;
  }
  return at;
}

function decoded(hint: string): string {
  return hint.replaceAll(/%20/g, " ").replaceAll(/%3A/gi, ":");
}

/** The kind of an id, from the words around it. */
function kindAround(ahead: string, after: string, { hint }: TextPlace): HintKind {
  const code = /(PAR|MED|SEQ)(?:::|%3A%3A)$/i.exec(ahead)?.[1];
  if (code !== undefined) return codes[code.toUpperCase()] ?? hint;
  if (/^(?:::|%3A%3A)[A-Za-z0-9]+-[0-9]/i.test(after) || /synchronizers?\W*$|domain\W*$/i.test(ahead))
    return "synchronizer";
  return /participant\W*$/i.test(ahead) ? "participant" : hint;
}

// With `{32,}` a run of megabytes would overflow the stack.
const digitRun = /(?<![0-9A-Za-z])[0-9a-f]{32}[0-9a-f]*(?![0-9A-Za-z])/gi;
const traceParent = /(?<![0-9a-f])[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?![0-9a-f])/g;
const traceDigits = 32;
const hashDigits = 64;
const multihashDigits = 68;

/** Replaces contract ids, update ids, fingerprints, hashes and trace ids within a text. Package ids stay. */
export function digitsIn(text: string, place: TextPlace, renaming: Renaming): readonly Edit[] {
  const edits: Edit[] = [];
  for (const { 0: whole, 1: trace = "", 2: span = "", index } of text.matchAll(traceParent)) {
    const replacement = `${whole.slice(0, 3)}${renaming.hex(trace, "trace")}-${renaming.hex(span, "span")}${whole.slice(-3)}`;
    edits.push({ start: index, end: index + whole.length, replacement });
  }
  for (const { 0: run, index } of text.matchAll(digitRun)) {
    const replacement = renamedDigits(run, place, renaming);
    if (replacement !== run && !(renaming.isKeptUser(run) || renaming.isKeptUser(text)))
      edits.push({ start: index, end: index + run.length, replacement });
  }
  return edits;
}

/** Upper-case digits are not a valid identifier; their pseudonym is upper-case too. */
function renamedDigits(run: string, place: TextPlace, renaming: Renaming): string {
  const lower = run.toLowerCase();
  const name = nameOfDigits(lower, place, renaming);
  if (name === lower) return run;
  return lower === run ? name : name.toUpperCase();
}

function nameOfDigits(run: string, { role, hex }: TextPlace, renaming: Renaming): string {
  if (run.length === traceDigits) return renaming.hex(run, "trace");
  if (run.length === multihashDigits && run.startsWith("1220")) return `1220${renaming.hex(run.slice(4), hex)}`;
  if (isContractId(run)) return renamedContractId(run, renaming);
  if (run.length === hashDigits)
    return role === "hash" || role === "correlation" ? renaming.hex(run, "hash") : (renaming.knownHex(run) ?? run);
  return role === "hash" && run.length % 2 === 0 ? renaming.hex(run, "hash") : run;
}

const contractDigitsMax = 254;

function isContractId(run: string): boolean {
  if (run.length > contractDigitsMax || run.length % 2 !== 0) return false;
  return (run.startsWith("00") && run.length > hashDigits) || (run.startsWith("01") && run.length !== hashDigits);
}

const shortContractId = /^01(?:[0-9a-f]{2}){1,15}$/;

/** Whether a text is a contract id that is too short to be found within a text. */
export function isShortContractId(text: string): boolean {
  return shortContractId.test(text);
}

/** The pseudonym of a short contract id; undefined for other texts. */
export function renamedShortContractId(text: string, renaming: Renaming): string | undefined {
  return isShortContractId(text) ? `01${renaming.shortContract(text.slice(2))}` : undefined;
}

const knownSuffix = /^ca1[0-2]1220[0-9a-f]{64}$/;
const markDigits = 4;
const suffixHead = 8;

/** Renames the 32 bytes after `00`, and the suffix in its own form; the newer form keeps `01` (Splice 0.7, recorded responses and transaction.proto). */
export function renamedContractId(id: string, renaming: Renaming): string {
  if (id.startsWith("01")) return `01${renaming.hex(id.slice(2), "contract")}`;
  const [discriminator, suffix] = [id.slice(2, 2 + hashDigits), id.slice(2 + hashDigits)];
  const kept = knownSuffix.test(suffix) ? suffixHead : suffix.length >= markDigits + 16 ? markDigits : suffix.length;
  const rest = suffix.slice(kept);
  const name = rest === "" ? "" : renaming.hex(rest, "contract-suffix");
  return `00${renaming.hex(discriminator, "contract")}${suffix.slice(0, kept)}${name}`;
}
