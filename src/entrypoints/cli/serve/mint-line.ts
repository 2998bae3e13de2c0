import { portableWord } from "../../../checker/engine/curl-line.ts";
import type { Hosting } from "../../../stub/hosting/hosting.ts";
import { defaultWorldId } from "../../../stub/hosting/world-id.ts";
import type { MintLine } from "../../../stub/inspection/ledger-access.ts";
import { secretDefault } from "../flags/token-secret.ts";
import type { Options } from "../options.ts";

/** Returns a shell line that prints a token of a user; undefined if `--jwks` gives public keys only. */
export function mintLine(options: Options, url: string, hosting: Hosting): MintLine | undefined {
  const named = ["audience", "scope"].flatMap((name) => {
    const value = options.text(name);
    return value === undefined ? [] : [`&${name}=${encodeURIComponent(value)}`];
  });
  if (options.flag("oauth") && !options.flag("localnet"))
    return (userId) =>
      `curl -s ${url.startsWith("https") ? "-k " : ""}-d ${portableWord(`grant_type=client_credentials&client_id=${encodeURIComponent(userId)}${named.join("")}`)} ${url}/oauth/token | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/'`;
  if (options.text("jwks") !== undefined) return undefined;
  const flags = ["jwt-secret", "audience", "scope"].flatMap((name) => {
    const value = options.text(name);
    if (value === undefined || (name === "jwt-secret" && value === secretDefault)) return [];
    // A secret in a log could sign tokens, so the line names the environment variable of the flag.
    return [`--${name} ${name === "jwt-secret" ? '"$UNDERSTUDY_JWT_SECRET"' : portableWord(value)}`];
  });
  const lifetime = options.text("max-token-lifetime");
  if (lifetime !== undefined) flags.push(`--expires ${lifetime}`);
  const virtualNowMs = hosting.worlds.get(defaultWorldId)?.world.elapse().nowMs ?? 0;
  // If virtual time is ahead of the wall clock, a token that is issued now has already expired.
  const at = virtualNowMs > Date.now() ? [`--at ${new Date(virtualNowMs).toISOString()}`] : [];
  return (userId) => ["understudy token --user", portableWord(userId), ...flags, ...at].join(" ");
}
