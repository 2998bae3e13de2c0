import { type HeaderSecret, isUserAndPassword, looksLikeToken } from "../../foundation/secrets/secret-header.ts";
import { redactionMark, secretRoleOf } from "../../foundation/secrets/secret-name.ts";
import type { Edit } from "./identifiers.ts";
import { jwtsIn } from "./jwt.ts";
import type { Renaming } from "./renaming.ts";

const pem = /-----BEGIN [A-Z0-9 ]+-----[\s\S]*?(?:-----END [A-Z0-9 ]+-----|$)/g;
const bearer = /\b(bearer(?:\s|%20|\+)+)([\w.~+/=-]+)/gi;
const basic = /\b(basic(?:\s|%20|\+)+)([\w+/=-]{8,})/gi;
const userInfo = /(:\/\/)([^/?#\s@"']+)@/g;
// A lookahead for the value, since the value may be the next name.
const named = /(?<=[?&;"'\s])([\w./-]{1,60})(["']?\s*[=:]\s*["']?)(?=([\w.~+/=%-]{4,}))/g;
const hint = /token|passw|passph|secret|api.?key|session|jwt|assertion|credential|cookie/i;

export function isPlaceholder(text: string): boolean {
  return text === redactionMark || /^(?:token|credentials|cookie|secret|trace-state)-\d+$/.test(text);
}

/** Replaces PEM blocks, JWTs, and values named as token or password within a text. */
export function secretsIn(text: string, secrets: readonly HeaderSecret[], renaming: Renaming): readonly Edit[] {
  const edits: Edit[] = [];
  const put = (start: number, length: number, replacement: string) =>
    edits.push({ start, end: start + length, replacement });
  if (text.includes("-----BEGIN"))
    for (const { 0: block, index } of text.matchAll(pem)) put(index, block.length, redactionMark);
  for (const { text: secret, kind } of secrets)
    for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.length))
      put(at, secret.length, renaming.secret(secret, kind));
  for (const { start, end } of jwtsIn(text))
    put(start, end - start, renaming.secret(text.slice(start, end).replaceAll(/%2E/gi, "."), "token"));
  for (const { 1: scheme = "", 2: word = "", index } of text.matchAll(bearer))
    if (!isPlaceholder(word) && (looksLikeToken(word) || renaming.knownToken(word) !== undefined))
      put(index + scheme.length, word.length, renaming.secret(word, "token"));
  for (const { 1: scheme = "", 2: word = "", index } of text.matchAll(basic))
    if (!isPlaceholder(word) && isUserAndPassword(word))
      put(index + scheme.length, word.length, renaming.secret(word, "credentials"));
  if (text.includes("@"))
    for (const { 1: sign = "", 2: info = "", index } of text.matchAll(userInfo))
      if (!isPlaceholder(info)) put(index + sign.length, info.length, renaming.secret(info, "credentials"));
  if (hint.test(text))
    for (const { 1: name = "", 2: sign = "", 3: value = "", index } of text.matchAll(named))
      if (!isPlaceholder(value) && isNameOfSecret(name) && (looksLikeToken(value) || /["'=]\s*$/.test(sign)))
        put(index + name.length + sign.length, value.length, renaming.secret(value, "secret"));
  return edits;
}

/** Whether a name indicates a secret; signatures are excluded, since prose about them describes errors. */
function isNameOfSecret(name: string): boolean {
  const role = secretRoleOf(name);
  return role !== undefined && role !== "signature";
}
