import { Body } from "../../foundation/http/body.ts";
import { headerValues } from "../../foundation/http/header.ts";
import { readableText } from "../../foundation/http/readable-text.ts";
import type { Request } from "../../foundation/http/request.ts";
import type { Mask } from "../../foundation/secrets/mask.ts";
import { isSecretHeader } from "../../foundation/secrets/secret-name.ts";
import type { TokenKind } from "../rules/rule.ts";

const omittedHeaders: ReadonlySet<string> = new Set([
  "host",
  "content-length",
  "connection",
  "accept-encoding",
  "user-agent",
]);

/** The shell variable for a token, by kind of token. */
const tokenVariables: Readonly<Record<TokenKind, string>> = {
  none: "$TOKEN",
  administrator: "$TOKEN",
  plain: "$PLAIN_TOKEN",
  expired: "$EXPIRED_TOKEN",
  invalid: "$INVALID_TOKEN",
};

/** A shell line that sends the request again. Tokens are replaced by shell variables, named by the kind of token. */
export function curlLine(
  request: Request,
  tokenKind: TokenKind = "administrator",
  quoted: (text: string) => string = portableWord,
): string {
  const host = headerValues(request.headers, "host")[0];
  const url = /^https?:/i.test(request.target)
    ? request.target
    : `${host === undefined ? "$BASE_URL" : `http://${host}`}${request.target}`;
  const headers = request.headers
    .filter(
      ([name, value]) =>
        !omittedHeaders.has(name.toLowerCase()) && !(name.toLowerCase() === "accept" && value === "*/*"),
    )
    .map(([name, value]) => headerWord(name, value, tokenVariables[tokenKind], quoted));
  const body = request.body.text();
  const data = body === "" ? [] : [`--data-raw ${quoted(body)}`];
  const address = url.startsWith("$BASE_URL") ? `"$BASE_URL"${shellWord(url.slice("$BASE_URL".length))}` : quoted(url);
  return [
    "curl",
    "-sS",
    ...(request.method === "GET" && body === "" ? [] : [`-X ${request.method}`]),
    ...headers,
    ...data,
    address,
  ].join(" ");
}

/** A curl line with redacted parts. Parts are masked before quoting, because quoted JSON is no longer valid JSON. */
export function maskedCurlLine(request: Request, mask: Mask, tokenKind?: TokenKind): string {
  const { method, target, headers, body } = request;
  const shown = headers.map(([name, value]) => [name, isSecretHeader(name) ? value : mask(value)] as const);
  const text = mask(readableText(body));
  return curlLine({ method, target: mask(target), headers: shown, body: new Body(text) }, tokenKind);
}

/** A header as a curl option. A scheme without credentials stays readable. */
function headerWord(name: string, value: string, token: string, quoted: (text: string) => string): string {
  const isBare = name.toLowerCase() === "authorization" && /^(?:bearer|basic)?$/i.test(value);
  if (isBare || !isSecretHeader(name)) return `-H ${quoted(`${name}: ${value}`)}`;
  if (name.toLowerCase() !== "authorization") return `-H "${name}: $SECRET"`;
  return `-H "Authorization: ${/^basic /i.test(value) ? "Basic $CREDENTIALS" : `Bearer ${token}`}"`;
}

/**
 * Text as one word of a POSIX shell, of cmd.exe, and of PowerShell behind `curl.exe --%`: in double quotes. A text that these
 * shells read in different ways is in single quotes, for a POSIX shell alone.
 */
export function portableWord(text: string): string {
  // cmd.exe reads each quote as the beginning or the end of quoted text.
  const differs = text.includes('"') ? /[\\$`!\r\n&|<>^]/ : /[\\$`!\r\n]/;
  return differs.test(text) ? shellWord(text) : `"${text.replaceAll('"', '\\"')}"`;
}

/** Text as one word of a POSIX shell. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
