import type { Request } from "../../foundation/http/request.ts";
import { illegalCharacterAt } from "../../foundation/http/request-target.ts";
import { type Response, textResponse } from "../../foundation/http/response.ts";
import { withReason } from "../../foundation/http/with-reason.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { renderRefusal } from "./render-refusal.ts";

// Defaults of Pekko HTTP 1.1 (reference.conf, pekko.http.parsing). Canton 3.5 sets content length and timeouts only (source).
const targetLengthMax = 2048;
const headersMax = 64;
const headerNameLengthMax = 64;
const headerValueLengthMax = 8192;

interface Problem {
  readonly status: 400 | 414 | 431;
  readonly text: string;
  /** What the client should do. */
  readonly advice: string;
}

/**
 * The refusal of a request line or of headers that the parser of a node does not accept, before anything else is read;
 * undefined if it accepts them. Evidence: Pekko HTTP 1.1, HttpRequestParser, UriParser and HttpHeaderParser (source); the
 * texts are those of the source, without what the parser expected instead.
 */
export function illegalHead(spec: Spec, request: Request): Response | undefined {
  const problem = problemOf(request);
  if (problem === undefined) return undefined;
  const { status, text, advice } = problem;
  const { method, target, headers } = request;
  const reason = `${text}: ${advice}`;
  return (
    renderRefusal(spec, { method, target, headers, status, reason }) ??
    withReason(textResponse(status, "text/plain; charset=UTF-8", text), reason)
  );
}

function problemOf({ target, headers }: Request): Problem | undefined {
  if (target.length > targetLengthMax)
    return beyond(414, "URI length", targetLengthMax, "send long values in a body, or shorter pages");
  const illegalAt = illegalCharacterAt(target);
  if (illegalAt !== undefined) return illegalTarget(target, illegalAt);
  if (headers.length > headersMax)
    return {
      status: 400,
      text: `HTTP message contains more than the configured limit of ${headersMax} headers`,
      advice: "send fewer headers",
    };
  for (const [name, value] of headers) {
    if (value.length > headerValueLengthMax)
      return beyond(431, "HTTP header value", headerValueLengthMax, `shorten ${name}`);
    if (name.length > headerNameLengthMax)
      return beyond(431, "HTTP header name", headerNameLengthMax, "use a shorter name");
  }
  return undefined;
}

function beyond(status: 414 | 431, what: string, limit: number, advice: string): Problem {
  return { status, text: `${what} exceeds the configured limit of ${limit} characters`, advice };
}

function illegalTarget(target: string, index: number): Problem {
  const character = String.fromCodePoint(target.codePointAt(index) ?? 0);
  const encoded = character === "%" ? "%25" : encodeURIComponent(character.toWellFormed());
  const text = `Illegal request-target: Invalid input '${character}' (line 1, column ${index + 1})`;
  return { status: 400, text, advice: `send it percent-encoded, as ${encoded}` };
}
