import type { HeaderList } from "../http/header.ts";
import { editJson, type JsonEditor, type JsonSpot } from "../json/edit-json.ts";
import { maskText } from "./_mask-text.ts";
import { isSecretHeader } from "./secret-header.ts";
import { isSecretName, isSecretNumber, redactionMark, secretRoleOf } from "./secret-name.ts";

/** Takes secrets out of a text that is shown. What is JSON stays JSON. */
export type Mask = (text: string) => string;

/** Characters that are looked at, once for each secret; a longer text is left out as a whole. */
const lookedAtMax = 64 * 1024 * 1024;

/** Leaves out tokens, signatures and keys, and these secrets wherever they stand. */
export function createMask(secrets: readonly string[] = []): Mask {
  const distinct = [...new Set(secrets)].filter((secret) => secret !== "");
  const literal = distinct.sort((left, right) => right.length - left.length);
  return (text) => {
    if (literal.length * text.length <= lookedAtMax) return masked(text, literal);
    return isJsonLike(text) ? JSON.stringify(redactionMark) : redactionMark;
  };
}

/** What is masked without secrets that it is told. */
export const plainMask: Mask = createMask();

/** Header fields as they are shown: those that are secrets by their names without their values. */
export function maskedHeaders(headers: HeaderList, mask: Mask): HeaderList {
  return headers.map(([name, value]) => [name, isSecretHeader(name) ? redactionMark : mask(value)]);
}

/** JSON is read value by value, JSON within its texts too; a text that only looks like it is read once more as a text. */
function masked(text: string, literal: readonly string[]): string {
  if (!isJsonLike(text)) return maskText(text, literal);
  let isStrange = false;
  const editor: JsonEditor = {
    key: (key) => maskText(key, literal),
    hides: (member) => hidingRoles.has(secretRoleOf(member) ?? ""),
    text: (value, spot) => (isHidden(spot) && value !== "" ? redactionMark : masked(value, literal)),
    number: (digits, spot) => maskedNumber(digits, spot, literal),
    stray: (stray) => {
      isStrange = true;
      return stray;
    },
  };
  const edited = editJson(text, editor);
  return isStrange ? maskText(edited, literal) : edited;
}

/** What is called a token or a signature may be an object with names in it; these hold nothing else. */
const hidingRoles: ReadonlySet<string> = new Set(["private", "secret"]);

function isHidden({ member, hiding }: JsonSpot): boolean {
  return hiding !== "" || isSecretName(member);
}

/** A number that is a secret becomes a text, which JSON has in its place. */
function maskedNumber(digits: string, { member, hiding }: JsonSpot, literal: readonly string[]): string {
  const isSecret = hiding !== "" || isSecretNumber(member) || literal.some((secret) => digits.includes(secret));
  return isSecret ? JSON.stringify(redactionMark) : digits;
}

function isJsonLike(text: string): boolean {
  return /^\s*["[{]/.test(text);
}
