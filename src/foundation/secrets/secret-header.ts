import type { HeaderList } from "../http/header.ts";

const names: ReadonlySet<string> = new Set([
  "authentication",
  "authorization",
  "cookie",
  "proxy-authorization",
  "sec-websocket-protocol",
  "set-cookie",
  "signature-input",
]);
/** What is called a key and opens nothing. */
const harmless: ReadonlySet<string> = new Set(["idempotency-key", "sec-websocket-key"]);
const secretEnd =
  /(?:-|^)(?:api-?key|authorization|key|tokens?|secret|auth|session|session-id|session-?token|csrf|xsrf|password|passphrase|credentials?|cookies?|jwt-assertion|signature(?:-\d+)?)$/;

/** A shorter value of a secret is a word like any other, which reports may show. */
export const maskedLengthMin = 8;

/** Whether the value of this header must not be shown or written: it lets whoever reads it act as somebody else. */
export function isSecretHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return names.has(lower) || (!harmless.has(lower) && secretEnd.test(lower));
}

type HeaderSecretKind = "token" | "credentials" | "cookie" | "secret";

/** Where in the value of a header a secret stands. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  readonly kind: HeaderSecretKind;
}

/** What of a header's value is secret: not the scheme, not the names and attributes of cookies, not a protocol's name. */
export function secretSpans(name: string, value: string): readonly SecretSpan[] {
  const lower = name.toLowerCase();
  if (lower.endsWith("authorization") || lower === "authentication") return credentials(value);
  switch (lower) {
    case "cookie":
      return matches(value, /(?:^|;)\s*[^=;]*=([^;]+)/dg, "cookie");
    case "set-cookie":
      return matches(value, /^[^=;]*=([^;]+)/dg, "cookie");
    case "sec-websocket-protocol":
      return matches(value, /(?:^|[,\s])(?:jwt\.token\.)?([^,\s]+)/dg, "token").filter((span) =>
        isProtocolToken(value, span),
      );
    default:
      return isSecretHeader(name) && value !== "" ? [{ start: 0, end: value.length, kind: "secret" }] : [];
  }
}

/** The scheme is none, so that it can be seen which was used; an empty one holds nothing. */
function credentials(value: string): readonly SecretSpan[] {
  const [, scheme = "", rest = ""] = /^(\s*[A-Za-z][\w-]*\s+)(.+)$/s.exec(value) ?? [];
  if (rest === "" && /^\s*(?:(?:bearer|basic|digest|negotiate|ntlm)\s*)?$/i.test(value)) return [];
  if (rest !== "" && rest.trim() === "") return [];
  const kind = scheme === "" || /^\s*bearer\s/i.test(scheme) ? "token" : "credentials";
  return [{ start: scheme.length, end: value.length, kind }];
}

function matches(value: string, pattern: RegExp, kind: HeaderSecretKind): readonly SecretSpan[] {
  return [...value.matchAll(pattern)].flatMap(({ indices }) => {
    const [start, end] = indices?.[1] ?? [0, 0];
    return start < end ? [{ start, end, kind }] : [];
  });
}

/** Clients hide their tokens among the protocols of a WebSocket (Canton 3.5, Endpoints.scala). */
function isProtocolToken(value: string, { start, end }: SecretSpan): boolean {
  return value.slice(0, start).endsWith("jwt.token.") || looksLikeToken(value.slice(start, end));
}

/** A word in a text that nobody would write for a token, such as in "bearer token required". */
export function looksLikeToken(word: string): boolean {
  return word.length >= 20 || (word.length >= 6 && /\d/.test(word) && /[A-Za-z]/.test(word));
}

/** Basic credentials, of which the end may be cut off. */
export function isUserAndPassword(word: string): boolean {
  const bare = word.replace(/=+$/, "").replaceAll("-", "+").replaceAll("_", "/");
  try {
    return atob(bare.slice(0, bare.length - (bare.length % 4 === 1 ? 1 : 0))).includes(":");
  } catch {
    return false;
  }
}

/** A secret of an exchange's headers. */
export interface HeaderSecret {
  readonly text: string;
  readonly kind: HeaderSecretKind;
}

/** What must be left out wherever else it stands: not words that stand everywhere, nor the path that a cookie remembers. */
export function secretsInHeaders(headers: HeaderList): readonly HeaderSecret[] {
  return headers.flatMap(([name, value]) =>
    secretSpans(name, value)
      .map(({ start, end, kind }) => ({ text: value.slice(start, end).trim(), kind }))
      .filter(({ text, kind }) => text.length >= maskedLengthMin && !(kind === "cookie" && pathOfWords.test(text))),
  );
}

const pathOfWords = /^(?:\/(?:[a-z][a-z-]{0,19}|v\d+))+\/?$/;
