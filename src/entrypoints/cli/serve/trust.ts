import type { JSONWebKeySet } from "jose";
import { plainMask } from "../../../foundation/secrets/mask.ts";
import { durationMs } from "../../../foundation/text/duration.ts";
import { type AuthenticationMode, authenticationModes } from "../../../stub/pipeline/claims.ts";
import { scopeDefault, type TokenKey, type TokenTrust } from "../../../stub/tokens/verify-token.ts";
import type { Variables } from "../../../transport/client/proxy-of.ts";
import { type NamedFile, namedFile } from "../../programs/files/named-file.ts";
import { readText } from "../../programs/files/unreadable.ts";
import { UserError } from "../../programs/user-error.ts";
import { secretDefault } from "../flags/token-secret.ts";
import { booleanFlag, choiceFlag, type Flag, inGroup, type Options, rare, textFlag } from "../options.ts";
import { keySetOf, keysAt } from "./downloaded-keys.ts";

/** Flags of tokens. */
export const tokenFlags: readonly Flag[] = inGroup("Tokens", [
  choiceFlag(
    "auth",
    "MODE",
    authenticationModes,
    "accepted tokens: none, bearer (any; default), user (a user id) or jwt (signed)",
  ),
  textFlag("jwt-secret", "SECRET", `secret that signs tokens (default: "${secretDefault}")`),
  rare(textFlag("jwks", "FILE", "JSON Web Key Set that verifies tokens: a file or a loopback URL")),
  rare(textFlag("audience", "TEXT", "audience that a token has to name (default: the participant)")),
  rare(textFlag("scope", "TEXT", `scope that tokens need (default ${scopeDefault})`)),
  rare(textFlag("admin-token", "TOKEN", "fixed token of the node's console: it has every right (needs --auth jwt)")),
  rare(
    textFlag(
      "max-token-lifetime",
      "DURATION",
      "refuse tokens that are valid for longer (default: no limit; a node has PT5M)",
    ),
  ),
  booleanFlag("oauth", "serve an OAuth 2.0 authorization server under /oauth"),
]);

/** The tokens that the stub accepts, from `--jwks`, `--jwt-secret`, `--audience`, `--scope`, `--admin-token` and `--max-token-lifetime`; `own` has the keys of `--oauth`. */
export function trustOf(options: Options, own: JSONWebKeySet | undefined, variables: Variables): TokenTrust {
  const [audience, scope] = [options.text("audience"), options.text("scope")];
  const isNamed = audience !== undefined || scope !== undefined;
  return {
    key: keyOf(options, own, variables),
    // A target audience decides alone. Evidence: Canton 3.5, AuthServiceJWT (source).
    audiences: audience === undefined ? (isNamed ? [] : "participant") : [audience],
    scopes: audience !== undefined ? [] : [scope ?? scopeDefault],
    adminToken: options.text("admin-token"),
    lifetimeMsMax: lifetimeMsMaxOf(options),
  };
}

/** The value of `--max-token-lifetime` in milliseconds; undefined without the flag. */
export function lifetimeMsMaxOf(options: Options): number | undefined {
  const text = options.text("max-token-lifetime");
  const lifetimeMs = text === undefined ? undefined : durationMs(text);
  if (text !== undefined && (lifetimeMs === undefined || lifetimeMs === 0))
    throw new UserError(`--max-token-lifetime ${text}: not a duration above zero. Use PT5M, for example.`);
  return lifetimeMs;
}

/** Throws a UserError if a flag of signed tokens is given without `--auth jwt`. */
export function checkTokenFlags(options: Options, authentication: AuthenticationMode): void {
  const misused = ["jwt-secret", "jwks", "audience", "scope", "admin-token", "max-token-lifetime", "oauth"].find(
    (name) => options.isSet(name),
  );
  if (authentication !== "jwt" && misused !== undefined)
    throw new UserError(
      `--${misused} needs --auth jwt: with --auth ${authentication} the stub does not verify tokens. Add --auth jwt, or remove --${misused}.`,
    );
}

function keyOf(options: Options, own: JSONWebKeySet | undefined, variables: Variables): TokenKey {
  const [jwks, secret] = [options.text("jwks"), options.text("jwt-secret")];
  // A LocalNet takes self-signed tokens or those of its authorization server.
  if (own !== undefined && options.flag("localnet"))
    return { type: "secret-or-jwks", secret: secret ?? secretDefault, keys: own };
  if ([jwks, secret, own].filter((given) => given !== undefined).length > 1)
    throw new UserError("--jwks, --jwt-secret and --oauth exclude each other. Use one of them.");
  if (own !== undefined) return { type: "jwks", keys: own };
  if (jwks === undefined) return { type: "secret", secret: secret ?? secretDefault };
  return /^https?:/.test(jwks) ? keyAt(jwks, variables) : { type: "jwks", keys: keysIn(namedFile(jwks, options)) };
}

/** A key set at a loopback URL. Throws a UserError for any other host. */
function keyAt(text: string, variables: Variables): TokenKey {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLoopback = url !== undefined && ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  if (!isLoopback)
    throw new UserError(
      `--jwks ${plainMask(text)} is not on this machine. Save the key set to a file and use that file.`,
    );
  return { type: "jwks-url", load: keysAt(url, variables), nowMs: Date.now };
}

function keysIn(file: NamedFile): JSONWebKeySet {
  const keys = keySetOf(readText(file));
  if (keys !== undefined) return keys;
  throw new UserError(`${file.name} is not a JSON Web Key Set: it needs a list "keys" in which each key has a "kty".`);
}
