import type { FailedResponse } from "../../foundation/http/failed-response.ts";
import type { Handler } from "../../foundation/http/handler.ts";
import { type HeaderList, headerValues, mediaType } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import { type Response, textResponse, withHeaders } from "../../foundation/http/response.ts";
import { formatJson } from "../../foundation/json/json.ts";

export const controlPrefix = "/__understudy";

/** Who may ask the control API and the inspector. */
export interface ControlAccess {
  /** Names by which it may be asked beside those of loopback, in lower case and without a port. */
  readonly hosts: ReadonlySet<string>;
  /** Whether any address may stand for this server: a name can be made to lead here by whoever owns it, an address cannot. */
  readonly isAnyAddress: boolean;
  /** Undefined where no token is asked for. */
  readonly token?: TokenAccess | undefined;
  /** Whether browsers reach it over https, and must give its cookie to nothing else. */
  readonly isSecure?: boolean;
}

/** Who is known, told in the same time for any text. */
export interface TokenAccess {
  isToken(given: string): boolean;
  /** What a browser keeps instead of the token. */
  readonly cookie: string;
  isCookie(given: string): boolean;
}

/** For a stub that only this machine reaches: by the names of loopback, and without a token. */
export const loopbackAccess: ControlAccess = { hosts: new Set(), isAnyAddress: false };

/** By these names too. */
export function accessBy(...hosts: readonly string[]): ControlAccess {
  return { ...loopbackAccess, hosts: new Set(hosts) };
}

/** For requests of this very process, which come over no host. */
export function asLoopback(handler: Handler): Handler {
  return (request) => {
    const others = request.headers.filter(([name]) => name.toLowerCase() !== "host");
    return handler({ ...request, headers: [...others, ["Host", "127.0.0.1"]] });
  };
}

/** Lets nobody ask below the prefix who may not; everything else passes. */
export function guarded<Responded>(
  access: ControlAccess,
  inner: (request: Request) => Responded,
): (request: Request) => Responded | Response {
  return (request) =>
    isControl(request.target)
      ? (signInOf(request, access) ?? refusalOf(request, access) ?? inner(request))
      : inner(request);
}

export function isControl(target: string): boolean {
  const next = target[controlPrefix.length];
  return target.startsWith(controlPrefix) && (next === undefined || next === "/" || next === "?");
}

/**
 * Why a request is not let in; undefined where it is. A page of another site must not drive the stub, not even by a name that
 * resolves to this machine. What is refused is told nothing of what there is: the response is the same for every path.
 */
export function refusalOf(request: Request, access: ControlAccess): Response | undefined {
  if (!isTrusted(request, access)) return problem(403, foreign);
  if (access.token !== undefined && !hasToken(request, access.token)) return unauthorized();
  if (
    isFromPage(request) &&
    isWrite(request) &&
    request.body.length > 0 &&
    mediaType(request.headers) !== "application/json"
  )
    return problem(415, "The control API takes JSON from pages: Content-Type: application/json.");
  return undefined;
}

const foreign =
  "The control API answers to loopback hosts, to the names that --allow-host gives, and to pages of its own only.";

/** What a client without a token is told, by which it also knows that it speaks to Understudy. */
const tokenRealm = 'Bearer realm="understudy-control"';

/** Whether a response is that of an Understudy that asks for its token. */
export function asksForControlToken(response: Response | FailedResponse): boolean {
  if (response.type !== "response" || response.status !== 401) return false;
  return headerValues(response.headers, "www-authenticate").includes(tokenRealm);
}

function unauthorized(): Response {
  const how = `Authorization: Bearer TOKEN, or in a browser ${controlPrefix}/?token=TOKEN`;
  const error = `The control API asks for its token: ${how}. It is what --control-token gives, or what serve said when it began.`;
  return withHeaders(problem(401, error), [["WWW-Authenticate", tokenRealm]]);
}

interface Authority {
  readonly name: string;
  /** Empty where none is named. */
  readonly port: string;
}

/** A host with or without a port, and nothing else; undefined for anything else. */
function authorityOf(text: string): Authority | undefined {
  const found = /^(\[[\da-f:.]+\]|[\da-z._-]+)(?::(\d{1,5}))?$/.exec(text.toLowerCase());
  return found === null ? undefined : { name: found[1] ?? "", port: found[2] ?? "" };
}

/** One host that is ours, and no origin or one that is: two of either may mean one thing to us and another to a proxy. */
function isTrusted(request: Request, access: ControlAccess): boolean {
  const host = hostOf(request);
  if (host === undefined || !isOurs(host.name, access)) return false;
  const origin = originOf(request);
  if (isFromOtherSite(request) && (isWrite(request) || (origin === "none" && !isWayToPage(request)))) return false;
  if (origin === "none") return true;
  return origin !== undefined && (isSame(origin, host) || isNamed(origin.name, access));
}

/** As a browser says it, in whatever case; what is said otherwise is no site of ours. */
function isFromOtherSite({ headers }: Request): boolean {
  return headerValues(headers, "sec-fetch-site").some((site) => !ownSites.has(site.toLowerCase()));
}

const ownSites: ReadonlySet<string> = new Set(["same-origin", "same-site", "none"]);

/** A link of another site may lead to the page; an image there must not open its streams. */
function isWayToPage({ method, target, headers }: Request): boolean {
  const path = target.split("?")[0] ?? "";
  const isPage = path === controlPrefix || path === `${controlPrefix}/`;
  return method === "GET" && isPage && headerValues(headers, "sec-fetch-mode").join().toLowerCase() === "navigate";
}

function hostOf({ headers }: Request): Authority | undefined {
  const [host, ...others] = headerValues(headers, "host");
  return host === undefined || others.length > 0 ? undefined : authorityOf(host);
}

/** Undefined for an origin that is none of http, such as `null`. */
function originOf({ headers }: Request): Authority | "none" | undefined {
  const [origin, ...others] = headerValues(headers, "origin");
  if (origin === undefined) return "none";
  const found = others.length > 0 ? undefined : /^https?:\/\/(.+)$/.exec(origin)?.[1];
  return found === undefined ? undefined : authorityOf(found);
}

function isSame(left: Authority, right: Authority): boolean {
  return left.name === right.name && left.port === right.port;
}

function isOurs(name: string, access: ControlAccess): boolean {
  return isNamed(name, access) || (access.isAnyAddress && isAddress(name));
}

/** Pages of loopback are of this machine, whatever their port. */
function isNamed(name: string, { hosts }: ControlAccess): boolean {
  return name === "localhost" || name === "[::1]" || (name.startsWith("127.") && isIpv4(name)) || hosts.has(name);
}

function isAddress(name: string): boolean {
  return isIpv4(name) || (name.startsWith("[") && URL.canParse(`http://${name}`));
}

function isIpv4(name: string): boolean {
  const parts = name.split(".");
  return parts.length === 4 && parts.every((part) => Number(part) <= 255 && String(Number(part)) === part);
}

function isWrite({ method }: Request): boolean {
  return method !== "GET" && method !== "HEAD";
}

/** Only a browser says where a request comes from. */
function isFromPage({ headers }: Request): boolean {
  return headerValues(headers, "origin").length + headerValues(headers, "sec-fetch-site").length > 0;
}

/** A header that is there has to be right, and there once; a cookie counts for requests of the page itself alone. */
function hasToken(request: Request, { isToken, isCookie }: TokenAccess): boolean {
  const [authorization, ...others] = headerValues(request.headers, "authorization");
  if (authorization !== undefined) {
    const given = /^bearer +(\S+) *$/i.exec(authorization)?.[1];
    return given !== undefined && others.length === 0 && isToken(given);
  }
  const host = hostOf(request);
  return host !== undefined && isOfPage(request, host) && cookiesNamed(cookieName(host), request).some(isCookie);
}

/** A browser gives a cookie to pages of other ports as well, so that what changes something has to say that it is of this one. */
function isOfPage(request: Request, host: Authority): boolean {
  const origin = originOf(request);
  if (origin === undefined) return false;
  if (origin !== "none") return isSame(origin, host);
  return !isWrite(request) || headerValues(request.headers, "sec-fetch-site").join().toLowerCase() === "same-origin";
}

/** Cookies know no ports: a browser shows them to every port of a host, and two stubs of one machine have tokens of their own. */
function cookieName({ port }: Authority): string {
  return port === "" ? "understudy-control" : `understudy-control-${port}`;
}

function cookiesNamed(name: string, { headers }: Request): readonly string[] {
  return headerValues(headers, "cookie")
    .flatMap((value) => value.split(";"))
    .map((pair) => pair.trim())
    .flatMap((pair) => (pair.startsWith(`${name}=`) ? [pair.slice(name.length + 1)] : []));
}

/** The page's address with the token in it gives a browser the token to keep, out of scripts' reach, and goes on without it. */
function signInOf(request: Request, access: ControlAccess): Response | undefined {
  const [path = "", search] = request.target.split(/\?(.*)/s);
  if (access.token === undefined || request.method !== "GET" || search === undefined) return undefined;
  if (path !== controlPrefix && path !== `${controlPrefix}/`) return undefined;
  const given = new URLSearchParams(search).getAll("token");
  const [token] = given;
  const host = hostOf(request);
  if (token === undefined || given.length > 1 || host === undefined || !isTrusted(request, access)) return undefined;
  if (!access.token.isToken(token)) return unauthorized();
  const secure = access.isSecure === true ? "; Secure" : "";
  return {
    type: "response",
    status: 303,
    headers: [
      ["Location", `${controlPrefix}/`],
      [
        "Set-Cookie",
        `${cookieName(host)}=${access.token.cookie}; HttpOnly; SameSite=Strict; Path=${controlPrefix}${secure}`,
      ],
      ["Cache-Control", "no-store"],
      ["Referrer-Policy", "no-referrer"],
    ],
    body: new Uint8Array(),
  };
}

/** What is refused is no picture or script of another page either. */
const notForPages: HeaderList = [
  ["X-Content-Type-Options", "nosniff"],
  ["Cross-Origin-Resource-Policy", "same-origin"],
  ["Cache-Control", "no-store"],
];

function problem(status: number, error: string): Response {
  return withHeaders(textResponse(status, "application/json", formatJson({ error })), notForPages);
}
