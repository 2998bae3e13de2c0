import { headerValues } from "../../../../foundation/http/header.ts";
import { isJsonObject, type Json, jsonOf } from "../../../../foundation/json/json.ts";
import { objectOf } from "../../../../foundation/json/members.ts";
import type { AnnouncedChange, AnnouncementMatch, DisabledFeature } from "../../../../foundation/spec/contracts.ts";
import { type DisabledPart, isRequestTo, isServed } from "../../../../foundation/spec/disabled-part.ts";
import { bytesOfAnyBase64 } from "../../../../foundation/text/base64.ts";
import { hasMember } from "./json-members.ts";
import { disabledPartIn, type RecordedRequest } from "./recorded-request.ts";
import { profileNamed } from "./releases.ts";

/** Whether an announced change concerns a recorded request. */
export function isConcerned({ match }: AnnouncedChange, request: RecordedRequest): boolean {
  return match !== undefined && parts.every((part) => part(match, request));
}

type Part = (match: AnnouncementMatch, request: RecordedRequest) => boolean;

const parts: readonly Part[] = [
  ({ requests }, { exchange, path }) =>
    requests === undefined || requests.some((request) => isRequestTo(request, `${exchange.request.method} ${path}`)),
  (match, request) => match.disabledBy === undefined || removedPart(match, request) !== undefined,
  ({ requestHas }, { body }) => requestHas === undefined || hasMember(body, new Set(requestHas)),
  ({ responseHas }, { recorded }) => responseHas === undefined || hasMember(recorded.json, new Set(responseHas)),
  ({ status }, { recorded }) => status === undefined || status.includes(recorded.status),
  ({ token }, { exchange }) => token === undefined || isWithoutAudience(exchange.request.headers),
];

/** The deprecated part of a request, and its feature. */
interface RemovedPart extends DisabledPart {
  readonly disabled: DisabledFeature;
}

function removedPart({ disabledBy }: AnnouncementMatch, request: RecordedRequest): RemovedPart | undefined {
  for (const disabled of disabledBy === undefined ? [] : (profileNamed(disabledBy.of)?.disables ?? [])) {
    const part = disabledBy?.features.includes(disabled.feature) ? disabledPartIn(disabled, request) : undefined;
    if (part !== undefined) return { ...part, disabled };
  }
  return undefined;
}

/**
 * What to change because of an announced change: the replacement of a deprecated part, and the setting of the node that
 * served it, if `from` disables the part.
 */
export function announcedAdvice(
  { match = {}, advice = "" }: AnnouncedChange,
  recorded: RecordedRequest,
  from: string,
): string {
  const removed = removedPart(match, recorded);
  if (removed === undefined) return advice;
  const { request, disabled } = removed;
  const instead = disabled.instead?.[request];
  const { status, code } = recorded.recorded;
  const isDisabled = profileNamed(from)?.disables?.some(({ feature }) => feature === disabled.feature) === true;
  const isEnabled = isDisabled && isServed(status, code);
  return [
    ...(instead === undefined ? [] : [`Use ${instead}.`]),
    ...(isEnabled ? [`The node of the recording has enabled ${disabled.feature}, which no longer exists.`] : [advice]),
  ].join(" ");
}

/** Whether a bearer token shows no claims, as after redaction. */
export function hasUnreadableToken({ exchange }: RecordedRequest): boolean {
  const [authorization] = headerValues(exchange.request.headers, "authorization");
  return authorization !== undefined && claimsIn(authorization) === undefined;
}

/** Whether the bearer token is a JWT without the claim `aud`. */
function isWithoutAudience(headers: RecordedRequest["exchange"]["request"]["headers"]): boolean {
  const claims = claimsIn(headerValues(headers, "authorization")[0] ?? "");
  return claims !== undefined && objectOf(claims)["aud"] === undefined;
}

function claimsIn(authorization: string): Json | undefined {
  const [, payload] = /^bearer\s+[\w-]+\.([\w-]+)\.[\w-]*$/i.exec(authorization.trim()) ?? [];
  if (payload === undefined) return undefined;
  const bytes = bytesOfAnyBase64(payload);
  const claims = bytes === undefined ? undefined : jsonOf(new TextDecoder().decode(bytes));
  return isJsonObject(claims) ? claims : undefined;
}
