import { isIdentifier } from "../../foundation/spec/identifiers.ts";
import { durationMs } from "../../foundation/text/duration.ts";
import { mintToken } from "../../stub/tokens/mint-token.ts";
import { scopeDefault } from "../../stub/tokens/verify-token.ts";
import { exitCodes, UserError } from "../programs/user-error.ts";
import { secretDefault } from "./flags/token-secret.ts";
import { type Command, type Environment, type Options, textFlag } from "./options.ts";

export const token: Command = {
  name: "token",
  usage: "token --user ID [flags]",
  flags: [
    textFlag("user", "ID", "user of the token"),
    textFlag("jwt-secret", "SECRET", `secret that signs the token (default: "${secretDefault}")`),
    textFlag("audience", "TEXT", "audience of the token (default: none)"),
    textFlag("scope", "TEXT", `scope of the token (default ${scopeDefault})`),
    textFlag("issuer", "TEXT", "issuer of an identity provider (default: none)"),
    textFlag("expires", "DURATION", "lifetime, such as PT5M (default PT24H)"),
    textFlag("at", "TIME", "time of issue: now (default), or 2026-01-01T00:00:00Z"),
  ],
  examples: ["understudy token --user alice", "understudy token --user alice --expires PT5M --audience my-app"],
  run: runToken,
};

async function runToken(options: Options, environment: Environment): Promise<number> {
  const [word] = options.positionals;
  if (word !== undefined)
    throw new UserError(`token takes flags only, not ${JSON.stringify(word)}. Try understudy token --user ${word}`);
  const userId = options.text("user");
  if (userId === undefined) throw new UserError("token needs --user ID: understudy token --user alice");
  if (!isIdentifier("userId", userId))
    throw new UserError(
      `--user ${JSON.stringify(userId)}: not a valid user id. Use 1 to 128 letters, digits and punctuation, without spaces.`,
    );
  const lifetimeMs = durationMs(options.text("expires") ?? "PT24H");
  if (lifetimeMs === undefined)
    throw new UserError(`--expires ${options.text("expires")}: not a valid duration. Use PT5M or PT24H, for example.`);
  if (lifetimeMs === 0)
    throw new UserError(
      `--expires ${options.text("expires")}: the token would never be valid. Use PT1S or more; for an expired token, set --at to a time in the past.`,
    );
  const at = options.text("at") ?? "now";
  const issuedAtMs = at === "now" ? Date.now() : Date.parse(at);
  if (Number.isNaN(issuedAtMs))
    throw new UserError(`--at ${at}: not a valid timestamp. Use now, or 2026-01-01T00:00:00Z.`);
  const content = {
    userId,
    audience: options.text("audience"),
    scope: options.text("scope") ?? scopeDefault,
    issuer: options.text("issuer"),
    issuedAtMs,
    expiresAtMs: issuedAtMs + lifetimeMs,
  };
  const minted = await mintToken(content, { secret: options.text("jwt-secret") ?? secretDefault });
  environment.print(options.flag("json") ? JSON.stringify({ event: "token", token: minted, ...content }) : minted);
  return exitCodes.fine;
}
