import { isUserAndPassword } from "./secret-header.ts";
import { isSecretName, redactionMark } from "./secret-name.ts";

type Replace = (text: string) => string;

/** What is known for a secret by its form, or by its name, in a text that is no JSON. */
export function maskText(text: string, literal: readonly string[]): string {
  const plain = withoutKnown(text, literal);
  return /[%+]/.test(plain) ? withoutEncoded(plain, literal) : plain;
}

function withoutKnown(text: string, literal: readonly string[]): string {
  let masked = text;
  for (const secret of literal) masked = masked.replaceAll(secret, redactionMark);
  for (const replace of replacements) masked = replace(masked);
  return masked;
}

const parts = /[^\s/?&=#'"\\;,]+/g;

/** Parts of a URL in which something is secret once they are decoded are left out whole. */
function withoutEncoded(text: string, literal: readonly string[]): string {
  return text.replaceAll(parts, (part) => {
    if (!/[%+]/.test(part)) return part;
    const decoded = decodedPart(part);
    const isShown = decoded === part || withoutKnown(decoded, literal) === decoded;
    return isShown ? part : redactionMark;
  });
}

function decodedPart(part: string): string {
  const spaced = part.replaceAll("+", " ");
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced.replaceAll(/%([0-7][0-9a-f])/gi, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
  }
}

// The end of a secret may be cut off where a report shows a value by its beginning; so no pattern asks for an end.
const jwt = /(?<![\w-])eyJ[\w-]{5,}\.[\w-]+(?:\.[\w-]*)?/g;
// Prose speaks of bearer tokens, and a shell line of a variable.
const bearer =
  /\b(bearer\s+)(?!\$|(?:tokens?|auth|authentication|authorization|headers?|is|was|or|and|not|scheme|required)(?![\w~+/=-]|\.\w))[\w.~+/=-]+/gi;
const basic = /(authorization["']?\s*[:=]\s*["']?)?\b(basic\s+)([\w+/=-]{8,})/gi;
const userInfo = /(:\/\/)[^/?#\s@"']*@/g;
const pem = /-----BEGIN[A-Z %0-9+]+-----[\s\S]*?(?:-----END [A-Z ]+-----|$)/g;
// A member of JSON that is broken or stands within another text, and one of JSON within a text of such JSON.
const member = /("([^"\\]{1,100})"\s*:\s*")(?:[^"\\]|\\[\s\S])*/g;
const innerMember = /(\\"([^"\\]{1,100})\\"\s*:\s*\\")(?:[^"\\]|\\\\(?:\\\\|\\"|[^"\\])|\\(?![\\"]))*/g;
const list = /("([^"\\]{1,100})"\s*:\s*\[\s*)"[^\]]*/g;
const numberMember = /("([^"\\]{1,100})"\s*:\s*)-?\d[\d.eE+-]*/g;
const pair = /((?:^|[?&;'"])([^=&?#\s'"\\;]{1,200})=)[^&#\s'"\\]*/g;

/** A target has no end but its own; a URL within a text ends where a quote does. */
const wholeTarget = /^(?:https?:\/)?\/\S*$/i;
const pairOfTarget = /((?:^|[?&;])([^=&?#;]{1,200})=)[^&#]*/g;

const replacements: readonly Replace[] = [
  (text) => text.replaceAll(jwt, redactionMark),
  (text) => text.replaceAll(bearer, `$1${redactionMark}`),
  (text) =>
    text.replaceAll(basic, (whole: string, header: string | undefined, scheme: string, word: string) =>
      header !== undefined || isUserAndPassword(word) ? `${header ?? ""}${scheme}${redactionMark}` : whole,
    ),
  ...[member, innerMember].map(
    (pattern): Replace =>
      (text) =>
        byName(text, pattern, redactionMark),
  ),
  (text) => byName(text, list, `"${redactionMark}"`),
  (text) => byName(text, numberMember, `"${redactionMark}"`),
  (text) => text.replaceAll(userInfo, `$1${redactionMark}@`),
  (text) => byName(text, wholeTarget.test(text) ? pairOfTarget : pair, redactionMark),
  (text) => text.replaceAll(pem, redactionMark),
];

/** Codes of OAuth are as good as tokens, where they are parameters. */
const codes: ReadonlySet<string> = new Set(["code", "code_verifier"]);

function byName(text: string, pattern: RegExp, instead: string): string {
  const isPair = pattern === pair || pattern === pairOfTarget;
  return text.replaceAll(pattern, (whole: string, before: string, written: string) => {
    const name = isPair ? decodedPart(written) : unescaped(written);
    return isSecretName(name) || (isPair && codes.has(name)) ? before + instead : whole;
  });
}

function unescaped(name: string): string {
  return name.replaceAll(/\\u([0-9a-f]{4})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}
