import type { HeaderList } from "../http/header.ts";
import { editJson, type JsonEditor, type JsonSpot } from "../json/edit-json.ts";
import { SecretFinder } from "./secret-finder.ts";
import { secretSpans } from "./secret-header.ts";
import { isKeyPart, isSecretHeader, isSecretName, isSecretNumber, redactionMark, secretRoleOf } from "./secret-name.ts";

/** Replaces the secrets of a text that is shown. JSON stays JSON. */
export type Mask = (text: string) => string;

/** Characters that are searched, once for each secret; a longer text is replaced as a whole. */
const lookedAtMax = 64 * 1024 * 1024;

/** Creates a mask for tokens, signatures and keys, and for these secrets wherever they occur. */
export function createMask(secrets: readonly string[] = []): Mask {
  const distinct = [...new Set(secrets)].filter((secret) => secret !== "");
  const finder = new SecretFinder(distinct.map((text) => ({ text, kind: "secret" })));
  return (text) => {
    if (distinct.length * text.length <= lookedAtMax) return masked(text, finder);
    return isJsonLike(text) ? JSON.stringify(redactionMark) : redactionMark;
  };
}

/** A mask that knows no further secrets. */
export const plainMask: Mask = createMask();

/** Header fields without secrets, for display. The value of a secret header is replaced as a whole. */
export function maskedHeaders(headers: HeaderList, mask: Mask): HeaderList {
  return headers.map(([name, value]) => [name, maskedHeader(name, value, mask)]);
}

function maskedHeader(name: string, value: string, mask: Mask): string {
  if (isSecretHeader(name)) return redactionMark;
  const [span] = secretSpans(name, value);
  return mask(span === undefined ? value : value.slice(0, span.start) + redactionMark + value.slice(span.end));
}

/** Edits JSON value by value, JSON in its texts too; invalid JSON is also searched as text. */
function masked(text: string, finder: SecretFinder): string {
  if (!isJsonLike(text)) return maskedText(text, finder);
  let isStrange = false;
  const editor: JsonEditor = {
    key: (key) => maskedText(key, finder),
    hides: ({ member, label }) => hidingRoles.has(secretRoleOf(label) ?? secretRoleOf(member) ?? ""),
    text: (value, spot) => (isHidden(value, spot) && value !== "" ? redactionMark : masked(value, finder)),
    number: (digits, spot) => maskedNumber(digits, spot, finder),
    stray: (stray) => {
      isStrange = true;
      return stray;
    },
  };
  const edited = editJson(text, editor);
  return isStrange ? maskedText(edited, finder) : edited;
}

function maskedText(text: string, finder: SecretFinder): string {
  let [shown, copied] = ["", 0];
  for (const { start, end } of finder.findDeep(text)) {
    shown += text.slice(copied, start) + redactionMark;
    copied = end;
  }
  return copied === 0 ? text : shown + text.slice(copied);
}

/** Roles that apply to all members inside. An object named token or signature may have names in it. */
const hidingRoles: ReadonlySet<string> = new Set(["private", "secret"]);

function isHidden(value: string, { member, label, hiding }: JsonSpot): boolean {
  return hiding !== "" || isSecretName(member) || isSecretHeader(label) || isKeyPart(member, value);
}

/** A secret number becomes a text, which is JSON too. */
function maskedNumber(digits: string, { member, label, hiding }: JsonSpot, finder: SecretFinder): string {
  const isSecret = hiding !== "" || isSecretNumber(member) || isSecretNumber(label) || finder.find(digits).length > 0;
  return isSecret ? JSON.stringify(redactionMark) : digits;
}

function isJsonLike(text: string): boolean {
  return /^\s*["[{]/.test(text);
}
