import type { HeaderList } from "../../foundation/http/header.ts";
import { isSecretHeader } from "../../foundation/secrets/secret-name.ts";
import { redactHeaderSecrets } from "./redact-secrets.ts";
import { redactTarget } from "./redact-target.ts";
import type { Renaming } from "./renaming.ts";
import type { ValueRedactor } from "./value-redactor.ts";

const urls: ReadonlySet<string> = new Set(["referer", "location", "content-location", "origin"]);
const correlations =
  /^(?:x-)?(?:request|correlation|trace|transaction|amzn-trace|client-request|amzn-request)-?id$|^(?:idempotency-key|x-cloud-trace-context|x-amz-cf-id|cf-ray)$/;
const spans = /^x-b3-(?:parent)?(?:spanid|traceid)$/;
/** Headers without identifiers. */
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

/** Replaces tokens, cookies and ids in header values; field names and order stay. */
export function redactHeaders(headers: HeaderList, redactor: ValueRedactor, renaming: Renaming): HeaderList {
  let isChanged = false;
  const redacted = headers.map((field): readonly [string, string] => {
    const [name, value] = field;
    const replacement = value === "" ? value : headerValue(name.toLowerCase(), value, redactor, renaming);
    if (replacement === value) return field;
    isChanged = true;
    return [name, replacement];
  });
  return isChanged ? redacted : headers;
}

function headerValue(name: string, value: string, redactor: ValueRedactor, renaming: Renaming): string {
  if (name === "tracestate")
    return value.replaceAll(/=([^,]+)/g, (_, state: string) => `=${renaming.secret(state, "trace-state")}`);
  if (isSecretHeader(name) || (name === "host" && value.includes("@")))
    return redactHeaderSecrets(name, value, renaming);
  if (plain.has(name) && !value.includes("::") && !redactor.mayHaveSecrets(value)) return value;
  if (urls.has(name)) return redactTarget(value, redactor);
  if (spans.test(name) && /^[0-9a-f]{16}$/.test(value)) return renaming.hex(value, "span");
  return redactor.member(value, correlations.test(name) ? "correlationId" : "error");
}
