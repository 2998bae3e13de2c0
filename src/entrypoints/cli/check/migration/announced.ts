import { headerValues } from "../../../../foundation/http/header.ts";
import { isJsonObject, type Json, jsonOf } from "../../../../foundation/json/json.ts";
import { objectOf } from "../../../../foundation/json/members.ts";
import type { AnnouncedChange, AnnouncementMatch } from "../../../../foundation/spec/contracts.ts";
import { bytesOfAnyBase64 } from "../../../../foundation/text/base64.ts";
import { isRequestTo } from "../../../../stub/pipeline/disabled-features.ts";
import { disabledPart } from "./causes.ts";
import type { PlayedRequest } from "./played-request.ts";
import { profileNamed } from "./releases.ts";

/** Whether an announced change concerns a recorded request. */
export function isConcerned({ match }: AnnouncedChange, played: PlayedRequest): boolean {
  return match !== undefined && parts.every((part) => part(match, played));
}

type Part = (match: AnnouncementMatch, played: PlayedRequest) => boolean;

const parts: readonly Part[] = [
  ({ requests }, { exchange, path }) =>
    requests === undefined || requests.some((request) => isRequestTo(request, `${exchange.request.method} ${path}`)),
  ({ disabledBy }, played) =>
    disabledBy === undefined ||
    (profileNamed(disabledBy.of)?.disables ?? []).some(
      (disabled) => disabledBy.features.includes(disabled.feature) && disabledPart(disabled, played) !== undefined,
    ),
  ({ requestHas }, { exchange }) =>
    requestHas === undefined || hasMember(jsonOf(exchange.request.body.text()), new Set(requestHas)),
  ({ responseHas }, { recorded }) =>
    responseHas === undefined || hasMember(jsonOf(recorded.text), new Set(responseHas)),
  ({ status }, { recorded }) => status === undefined || status.includes(recorded.status),
  ({ token }, { exchange }) => token === undefined || isWithoutAudience(exchange.request.headers),
];

/** Whether JSON has one of the members with a value, at any depth. */
function hasMember(value: Json | undefined, names: ReadonlySet<string>): boolean {
  if (Array.isArray(value)) return value.some((entry) => hasMember(entry, names));
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([name, inner]) => (names.has(name) && inner !== null) || hasMember(inner, names));
}

/** Whether a bearer token shows no claims, as after redaction. */
export function hasUnreadableToken({ exchange }: PlayedRequest): boolean {
  const [authorization] = headerValues(exchange.request.headers, "authorization");
  return authorization !== undefined && claimsIn(authorization) === undefined;
}

/** Whether the bearer token is a JWT without the claim `aud`. */
function isWithoutAudience(headers: PlayedRequest["exchange"]["request"]["headers"]): boolean {
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
