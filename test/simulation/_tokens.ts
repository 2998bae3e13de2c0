import type { AuthenticationMode } from "../../src/stub/pipeline/claims.ts";
import { mintToken } from "../../src/stub/tokens/mint-token.ts";
import { createTokenVerifier, scopeDefault, type VerifyToken } from "../../src/stub/tokens/verify-token.ts";
import type { Tokens } from "./steps/_request-of.ts";

const secret = "unsafe";
const unknownUser = "unknown-user";
/** Beyond what any walk takes. */
const expiresAtMs = Date.parse("9999-12-31T00:00:00Z");

/** Tokens of an administrator, a plain user and an unknown user, in the form that the mode requires. */
export async function tokensFor(mode: AuthenticationMode, plain: string): Promise<Tokens> {
  if (mode !== "jwt") return { administrator: "participant_admin", plain, unknown: unknownUser };
  const token = (userId: string) =>
    mintToken(
      { userId, audience: undefined, scope: scopeDefault, issuer: undefined, issuedAtMs: 0, expiresAtMs },
      { secret },
    );
  const [administrator, ofPlain, unknown] = await Promise.all([
    token("participant_admin"),
    token(plain),
    token(unknownUser),
  ]);
  return { administrator, plain: ofPlain, unknown };
}

export function tokenVerifier(): VerifyToken {
  return createTokenVerifier({ key: { type: "secret", secret }, audiences: [], scopes: [scopeDefault] });
}
