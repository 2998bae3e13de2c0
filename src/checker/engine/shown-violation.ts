import type { Body } from "../../foundation/http/body.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import { type HeaderList, headerValues } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import { createMask, type Mask, maskedHeaders } from "../../foundation/secrets/mask.ts";
import { redactionMark } from "../../foundation/secrets/secret-name.ts";
import { secretsOf } from "../../foundation/secrets/secrets-of.ts";
import { shortened } from "../../foundation/text/shortened.ts";
import { maskedCurlLine } from "./curl-line.ts";
import type { Violation } from "./exchange-verdict.ts";

/** Characters of a body in a report. */
const shownBodyMax = 4000;
/** Characters of any other text in a report. */
const shownTextMax = 2000;

/** A violation as reports show it: secrets redacted, bodies truncated. The curl line names the token by a shell variable. */
export interface ShownViolation {
  readonly rule: string;
  readonly section: string;
  readonly operationId: string;
  readonly status: number;
  readonly outcome: Violation["outcome"];
  readonly divergence: string | undefined;
  readonly expected: string;
  readonly actual: string;
  readonly pointer: string;
  readonly keyword: string | undefined;
  readonly curl: string;
  /** The probe that sent the request. */
  readonly probe?: string | undefined;
  readonly request: ShownMessage;
  /** Undefined where the response is incomplete; `actual` describes the failure. */
  readonly response: ShownMessage | undefined;
}

export interface ShownMessage {
  /** Method and URL of a request, or the status of a response. */
  readonly line: string;
  readonly headers: HeaderList;
  readonly body: string;
}

/** Redacts and truncates a violation for a report. */
export function showViolation(violation: Violation, exchange: Exchange, maskOfReport: Mask): ShownViolation {
  const { value: _, token, probe, ...rest } = violation;
  const { request, response } = exchange;
  const mask = maskOf(exchange, maskOfReport);
  return {
    ...rest,
    expected: shownText(rest.expected, mask),
    actual: rest.pointer.endsWith("/signature") ? redactionMark : shownText(rest.actual, mask),
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

/** A mask that also redacts the secrets found in the headers of the exchange, which are searched at its first use. */
export function maskOf(exchange: Exchange, maskOfReport: Mask): Mask {
  let own: Mask | undefined;
  return (text) => {
    own ??= createMask(secretsOf(exchange).map((secret) => secret.text));
    return maskOfReport(own(shortened(text, shownBodyMax * 8)));
  };
}

/** Redacts and truncates a text that a finding quotes. */
export function shownText(text: string, mask: Mask): string {
  return shortened(mask(text), shownTextMax);
}

function urlOf({ target, headers }: Request): string {
  if (/^https?:/i.test(target)) return target;
  const host = headerValues(headers, "host")[0];
  return host === undefined ? target : `http://${host}${target}`;
}

/** Masks before truncating, because a secret may cross the limit. Only the beginning of a huge body is read. */
function shownBody(body: Body, mask: Mask): string {
  const text = mask(new TextDecoder().decode(body.bytes().subarray(0, shownBodyMax * 8)));
  return shortened(text, shownBodyMax);
}
