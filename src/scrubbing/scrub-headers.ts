import type { HeaderList } from "../http/header.ts";
import { isSecretHeader } from "../http/secret-header.ts";
import type { Renaming } from "./renaming.ts";
import { scrubTarget } from "./scrub-target.ts";
import { isPlaceholder, leftOut, looksLikeToken } from "./secrets.ts";
import type { ValueScrubber } from "./value-scrubber.ts";

const urls: ReadonlySet<string> = new Set(["referer", "location", "content-location", "origin"]);
const correlations =
  /^(?:x-)?(?:request|correlation|trace|transaction|amzn-trace|client-request|amzn-request)-?id$|^(?:x-cloud-trace-context|x-amz-cf-id|cf-ray)$/;
const spans = /^x-b3-(?:parent)?(?:spanid|traceid)$/;
/** What says how a message goes, and names nobody. */
const plain: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "cache-control",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "date",
  "host",
  "transfer-encoding",
  "user-agent",
  "vary",
]);

/** Header fields with names for tokens, cookies and ids; their own names and order stay. */
export function scrubHeaders(headers: HeaderList, scrubber: ValueScrubber, renaming: Renaming): HeaderList {
  let isChanged = false;
  const scrubbed = headers.map((field): readonly [string, string] => {
    const [name, value] = field;
    const instead = value === "" ? value : headerValue(name.toLowerCase(), value, scrubber, renaming);
    if (instead === value) return field;
    isChanged = true;
    return [name, instead];
  });
  return isChanged ? scrubbed : headers;
}

function headerValue(name: string, value: string, scrubber: ValueScrubber, renaming: Renaming): string {
  if (name.endsWith("authorization") || name === "authentication") return credentials(value, renaming);
  if (name === "cookie") return value.replaceAll(/(^|;)(\s*[^=;]*=)([^;]*)/g, (...part) => cookie(part, renaming));
  if (name === "set-cookie") return value.replace(/()^([^=;]*=)([^;]*)/, (...part) => cookie(part, renaming));
  if (name === "sec-websocket-protocol") return value.replaceAll(/[^,\s]+/g, (each) => protocol(each, renaming));
  if (name === "tracestate")
    return value.replaceAll(/=([^,]+)/g, (_, state: string) => `=${renaming.secret(state, "trace-state")}`);
  if (isSecretHeader(name)) return isPlaceholder(value) ? value : renaming.secret(value, "secret");
  if (plain.has(name) && !value.includes("::") && !value.includes("eyJ")) return value;
  if (urls.has(name)) return scrubTarget(value, scrubber);
  if (spans.test(name) && /^[0-9a-f]{16}$/.test(value)) return renaming.hex(value, "span");
  return scrubber.member(value, correlations.test(name) ? "correlationId" : "error");
}

/** The scheme stays, so that it can be seen which was used; an empty one stays empty. */
function credentials(value: string, renaming: Renaming): string {
  const [, scheme = "", rest = ""] = /^(\s*[A-Za-z][\w-]*\s+)(.+)$/s.exec(value) ?? [];
  if (rest !== "" && rest.trim() === "") return value;
  if (scheme === "") return /^\s*(?:bearer|basic)\s*$/i.test(value) ? value : tokenName(value, renaming);
  if (/^\s*bearer\s/i.test(scheme)) return scheme + tokenName(rest, renaming);
  return isPlaceholder(rest) ? value : scheme + renaming.secret(rest, "credentials");
}

/** A protocol of a WebSocket, among which clients hide their tokens (facts, ledger-api 2.1). */
function protocol(text: string, renaming: Renaming): string {
  const mark = "jwt.token.";
  if (text.startsWith(mark)) return mark + tokenName(text.slice(mark.length), renaming);
  return looksLikeToken(text) ? tokenName(text, renaming) : text;
}

function tokenName(token: string, renaming: Renaming): string {
  return isPlaceholder(token) ? token : renaming.secret(token, "token");
}

function cookie([, begin, name, value]: readonly string[], renaming: Renaming): string {
  const isShown = value === undefined || value === "" || isPlaceholder(value) || value === leftOut;
  return `${begin ?? ""}${name ?? ""}${isShown ? (value ?? "") : renaming.secret(value, "cookie")}`;
}
