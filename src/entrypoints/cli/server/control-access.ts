import { randomBytes } from "node:crypto";
import { BlockList, isIP } from "node:net";
import type { Handler } from "../../../foundation/http/handler.ts";
import type { Request } from "../../../foundation/http/request.ts";
import { type ControlAccess, isControl, requiresControlToken } from "../../../stub/control/access.ts";
import { tokenAccess } from "../../../stub/control/token-check.ts";
import type { Flag, Options } from "../options.ts";
import { UserError } from "../user-error.ts";

export const controlTokenVariable = "UNDERSTUDY_CONTROL_TOKEN";

/** For commands that serve the control API. */
export const controlAccessFlags: readonly Flag[] = [
  {
    name: "control-token",
    type: "string",
    value: "TOKEN",
    help: `token that the control API requires; better in ${controlTokenVariable} (default: none on loopback, else generated)`,
    isRare: true,
  },
  {
    name: "allow-host",
    type: "list",
    value: "NAME",
    help: "additional host name for the control API and the inspector, such as that of a container",
    isRare: true,
  },
];

/** The token of a target's control API. */
export const controlTokenFlag: Flag = {
  name: "control-token",
  type: "string",
  value: "TOKEN",
  help: `token of the control API of a target that is an Understudy; better in ${controlTokenVariable}`,
  isRare: true,
};

/** How the control API of a server is entered. */
export interface ControlEndpoint {
  readonly access: ControlAccess;
  /** Undefined where none is asked for. */
  readonly token: string | undefined;
  /** Whether it was made for this run, so that nobody knows it who is not told. */
  readonly isTokenMade: boolean;
}

/** As the flags and the address to listen on ask for it: whoever can reach more than loopback needs a token. */
export function controlEndpointOf(options: Options, host: string): ControlEndpoint {
  const hosts = allowedHosts(options);
  const given = checkedToken(options.text("control-token"));
  const isOpen = !isLoopbackAddress(host);
  const isTokenMade = given === undefined && isOpen && !options.flag("no-control");
  const token = isTokenMade ? randomBytes(32).toString("base64url") : given;
  const access = {
    hosts,
    isAnyAddress: isOpen,
    token: token === undefined ? undefined : tokenAccess(token),
    isSecure: options.text("tls-cert") !== undefined,
  };
  return { access, token, isTokenMade };
}

/** Whether only this machine reaches who listens there. A name other than `localhost` may lead anywhere. */
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

/** Every address of the machine is no address to ask; its loopback one is. */
export function reachableUrl(url: string): string {
  return url.replace("://0.0.0.0:", "://127.0.0.1:").replace("://[::]:", "://[::1]:");
}

/** A header with a blank after it, as a word of a shell line; nothing where none is needed. */
export function endpointHeader({ token }: ControlEndpoint): string {
  return token === undefined ? "" : `-H "Authorization: Bearer $${controlTokenVariable}" `;
}

/** A notice for an address that other machines can reach. */
export function reachLines(host: string): readonly string[] {
  return isLoopbackAddress(host)
    ? []
    : [`Listening on ${host}: every machine that reaches this address can send requests.`];
}

/** Who can ask, and with what; only a token that nobody else knows yet is said. */
export function endpointLines({ token, isTokenMade }: ControlEndpoint, host: string): readonly string[] {
  const reach = reachLines(host);
  if (token === undefined) return reach;
  const known = isTokenMade ? `${controlTokenVariable}=${token}` : "the one that was given";
  return [...reach, `Its control API asks for a token: ${known}`];
}

/** What a browser's address needs; a token that was given is known to whoever may look, and to no log. */
export function signInQuery({ token, isTokenMade }: ControlEndpoint): string {
  if (token === undefined) return "";
  return isTokenMade ? `?token=${encodeURIComponent(token)}` : "?token=TOKEN, with the token that was given";
}

const tokenLengthMin = 16;

/** What a header and a cookie can both hold, and nobody guesses. */
function checkedToken(token: string | undefined): string | undefined {
  if (token === undefined) return undefined;
  if (token.length < tokenLengthMin || token.length > 256)
    throw new UserError(
      `--control-token has ${token.length} characters; it needs ${tokenLengthMin} to 256. Generate one with: openssl rand -base64 32`,
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

/** Shows the token to the control API of a target that says that it is an Understudy and asks for one; to no other, and to nothing else of it. */
export function withControlToken(handler: Handler, options: Options): Handler {
  const token = checkedToken(options.text("control-token"));
  if (token === undefined) return handler;
  let isRequested = false;
  const shown = (request: Request): ReturnType<Handler> => {
    const others = request.headers.filter(([name]) => name.toLowerCase() !== "authorization");
    return handler({ ...request, headers: [...others, ["Authorization", `Bearer ${token}`]] });
  };
  return async (request) => {
    if (!isControl(request.target)) return handler(request);
    if (isRequested) return shown(request);
    const response = await handler(request);
    isRequested = requiresControlToken(response);
    return isRequested ? shown(request) : response;
  };
}
