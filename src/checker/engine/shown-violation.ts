import type { Exchange } from "../../foundation/http/exchange.ts";
import { type HeaderList, headerValues } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import { createMask, type Mask, maskedHeaders } from "../../foundation/secrets/mask.ts";
import { leftOut } from "../../foundation/secrets/secret-name.ts";
import { secretsOf } from "../../foundation/secrets/secrets-of.ts";
import type { Outcome, Violation } from "./checker.ts";
import { maskedCurlLine } from "./curl-line.ts";

/** Characters of a body that a report shows. */
export const shownBodyMax = 4000;
/** Characters of any other text. */
const shownTextMax = 2000;

/** A violation as a report shows it: without secrets, its bodies cut. The curl line leaves the token out. */
export interface ShownViolation {
  readonly rule: string;
  readonly section: string;
  readonly operationId: string;
  readonly status: number;
  readonly outcome: Outcome;
  readonly divergence: string | undefined;
  readonly expected: string;
  readonly actual: string;
  readonly pointer: string;
  readonly keyword: string | undefined;
  readonly curl: string;
  /** The probe that provoked it; undefined where none did. */
  readonly probe?: string | undefined;
  readonly request: ShownMessage;
  /** Undefined where no response came whole; `actual` says what happened. */
  readonly response: ShownMessage | undefined;
}

export interface ShownMessage {
  /** Method and URL, or status. */
  readonly line: string;
  readonly headers: HeaderList;
  readonly body: string;
}

/** What a report may show of a violation. */
export function showViolation(violation: Violation, maskOfReport: Mask): ShownViolation {
  const { exchange, value: _, token, probe, ...rest } = violation;
  const { request, response } = exchange;
  const mask = maskOf(exchange, maskOfReport);
  return {
    ...rest,
    expected: shownText(rest.expected, mask),
    actual: rest.pointer.endsWith("/signature") ? leftOut : shownText(rest.actual, mask),
    pointer: shownText(rest.pointer, mask),
    keyword: rest.keyword,
    curl: maskedCurlLine(request, mask, token),
    ...(probe === undefined ? {} : { probe }),
    request: {
      line: mask(`${request.method} ${urlOf(request)}`),
      headers: maskedHeaders(request.headers, mask),
      body: shownBody(request.body, mask),
    },
    response:
      response.type === "broken"
        ? undefined
        : {
            line: String(response.status),
            headers: maskedHeaders(response.headers, mask),
            body: shownBody(response.body, mask),
          },
  };
}

/** Leaves out of a text about an exchange what is secret in it, wherever it stands. */
export function maskOf(exchange: Exchange, maskOfReport: Mask): Mask {
  const own = createMask(secretsOf(exchange).map(({ text }) => text));
  return (text) => maskOfReport(own(shortened(text)));
}

/** What is shown of a text that a finding quotes. */
export function shownText(text: string, mask: Mask): string {
  return cut(mask(text), shownTextMax);
}

function shortened(text: string): string {
  return text.length > shownBodyMax * 8 ? `${text.slice(0, shownBodyMax * 8)}…` : text;
}

function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…` : text;
}

function urlOf({ target, headers }: Request): string {
  if (/^https?:/i.test(target)) return target;
  const host = headerValues(headers, "host")[0];
  return host === undefined ? target : `http://${host}${target}`;
}

/** A secret may lie across the cut, so it is cut after masking; of a huge body only the beginning is read. */
function shownBody(body: Uint8Array, mask: Mask): string {
  const text = mask(new TextDecoder().decode(body.subarray(0, shownBodyMax * 8)));
  return cut(text, shownBodyMax);
}
