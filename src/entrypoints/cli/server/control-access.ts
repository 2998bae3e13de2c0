import { randomBytes } from "node:crypto";
import type { ControlAccess } from "../../../stub/control/access.ts";
import { namedTokens, tokenAccess } from "../../../stub/control/token-check.ts";
import type { ControlTokens } from "../../../stub/stores/control-tokens.ts";
import { controlTokenProblem, isHostName, isLoopbackAddress } from "../../library/own-address.ts";
import { UserError } from "../../programs/user-error.ts";
import { type Flag, inGroup, listFlag, type Options, rare, textFlag } from "../options.ts";

const controlTokenVariable = "UNDERSTUDY_CONTROL_TOKEN";

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
    `control API token of the target if it is a stub; better in ${controlTokenVariable}`,
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

/** The access that the flags set. Beyond loopback a token is required. Named tokens are those of `kept`. */
export function controlEndpointOf(options: Options, host: string, kept?: ControlTokens): ControlEndpoint {
  const hosts = allowedHosts(options);
  const ownToken = controlTokenOf(options);
  const isOpen = !isLoopbackAddress(host);
  const isTokenGenerated = ownToken === undefined && isOpen && !options.flag("no-control");
  const token = isTokenGenerated ? newToken() : ownToken;
  const access = {
    hosts,
    isAnyAddress: isOpen,
    token: token === undefined ? undefined : tokenAccess(token),
    named: kept === undefined ? undefined : namedTokens(kept, newToken),
    isSecure: options.text("tls-cert") !== undefined,
  };
  return { access, token, isTokenGenerated };
}

function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** The address to listen on, without the brackets of a URL. */
export function hostOf(options: Options): string {
  return (options.text("host") ?? "127.0.0.1").replace(/^\[|\]$/g, "");
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

/** The token that is given: hard to guess, and fit for a header and a cookie. Throws a UserError for any other. */
export function controlTokenOf(options: Options): string | undefined {
  const token = options.text("control-token");
  const problem = token === undefined ? undefined : controlTokenProblem(token);
  if (problem !== undefined) throw new UserError(`--control-token: ${problem}`);
  return token;
}

/** The names that `--allow-host` gives, in lower case. */
export function allowedHosts(options: Options): ReadonlySet<string> {
  return new Set(options.texts("allow-host").map(checkedHostName));
}

function checkedHostName(text: string): string {
  const name = text.toLowerCase();
  if (!isHostName(name))
    throw new UserError(`--allow-host ${text}: not a host name. Give the name that clients use, without a port.`);
  return name;
}
