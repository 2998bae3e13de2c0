import type { Exchange } from "../../../../foundation/http/exchange.ts";
import type { FailedResponse } from "../../../../foundation/http/failed-response.ts";
import { headerValues } from "../../../../foundation/http/header.ts";
import type { Request } from "../../../../foundation/http/request.ts";
import type { Response } from "../../../../foundation/http/response.ts";
import { jsonOf } from "../../../../foundation/json/json.ts";
import { objectOf, textOf } from "../../../../foundation/json/members.ts";
import type { DisabledFeature } from "../../../../foundation/spec/contracts.ts";
import { type DisabledPart, disabledPart } from "../../../../foundation/spec/disabled-part.ts";
import type { SentAgain } from "../../../../recordings/replay/send-again.ts";

/** What a check of a migration reads of a response. The status is 0 without a response; an incomplete one has no text. */
export interface ResponseSummary {
  readonly status: number;
  /** The code of a ledger error; empty without one. */
  readonly code: string;
  readonly text: string;
}

/** A recorded request, played on the stubs of two releases. */
export interface PlayedRequest {
  readonly sent: SentAgain;
  readonly exchange: Exchange;
  /** Path without query and without the prefix of a base URL. */
  readonly path: string;
  readonly recorded: ResponseSummary;
  /** The response of the stub of the recording's release; undefined if the request was not sent. */
  readonly before: ResponseSummary | undefined;
  readonly after: ResponseSummary | undefined;
}

export function summaryOf(response: Response | FailedResponse): ResponseSummary {
  if (response.type === "broken") return { status: response.partial?.status ?? 0, code: "", text: "" };
  const text = response.body.text();
  const code = response.status < 400 ? "" : textOf(objectOf(jsonOf(text))["code"]);
  return { status: response.status, code: code || (/^([A-Z][A-Z0-9_]+)[:(]/.exec(text)?.[1] ?? ""), text };
}

export function shownStatus({ status, code }: ResponseSummary): string {
  return status === 0 ? "no response" : `${status}${code === "" ? "" : ` ${code}`}`;
}

/** The part of a played request that belongs to a deprecated feature. */
export function disabledPartIn(
  feature: DisabledFeature,
  { exchange: { request }, path }: Pick<PlayedRequest, "exchange" | "path">,
): DisabledPart | undefined {
  return disabledPart(feature, `${request.method} ${path}`, () => jsonOf(request.body.text()));
}

/** The path of the API in a recorded target. */
export function apiPathOf(target: string): string {
  const path = target.replace(/[?#].*$/s, "");
  const from = path.search(/\/(?:v2|registry|__understudy)\//);
  return from < 0 ? path : path.slice(from);
}

/** Statuses of a request in the recording, and on the stub of the later release. */
export function statusesOf({ recorded, before, after }: PlayedRequest): string {
  const first = recorded.status === 0 && before !== undefined ? before : recorded;
  return after === undefined ? shownStatus(first) : `${shownStatus(first)}, then ${shownStatus(after)}`;
}

/** Whether `Sec-WebSocket-Protocol` shows a token; a redacted one does not. */
export function hasTokenInProtocol({ headers }: Request): boolean {
  return headerValues(headers, protocolHeader).some((value) => value.includes("jwt.token."));
}

/** Whether the recording has a refusal that a redacted `Sec-WebSocket-Protocol` may explain. */
export function isRefusedForHiddenProtocol({ exchange: { request }, recorded }: PlayedRequest): boolean {
  return (
    recorded.status === 401 && headerValues(request.headers, protocolHeader).length > 0 && !hasTokenInProtocol(request)
  );
}

const protocolHeader = "Sec-WebSocket-Protocol";
