import type { HeaderList } from "../http/header.ts";
import { latinOfAnyBase64 } from "../text/base64.ts";
import { isPlaceholder, isSecretHeader } from "./secret-name.ts";

/** A shorter secret is searched only at its own place: elsewhere it occurs by chance. */
export const maskedLengthMin = 8;

export type HeaderSecretKind = "token" | "credentials" | "cookie" | "secret";

/** The place of a secret in the value of a header. */
interface SecretSpan {
  readonly start: number;
  readonly end: number;
  readonly kind: HeaderSecretKind;
}

/** The secret parts of a header's value, without the scheme, the names and attributes of cookies, and names of protocols. */
export function secretSpans(name: string, value: string): readonly SecretSpan[] {
  const lower = name.toLowerCase();
  if (lower.endsWith("authorization") || lower === "authentication") return credentials(value);
  switch (lower) {
    case "host":
      return matches(value, /^(.*)@/ds, "credentials");
    case "cookie":
      return matches(value, /(?:^|;)[^=;]*=([^;]+)/dg, "cookie");
    case "set-cookie":
      return matches(value, /^[^=;]*=([^;]+)/d, "cookie");
    case "sec-websocket-protocol":
      return matches(value, /(?:^|[,\s])(?:jwt\.token\.)?([^,\s]+)/dg, "token").filter((span) =>
        isProtocolToken(value, span),
      );
    default:
      return isSecretHeader(name) && value !== "" ? [{ start: 0, end: value.length, kind: "secret" }] : [];
  }
}

/** Empty credentials hold no secret. */
function credentials(value: string): readonly SecretSpan[] {
  const scheme = /^\s*[A-Za-z][\w-]*\s+(?=\S)/.exec(value)?.[0] ?? "";
  if (scheme === "" && /^\s*(?:(?:bearer|basic|digest|negotiate|ntlm)\s*)?$/i.test(value)) return [];
  const kind = scheme === "" || /^\s*bearer\s/i.test(scheme) ? "token" : "credentials";
  return [{ start: scheme.length, end: value.length, kind }];
}

function matches(value: string, pattern: RegExp, kind: HeaderSecretKind): readonly SecretSpan[] {
  const found = pattern.global ? [...value.matchAll(pattern)] : [pattern.exec(value)];
  return found.flatMap((match) => {
    const [start, end] = match?.indices?.[1] ?? [0, 0];
    return start < end ? [{ start, end, kind }] : [];
  });
}

/** Clients send their tokens among the protocols of a WebSocket (Canton 3.5, Endpoints.scala). */
function isProtocolToken(value: string, { start, end }: SecretSpan): boolean {
  return value.slice(0, start).endsWith("jwt.token.") || looksLikeToken(value.slice(start, end));
}

/** Whether a word is unlikely in prose such as "bearer token required". */
export function looksLikeToken(word: string): boolean {
  return word.length >= 20 || (word.length >= 6 && /\d/.test(word) && /[A-Za-z]/.test(word));
}

/** The user and the password of basic credentials, which may be truncated; undefined for other words. */
export function userAndPassword(word: string): string | undefined {
  const bare = word.replace(/={1,2}$/, "");
  const pair = latinOfAnyBase64(bare.slice(0, bare.length - (bare.length % 4 === 1 ? 1 : 0)));
  return pair?.includes(":") === true ? pair : undefined;
}

/** A secret that is searched wherever else it may occur. */
export interface KnownSecret {
  readonly text: string;
  readonly kind: HeaderSecretKind;
}

/** The secrets in headers that are long enough to be searched elsewhere. Basic credentials are decoded too. */
export function secretsInHeaders(headers: HeaderList): readonly KnownSecret[] {
  return headers.flatMap(([name, value]) =>
    secretSpans(name, value).flatMap(({ start, end, kind }) => {
      const text = value.slice(start, end).trim();
      const texts = kind === "credentials" ? [text, ...decodedCredentials(text)] : [text];
      return texts.filter((each) => isSearched(each, kind)).map((each) => ({ text: each, kind }));
    }),
  );
}

function decodedCredentials(text: string): readonly string[] {
  const pair = text.includes(":") ? text : userAndPassword(text);
  return pair === undefined ? [] : [pair, pair.slice(pair.indexOf(":") + 1)];
}

/** The initial user of every participant. */
const administrator = "participant_admin";
const ledgerId = /^[\w-]+(?:::|%3A%3A)1220[0-9a-f]{64}$/i;

/** Whether a secret is searched elsewhere: not if it is short, a name, or a word that occurs by itself. */
export function isSearched(text: string, kind: HeaderSecretKind): boolean {
  if (text.length < maskedLengthMin || text === administrator || isPlaceholder(text) || ledgerId.test(text))
    return false;
  return kind !== "cookie" || !isWords(text);
}

/** A cookie may store a path, a language or a theme. */
function isWords(text: string): boolean {
  return /^[a-z/_-]+$/.test(text.replaceAll(/\/v\d+/g, "/")) && !/[a-z]{21}/.test(text);
}
