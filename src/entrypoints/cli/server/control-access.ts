import { randomBytes } from "node:crypto";
import { BlockList, isIP } from "node:net";
import type { Handler } from "../../../foundation/http/handler.ts";
import type { Request } from "../../../foundation/http/request.ts";
import { type ControlAccess, isControl, requiresControlToken } from "../../../stub/control/access.ts";
import { tokenAccess } from "../../../stub/control/token-check.ts";
import { type Flag, inGroup, listFlag, type Options, rare, textFlag } from "../options.ts";
import { UserError } from "../user-error.ts";

export const controlTokenVariable = "UNDERSTUDY_CONTROL_TOKEN";

/** Flags of commands that serve the control API or the inspector. */
export const controlAccessFlags: readonly Flag[] = inGroup("Control API and inspector", [
  rare(
    textFlag(
      "control-token",
      "TOKEN",
      `token that the control API requires; better in ${controlTokenVariable} (default: none on loopback, else generated)`,
    ),
  ),
  rare(
    listFlag(
      "allow-host",
      "NAME",
      "additional host name for the control API and the inspector, such as that of a container",
    ),
  ),
]);

/** The token of a target's control API. */
export const controlTokenFlag: Flag = rare(
  textFlag(
    "control-token",
    "TOKEN",
    `token of the control API of a target that is an Understudy; better in ${controlTokenVariable}`,
  ),
);

/** Access to the control API of a server. */
export interface ControlEndpoint {
  readonly access: ControlAccess;
  /** Undefined if the control API requires no token. */
  readonly token: string | undefined;
  /** Whether the token was generated for this run, so that the user needs to see it. */
  readonly isTokenGenerated: boolean;
}

/** The access that the flags set. Beyond loopback a token is required. */
export function controlEndpointOf(options: Options, host: string): ControlEndpoint {
  const hosts = allowedHosts(options);
  const ownToken = checkedToken(options.text("control-token"));
  const isOpen = !isLoopbackAddress(host);
  const isTokenGenerated = ownToken === undefined && isOpen && !options.flag("no-control");
  const token = isTokenGenerated ? randomBytes(32).toString("base64url") : ownToken;
  const access = {
    hosts,
    isAnyAddress: isOpen,
    token: token === undefined ? undefined : tokenAccess(token),
    isSecure: options.text("tls-cert") !== undefined,
  };
  return { access, token, isTokenGenerated };
}

/** Whether only this machine can reach the address. Of host names, only `localhost` is known to be local. */
export function isLoopbackAddress(host: string): boolean {
  if (host.toLowerCase() === "localhost") return true;
  const address = host.replace(/^\[|\]$/g, "");
  const version = isIP(address);
  if (version === 0) return false;
  const loopback = new BlockList();
  loopback.addSubnet("127.0.0.0", 8, "ipv4");
  loopback.addAddress("::1", "ipv6");
  return loopback.check(address, version === 4 ? "ipv4" : "ipv6");
}

/** The address to listen on, without the brackets of a URL. */
export function hostOf(options: Options): string {
  return (options.text("host") ?? "127.0.0.1").replace(/^\[|\]$/g, "");
}

/** A URL for clients on this machine: the loopback address replaces an unspecified one. */
export function reachableUrl(url: string): string {
  return url.replace("://0.0.0.0:", "://127.0.0.1:").replace("://[::]:", "://[::1]:");
}

/** The authorization header as a curl argument with a trailing space; empty if no token is required. */
export function endpointHeader({ token }: ControlEndpoint): string {
  return token === undefined ? "" : `-H "Authorization: Bearer $${controlTokenVariable}" `;
}

/** A notice for an address that other machines can reach. */
export function reachLines(host: string): readonly string[] {
  return isLoopbackAddress(host)
    ? []
    : [`Listening on ${host}: every machine that reaches this address can send requests.`];
}

/** The lines about address and token of the control API. Only a generated token is shown. */
export function endpointLines({ token, isTokenGenerated }: ControlEndpoint, host: string): readonly string[] {
  const reach = reachLines(host);
  if (token === undefined) return reach;
  const shown = isTokenGenerated ? `${controlTokenVariable}=${token}` : "the one from --control-token";
  return [...reach, `The control API requires a token: ${shown}`];
}

/** The query of the inspector's URL. It shows only a generated token, because a given one must not reach a log. */
export function signInQuery({ token, isTokenGenerated }: ControlEndpoint): string {
  if (token === undefined) return "";
  return isTokenGenerated ? `?token=${encodeURIComponent(token)}` : "?token=TOKEN (the token from --control-token)";
}

const tokenLengthMin = 16;

/** A token that is hard to guess and fits a header and a cookie. Throws a UserError for any other. */
function checkedToken(token: string | undefined): string | undefined {
  if (token === undefined) return undefined;
  if (token.length < tokenLengthMin || token.length > 256)
    throw new UserError(
      `--control-token: ${token.length} characters. Use ${tokenLengthMin} to 256; openssl rand -base64 32 prints such a token.`,
    );
  if (!/^[\w.~+/=-]+$/.test(token))
    throw new UserError(
      "--control-token has characters that a bearer token cannot have. Use letters, digits and . _ ~ + / = -",
    );
  return token;
}

/** The names that `--allow-host` gives, in lower case. */
export function allowedHosts(options: Options): ReadonlySet<string> {
  return new Set(options.texts("allow-host").map(checkedHostName));
}

function checkedHostName(text: string): string {
  const name = text.toLowerCase();
  if (!/^(?:[a-z0-9_](?:[a-z0-9._-]{0,251}[a-z0-9_])?|\[[\da-f:.]+\])$/.test(name))
    throw new UserError(`--allow-host ${text}: not a host name. Give the name that clients use, without a port.`);
  return name;
}

/** Sends the token only to the control API of a target that is an Understudy and requires one. */
export function withControlToken(handler: Handler, options: Options): Handler {
  const token = checkedToken(options.text("control-token"));
  if (token === undefined) return handler;
  let isRequired = false;
  const withToken = (request: Request): ReturnType<Handler> => {
    const others = request.headers.filter(([name]) => name.toLowerCase() !== "authorization");
    return handler({ ...request, headers: [...others, ["Authorization", `Bearer ${token}`]] });
  };
  return async (request) => {
    if (!isControl(request.target)) return handler(request);
    if (isRequired) return withToken(request);
    const response = await handler(request);
    isRequired = requiresControlToken(response);
    return isRequired ? withToken(request) : response;
  };
}
