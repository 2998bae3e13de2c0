import { emptyBody } from "../../foundation/http/body.ts";
import type { FailedResponse } from "../../foundation/http/failed-response.ts";
import type { Handler, RequestContext } from "../../foundation/http/handler.ts";
import { type HeaderList, headerValues, mediaType } from "../../foundation/http/header.ts";
import { type Authority, hostOf, isOwnOrigin, isSameAuthority, originOf } from "../../foundation/http/origin.ts";
import type { Request } from "../../foundation/http/request.ts";
import { type Response, withHeaders } from "../../foundation/http/response.ts";
import type { ControlScope, ControlTokens } from "../stores/control-tokens.ts";
import { problem as problemResponse } from "./control-problem.ts";
import { includesScope, neededScope } from "./control-scope.ts";

export const controlPrefix = "/__understudy";

/** Access rules of the control API and the inspector. */
export interface ControlAccess {
  /** Allowed host names besides loopback, in lower case and without a port. */
  readonly hosts: ReadonlySet<string>;
  /** Whether any IP address is an allowed host. DNS rebinding works with names, not with addresses. */
  readonly isAnyAddress: boolean;
  /** Undefined if no token is required. */
  readonly token?: TokenAccess | undefined;
  /** Further tokens with a name and a scope, if a token is required. */
  readonly named?: NamedTokens | undefined;
  /** Whether the server uses https; the cookie is then `Secure`. */
  readonly isSecure?: boolean;
}

/** Checks tokens and cookies in constant time. */
export interface TokenAccess {
  /** Whose token it is; undefined for an unknown one. */
  callerOfToken(given: string): ControlCaller | undefined;
  callerOfCookie(given: string): ControlCaller | undefined;
  /** The cookie value that a browser stores instead of a token. */
  cookieOf(token: string): string;
}

/** Who sent a request of the control API. */
export interface ControlCaller {
  /** The name of the token; undefined for the token of the server. */
  readonly name: string | undefined;
  /** The digest of a named token: a later token may have the same name. */
  readonly tokenDigest: string | undefined;
  readonly scope: ControlScope;
}

/** The named tokens of a server. */
export interface NamedTokens {
  readonly kept: ControlTokens;
  /** The access that the tokens give now. */
  read(): Promise<TokenAccess>;
  /** A token that is hard to guess. */
  readonly newToken: () => string;
}

/** Access for a stub on loopback: loopback hosts only, no token. */
export const loopbackAccess: ControlAccess = { hosts: new Set(), isAnyAddress: false };

/** Loopback access plus these host names. */
export function accessBy(...hosts: readonly string[]): ControlAccess {
  return { ...loopbackAccess, hosts: new Set(hosts) };
}

/** Adds a loopback Host header, for requests from within this process. */
export function asLoopback(handler: Handler): Handler {
  return (request, context) => {
    const others = request.headers.filter(([name]) => name.toLowerCase() !== "host");
    return handler({ ...request, headers: [...others, ["Host", "127.0.0.1"]] }, context);
  };
}

/** Handles a request below the control prefix whose access is granted. The caller is undefined if no token is required. */
type ControlHandler<Responded> = (request: Request, caller?: ControlCaller) => Responded;

/**
 * Passes requests below the control prefix to `control`, unless they are unauthorized, and all others to `inner`. Named tokens are
 * read for each request that the token of the server does not admit, so that a revocation holds at once.
 */
export function guarded<Responded>(
  access: ControlAccess,
  control: ControlHandler<Responded>,
  inner: (request: Request, context?: RequestContext) => Responded,
): (request: Request, context?: RequestContext) => Responded | Response | Promise<Awaited<Responded> | Response> {
  return (request, context) => {
    if (!isControl(request.target)) return inner(request, context);
    if (isProbe(request)) return control(request);
    const refusal = signInOf(request, access) ?? refusalOf(request, access);
    if (refusal?.status === 401 && access.named !== undefined && hasCredential(request))
      return guardedByName(request, { ...access, named: access.named }, (caller) => control(request, caller));
    return refusal ?? control(request, callerOf(request, access.token));
  };
}

/** Whether a request has something that may be a named token. Without it the store is not asked. */
function hasCredential({ headers, target }: Request): boolean {
  return headers.some(([name]) => /^(?:authorization|cookie)$/i.test(name)) || target.includes("token=");
}

async function guardedByName<Responded>(
  request: Request,
  access: ControlAccess & { readonly named: NamedTokens },
  inner: (caller: ControlCaller | undefined) => Responded,
): Promise<Awaited<Responded> | Response> {
  const token = await access.named.read().catch(() => undefined);
  if (token === undefined) return problem(503, "The store does not respond, so the control token cannot be checked.");
  const refusal = signInOf(request, { ...access, token }) ?? refusalOf(request, { ...access, token });
  if (refusal !== undefined) return refusal;
  const caller = callerOf(request, token);
  // A failure to note the use does not concern the caller.
  if (caller?.name !== undefined) await access.named.kept.use(caller.name).catch(() => undefined);
  return await inner(caller);
}

/**
 * Whether the request is a probe of an orchestrator: it sends no token, and any Host header. The response says only whether
 * the stub is live or ready, so everything but a page has access.
 */
function isProbe(request: Request): boolean {
  return probePaths.has(request.target) && !isWrite(request) && !isFromPage(request);
}

const probePaths: ReadonlySet<string> = new Set([`${controlPrefix}/live`, `${controlPrefix}/ready`]);

export function isControl(target: string): boolean {
  const next = target[controlPrefix.length];
  return target.startsWith(controlPrefix) && (next === undefined || next === "/" || next === "?");
}

/**
 * The refusal of a request; undefined if access is granted. A page of another site must not control the stub, even under a
 * name that resolves to this machine. The response is the same for every path but those of probes, so it reveals nothing.
 */
export function refusalOf(request: Request, access: ControlAccess): Response | undefined {
  if (!isTrustedSite(request, access)) return problem(403, foreign);
  if (access.token !== undefined) {
    const caller = callerOf(request, access.token);
    if (caller === undefined) return unauthorized();
    const needed = neededScope(request, controlPath(request));
    if (!includesScope(caller.scope, needed)) return forbidden(request, caller, needed);
  }
  if (
    isFromPage(request) &&
    isWrite(request) &&
    request.body.storedLength > 0 &&
    mediaType(request.headers) !== "application/json"
  )
    return problem(
      415,
      "Unsupported media type. Requests from pages to the control API need Content-Type: application/json.",
    );
  return undefined;
}

const foreign =
  "Host or origin not allowed. Allowed hosts: loopback, and the names given by --allow-host. Allowed origins of pages: the host and port of the request, and the names given by --allow-host.";

/** The `WWW-Authenticate` value of a 401. It also identifies the server as Understudy. */
const tokenRealm = 'Bearer realm="understudy-control"';

/** Whether a response is the 401 of a stub that requires its control token. */
export function requiresControlToken(response: Response | FailedResponse): boolean {
  if (response.type !== "response" || response.status !== 401) return false;
  return headerValues(response.headers, "www-authenticate").includes(tokenRealm);
}

function unauthorized(): Response {
  const how = `Authorization: Bearer TOKEN, or in a browser ${controlPrefix}/?token=TOKEN`;
  const error = `Missing or wrong control token. Send ${how}. The token is the value of --control-token, or is printed when serve starts.`;
  return withHeaders(problem(401, error), [["WWW-Authenticate", tokenRealm]]);
}

/** The path of a request below the control prefix. */
function controlPath({ target }: Pick<Request, "target">): string {
  return target.slice(controlPrefix.length + 1).split("?")[0] ?? "";
}

function forbidden(request: Request, { name = "", scope }: ControlCaller, needed: ControlScope): Response {
  const what = `${request.method} ${controlPrefix}/${controlPath(request)}`;
  const error = `The control token ${JSON.stringify(name)} has the scope ${scope}, and ${what} needs ${needed}. Send a token with the scope ${needed}; POST ${controlPrefix}/tokens creates one.`;
  return withHeaders(problem(403, error), [
    ["WWW-Authenticate", `${tokenRealm}, error="insufficient_scope", scope="${needed}"`],
  ]);
}

/** Whether host and origin are allowed. Duplicates are refused, since a proxy may read them differently. */
function isTrustedSite(request: Request, access: ControlAccess): boolean {
  const host = hostOf(request.headers);
  if (host === undefined || !(isNamed(host.name, access) || (access.isAnyAddress && isAddress(host.name))))
    return false;
  const hasOrigin = originOf(request.headers) !== "none";
  if (isFromOtherSite(request) && (isWrite(request) || (!hasOrigin && !isNavigationToPage(request)))) return false;
  return isOwnOrigin(request.headers, access.hosts);
}

/** Whether `Sec-Fetch-Site` names another site. Unknown values count as another site. */
function isFromOtherSite({ headers }: Request): boolean {
  return headerValues(headers, "sec-fetch-site").some((site) => !ownSites.has(site.toLowerCase()));
}

const ownSites: ReadonlySet<string> = new Set(["same-origin", "same-site", "none"]);

/** Whether the request navigates to the page. Another site may link to the page, but not load its streams. */
function isNavigationToPage({ method, target, headers }: Request): boolean {
  const path = target.split("?")[0] ?? "";
  const isPage = path === controlPrefix || path === `${controlPrefix}/`;
  return method === "GET" && isPage && headerValues(headers, "sec-fetch-mode").join().toLowerCase() === "navigate";
}

/** Whether a name is a loopback name or an allowed host. */
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

/** Whether a browser page sent the request: only browsers send these headers. */
function isFromPage({ headers }: Request): boolean {
  return headerValues(headers, "origin").length + headerValues(headers, "sec-fetch-site").length > 0;
}

/** Checks the Authorization header, which must be single and right. Without it, a cookie counts for requests of the page itself. */
function callerOf(request: Request, token: TokenAccess | undefined): ControlCaller | undefined {
  if (token === undefined) return undefined;
  const [authorization, ...others] = headerValues(request.headers, "authorization");
  if (authorization !== undefined) {
    const given = /^bearer +(\S+) *$/i.exec(authorization)?.[1];
    return given !== undefined && others.length === 0 ? token.callerOfToken(given) : undefined;
  }
  const host = hostOf(request.headers);
  if (host === undefined || !isOfPage(request, host)) return undefined;
  const [caller] = cookiesNamed(cookieName(host), request).flatMap((cookie) => token.callerOfCookie(cookie) ?? []);
  return caller;
}

/** Whether the page itself sent the request. Browsers send cookies from pages of other ports, so writes must prove their origin. */
function isOfPage(request: Request, host: Authority): boolean {
  const origin = originOf(request.headers);
  if (origin === undefined) return false;
  if (origin !== "none") return isSameAuthority(origin, host);
  return !isWrite(request) || headerValues(request.headers, "sec-fetch-site").join().toLowerCase() === "same-origin";
}

/** The cookie name contains the port, since browsers share cookies between the ports of a host. */
function cookieName({ port }: Authority): string {
  return port === "" ? "understudy-control" : `understudy-control-${port}`;
}

function cookiesNamed(name: string, { headers }: Request): readonly string[] {
  return headerValues(headers, "cookie")
    .flatMap((value) => value.split(";"))
    .map((pair) => pair.trim())
    .flatMap((pair) => (pair.startsWith(`${name}=`) ? [pair.slice(name.length + 1)] : []));
}

/** Signs a browser in: `?token=` in the page's address sets an HttpOnly cookie and redirects to the address without it. */
function signInOf(request: Request, access: ControlAccess): Response | undefined {
  const [path = "", search] = request.target.split(/\?(.*)/s);
  if (access.token === undefined || request.method !== "GET" || search === undefined) return undefined;
  if (path !== controlPrefix && path !== `${controlPrefix}/`) return undefined;
  const given = new URLSearchParams(search).getAll("token");
  const [token] = given;
  const host = hostOf(request.headers);
  if (token === undefined || given.length > 1 || host === undefined || !isTrustedSite(request, access))
    return undefined;
  if (access.token.callerOfToken(token) === undefined) return unauthorized();
  const secure = access.isSecure === true ? "; Secure" : "";
  return {
    type: "response",
    status: 303,
    headers: [
      ["Location", `${controlPrefix}/`],
      [
        "Set-Cookie",
        `${cookieName(host)}=${access.token.cookieOf(token)}; HttpOnly; SameSite=Strict; Path=${controlPrefix}${secure}`,
      ],
      ["Cache-Control", "no-store"],
      ["Referrer-Policy", "no-referrer"],
    ],
    body: emptyBody,
  };
}

/** Headers that keep other pages from embedding a response. */
export const notForPages: HeaderList = [
  ["X-Content-Type-Options", "nosniff"],
  ["Cross-Origin-Resource-Policy", "same-origin"],
  ["Cache-Control", "no-store"],
];

function problem(status: number, error: string): Response {
  return withHeaders(problemResponse(status, error), notForPages);
}
