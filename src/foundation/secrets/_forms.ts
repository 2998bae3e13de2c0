import { endOfString } from "../json/edit-json.ts";
import { jwtsIn } from "./jwt.ts";
import { type HeaderSecretKind, looksLikeToken, secretSpans, userAndPassword } from "./secret-header.ts";
import {
  isKeyPart,
  isSecretHeader,
  isSecretNumber,
  namedSecretHint,
  parameterRoleOf,
  secretRoleOf,
} from "./secret-name.ts";

/** How a secret was recognized: listed by the caller, by its syntax, or by the name of its value. */
export type SecretForm = "listed" | "pem" | "jwt" | "bearer" | "basic" | "user-info" | "named";

/** What a secret is. A private key must not even get a pseudonym; a signature proves nothing to a third party. */
export type FoundKind = HeaderSecretKind | "private" | "signature";

/** Receives the place of a secret. */
type Put = (start: number, end: number, form: SecretForm, kind: FoundKind) => void;

/** A quick test: most texts have none of the forms. */
const interesting =
  /eyJ|-----BEGIN|bearer|basic[\s%+]|digest\s|\/\/[^/\s]*@|form-data|<\/|"value"|curl|--[a-z]|machine\s/i;

/** Tokens of other services, which their beginning identifies. */
const prefixed =
  /(?<![A-Za-z0-9])(?:gh[opusr]_[A-Za-z0-9]{20,255}|github_pat_\w{22,255}|glpat-[\w-]{20,100}|xox[abeoprs]-[\w-]{10,250}|npm_[A-Za-z0-9]{36}|A(?:KIA|SIA)[A-Z0-9]{16})(?![A-Za-z0-9])/g;
const prefixes = /gh[opusr]_|github_pat_|glpat-|xox[abeoprs]-|npm_|A[KS]IA/;

export function mayHaveForms(text: string): boolean {
  return interesting.test(text) || namedSecretHint.test(text) || prefixes.test(text);
}

/** Whether a text without separators may have a form. */
export function mayHavePrefix(word: string): boolean {
  return prefixes.test(word);
}

/** Reports every secret of a text that its syntax or a name shows. Takes time in proportion to the length of the text. */
export function findForms(text: string, put: Put): void {
  putJwts(text, put);
  if (text.includes("-----BEGIN")) putPem(text, put);
  putSchemes(text, put);
  if (prefixes.test(text))
    for (const { 0: token, index } of text.matchAll(prefixed)) put(index, index + token.length, "bearer", "token");
  putCommands(text, put);
  if (text.includes("@")) putAll(text, userInfo, (start, end) => put(start, end, "user-info", "credentials"));
  if (/form-data/i.test(text)) putParts(text, put);
  if (text.includes("</")) putElements(text, put);
  if (/"value"/i.test(text)) putLabelled(text, put);
  if (!namedSecretHint.test(text)) return;
  putNamed(text, put);
  putLines(text, put);
}

function putJwts(text: string, put: Put): void {
  for (const { start, end } of jwtsIn(text)) put(start, end, "jwt", "token");
}

// The end of a key may be missing where a text is truncated.
const pem = /-----BEGIN[A-Z0-9 +]+-----[\s\S]*?(?:-----END[A-Z0-9 +]+-----|$)/g;

function putPem(text: string, put: Put): void {
  for (const { 0: block, index } of text.matchAll(pem)) put(index, index + block.length, "pem", "private");
}

const userInfo = /(?:^|:)\/\/([^/?#\s"'<>]+)@/dg;

/** Reports the first group of each match. */
function putAll(
  text: string,
  pattern: RegExp,
  put: (start: number, end: number, match: RegExpExecArray) => void,
): void {
  for (const match of text.matchAll(pattern)) {
    const [start, end] = match.indices?.[1] ?? [0, 0];
    put(start, end, match);
  }
}

const digest = /\bdigest\s[^\r\n]{0,500}?\bresponse="([^"\\]+)/dgi;
const userOfCurl = /\s(?:-u|--(?:proxy-)?user)(?:\s{1,5}|=)["']?[^\s:"'\\]{1,100}:([^\s"'\\]+)/dg;
const netrc = /\bmachine\s{1,10}\S{1,200}\s{1,10}login\s{1,10}\S{1,200}\s{1,10}password\s{1,10}([^\s"'\\<]+)/dgi;
const flag = /--([a-z][\w-]{1,40})\s{1,5}["']?(?!-)([^\s"'\\<]+)/gi;

/** Reports what a shell command, a file of curl and a header of Digest give after words instead of names. */
function putCommands(text: string, put: Put): void {
  if (/digest/i.test(text)) putAll(text, digest, (start, end) => put(start, end, "basic", "credentials"));
  if (text.includes("curl")) putAll(text, userOfCurl, (start, end) => put(start, end, "user-info", "credentials"));
  if (/machine/i.test(text)) putAll(text, netrc, (start, end) => put(start, end, "named", "secret"));
  for (const { 0: whole, 1: name = "", 2: value = "", index } of text.matchAll(flag)) {
    const role = secretRoleOf(name);
    const end = index + whole.length;
    if (role !== undefined && looksLikeToken(value)) put(end - value.length, end, "named", kindOf(role));
  }
}

const bearer = /\b(bearer)(?:\s|%20|\+){1,1000}([\w.~+/=-]+)/gi;
const basic = /\bbasic(?:\s|%20|\+){1,1000}([\w+/=-]{8}[\w+/=-]*)/gi;
const authorizationBefore = /authorization["']?\s*[:=]\s*["']?$/i;
/** Words that follow the word bearer in prose and in challenges. */
const prose =
  /^(?:a|an|and|auth|authentication|authorization|credentials?|error|for|from|has|headers?|in|is|must|not|of|or|prefix|realm|required|scheme|scope|that|the|to|tokens?|was|with)(?![\w~+/-]|\.\w)/i;

function putSchemes(text: string, put: Put): void {
  for (const { 0: whole, 1: scheme = "", 2: word = "", index } of text.matchAll(bearer)) {
    if (prose.test(word) || !(scheme !== "bearer" || looksLikeToken(word) || /[\d~+/=]|\.\w/.test(word))) continue;
    put(index + whole.length - word.length, index + whole.length, "bearer", "token");
  }
  for (const { 0: whole, 1: word = "", index } of text.matchAll(basic)) {
    const isCredentials =
      userAndPassword(word) !== undefined || authorizationBefore.test(text.slice(Math.max(0, index - 30), index));
    if (isCredentials) put(index + whole.length - word.length, index + whole.length, "basic", "credentials");
  }
}

const namePart = String.raw`[\w.%~[\]-]`;
/** A name, at the beginning of a run of its characters so that each run is tried once. */
const named = new RegExp(String.raw`(?<!${namePart})(${namePart}+)(["']?\s{0,10}[=:]\s{0,10})(?!:)(?=\S)`, "g");

/** Reports the values of members, parameters and assignments: `"password": "x"`, `password=x`, `password: x1y2z3`. */
function putNamed(text: string, put: Put): void {
  named.lastIndex = 0;
  for (let match = named.exec(text); match !== null; match = named.exec(text)) {
    const [whole, name = "", separator = ""] = match;
    const isAssigned = separator.includes("=");
    const role = isAssigned ? parameterRoleAt(text, match.index, name) : secretRoleOf(name);
    const at = match.index + whole.length;
    if (role === undefined) {
      const [part] = keyPartAt(text, at, name);
      if (part !== undefined) put(...part, "named", "private");
      continue;
    }
    // Prose about signatures describes errors, a cookie has names of its own, and after `:` or `#` is part of a template id.
    const isSpoken = role !== "signature" && !/cookies?$/i.test(name) && !/[:#]/.test(text.charAt(match.index - 1));
    const values = valuesAt(text, at, { name, separator, isAssigned, isSpoken });
    for (const [start, end] of values) put(start, end, "named", kindOf(role));
    named.lastIndex = Math.max(at, values.at(-1)?.[1] ?? at);
  }
}

/** A code of OAuth is a secret as a parameter only. */
function parameterRoleAt(text: string, index: number, name: string): ReturnType<typeof parameterRoleOf> {
  const isParameter = index === 0 || /[?&#;]/.test(text.charAt(index - 1));
  return isParameter ? parameterRoleOf(name) : secretRoleOf(name.replace(/\]$/, ""));
}

function kindOf(role: NonNullable<ReturnType<typeof secretRoleOf>>): FoundKind {
  return role === "private" || role === "signature" ? role : "secret";
}

type Range = readonly [start: number, end: number];

interface NamedValue {
  readonly name: string;
  readonly separator: string;
  readonly isAssigned: boolean;
  readonly isSpoken: boolean;
}

/** The places of the values after a name: of each element of a list, otherwise of one value. */
function valuesAt(text: string, at: number, value: NamedValue): readonly Range[] {
  const { name, separator, isAssigned, isSpoken } = value;
  const isMember = separator.startsWith('"');
  switch (text.charAt(at)) {
    case '"':
      return [[at + 1, endOfString(text, at + 1)]];
    case "'":
      return [[at + 1, endOf(text, singleQuoted, at + 1)]];
    case "[":
      return isMember ? listAt(text, at + 1) : [];
    case "$":
    case "{":
      return [];
    default:
  }
  if (isAssigned) return wordAt(text, at, assigned);
  const [range] = wordAt(text, at, spoken);
  const word = range === undefined ? "" : text.slice(...range);
  if (range === undefined || /^(?:true|false|null)$/.test(word)) return [];
  if (isMember) return isSecretNumber(name) ? [range] : [];
  return isSpoken && looksLikeToken(word) ? [range] : [];
}

const keyCharacters = /[\w-]*/y;

/** The private part of an RSA key. In a text, names of one letter are common. */
function keyPartAt(text: string, at: number, name: string): readonly Range[] {
  if (name.length !== 2) return [];
  const start = /["']/.test(text.charAt(at)) ? at + 1 : at;
  const end = endOf(text, keyCharacters, start);
  return isKeyPart(name, text.slice(start, end)) ? [[start, end]] : [];
}

const singleQuoted = /[^'\r\n]*/y;
const assigned = /[^&#\s'"\\<>]*(?<![;,])/y;
const spoken = /[^\s'",;&<>\\(){}[\]]*/y;

function endOf(text: string, pattern: RegExp, at: number): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return Math.max(at, pattern.lastIndex);
}

function wordAt(text: string, at: number, pattern: RegExp): readonly Range[] {
  const end = endOf(text, pattern, at);
  // The scheme of a credential is not a secret; the credential is found by its scheme.
  return end === at || /^(?:bearer|basic|digest)$/i.test(text.slice(at, end)) ? [] : [[at, end]];
}

const element = /[\s,]*(?:"|-?\d[\d.eE+-]*)/y;

function listAt(text: string, from: number): readonly Range[] {
  const values: Range[] = [];
  for (let at = from; ; ) {
    element.lastIndex = at;
    const found = element.exec(text)?.[0];
    if (found === undefined) return values;
    const isString = found.endsWith('"');
    const start = isString ? at + found.length : at + found.search(/[-\d]/);
    const end = isString ? endOfString(text, start) : at + found.length;
    values.push([start, end]);
    at = isString ? end + 1 : end;
  }
}

const target = /^(?:[a-z][a-z0-9+.-]*:)?\/\S*$/i;
const form = new RegExp(String.raw`^[ \t]*${namePart}+=[^\r\n]*$`, "gm");
const pairOfTarget = /[?&;#]([^=&?#;]+)=([^&#]*)/g;
const pairOfForm = /([^=&]+)=([^&]*)/g;
const header = /(?:^|[\s'"])([A-Za-z][\w-]{1,60}):[ \t]+([^\r\n'"]+)/g;

/** Reports values that end only with their parameter, form field or header: in a target and in whole lines. */
function putLines(text: string, put: Put): void {
  if (target.test(text)) putPairs(text, 0, pairOfTarget, put);
  for (const { 0: line, index } of text.matchAll(form)) putPairs(line, index, pairOfForm, put);
  for (const { 0: whole, 1: name = "", 2: value = "", index } of text.matchAll(header))
    if (isSecretHeader(name)) putHeader(name, value, index + whole.length - value.length, put);
}

function putPairs(text: string, from: number, pattern: RegExp, put: Put): void {
  for (const { 0: whole, 1: name = "", 2: value = "", index } of text.matchAll(pattern)) {
    const role = parameterRoleOf(name.trim());
    const start = from + index + whole.length - value.length;
    if (role === undefined || value.trim() === "") continue;
    // A cookie ends before its attributes.
    put(start, start + (value.split("; ")[0] ?? "").length, "named", kindOf(role));
  }
}

/** Skips prose and shell variables after the name of a header. */
function putHeader(name: string, value: string, from: number, put: Put): void {
  for (const { start, end, kind } of secretSpans(name, value)) {
    const text = value.slice(start, end).trim();
    const isCertain = kind === "cookie" || looksLikeToken(text);
    if (isCertain && !/^\$|\s/.test(text)) put(from + start, from + end, "named", kind);
  }
}

const labelled = /"(?:name|key)"\s{0,10}:\s{0,10}"([^"\\]{1,200})"\s{0,10},\s{0,10}"value"\s{0,10}:\s{0,10}"/gi;
const labelledLater =
  /"value"\s{0,10}:\s{0,10}"([^"\\]{0,2000})"\s{0,10},\s{0,10}"(?:name|key)"\s{0,10}:\s{0,10}"([^"\\]{1,200})"/dgi;

/** Reports the values of pairs: `{"name": "password", "value": "x"}`, in both orders. */
function putLabelled(text: string, put: Put): void {
  for (const { 0: whole, 1: label = "", index } of text.matchAll(labelled)) {
    const [start, role] = [index + whole.length, secretRoleOf(label)];
    if (role !== undefined) put(start, endOfString(text, start), "named", kindOf(role));
  }
  putAll(text, labelledLater, (start, end, [, , label = ""]) => {
    const role = secretRoleOf(label);
    if (role !== undefined) put(start, end, "named", kindOf(role));
  });
}

const elementOpen = /<(?:[\w.-]{1,60}:)?([\w.-]{1,100})(?:\s[^<>]*)?>(?:<!\[CDATA\[)?([^<]*)/g;

/** Reports the texts of XML elements. */
function putElements(text: string, put: Put): void {
  for (const { 0: whole, 1: name = "", 2: value = "", index } of text.matchAll(elementOpen)) {
    const end = index + whole.length;
    const isClosed = text.startsWith("</", end) || (end === text.length && !/\s/.test(value));
    const role = isClosed && value.trim() !== "" ? secretRoleOf(name) : undefined;
    if (role !== undefined) put(end - value.length, value.endsWith("]]>") ? end - 3 : end, "named", kindOf(role));
  }
}

const disposition = /content-disposition:[ \t]*form-data([^\r\n]*)/gi;
const headEnd = /(?:\r?\n[^\r\n]{1,500}){0,8}\r?\n\r?\n/y;

/** Reports the values of multipart form fields. */
function putParts(text: string, put: Put): void {
  const boundary = /^--[^\r\n]{1,70}/m.exec(text)?.[0] ?? "--";
  let from = 0;
  for (const { 0: line, 1: parameters = "", index } of text.matchAll(disposition)) {
    if (index < from) continue;
    const role = parameterRoleOf(/[;\s]name\*?="?([^";]{1,100})/i.exec(parameters)?.[1] ?? "");
    const start = endOf(text, headEnd, index + line.length);
    if (role === undefined || start === index + line.length) continue;
    const next = text.indexOf(`\n${boundary}`, start - 1);
    const end = next < 0 ? text.length : next - (text.charAt(next - 1) === "\r" ? 1 : 0);
    put(start, end, "named", kindOf(role));
    from = Math.max(start, end);
  }
}
