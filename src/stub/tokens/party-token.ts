import { decodeProtectedHeader, errors, importJWK, jwtVerify } from "jose";
import { jwkOf } from "../../foundation/crypto/jwk.ts";
import { isJsonObject, type JsonObject, jsonOf } from "../../foundation/json/json.ts";
import { objectOf, textOf } from "../../foundation/json/members.ts";
import { bytesOfAnyBase64 } from "../../foundation/text/base64.ts";
import { isAllocated, type LedgerState, type SigningKey, type User } from "../../simulator/ledger/ledger-state.ts";

/** The curve of the key for each algorithm of a party token. */
const curves: Readonly<Record<string, SigningKey["spec"]>> = { EdDSA: "curve25519", ES256: "p256", ES384: "p384" };

/** The user of a party token, or the reason why a node does not accept it. */
type VerifiedPartyToken =
  | { readonly type: "valid"; readonly userId: string; readonly issuer: undefined }
  | { readonly type: "invalid"; readonly reason: string };

/** Whether a token says that a party signed it: it has the claim `daml.com`. */
export function isPartyToken(token: string): boolean {
  return isJsonObject(claimsIn(token)["daml.com"]);
}

/**
 * Verifies a token that the primary party of a user signed, in the order of a node. Throws an error of jose for an expired
 * token. Evidence: Canton 3.6, PartyJWTAuthService (source after 3.6.0-SNAPSHOT, and its test).
 */
export async function verifyPartyToken(token: string, ledger: LedgerState, nowMs: number): Promise<VerifiedPartyToken> {
  const claims = claimsIn(token);
  const { syn, usr } = objectOf(claims["daml.com"]);
  const [party, userId, synchronizer] = [textOf(claims["iss"]), textOf(usr), textOf(syn)];
  const user = ledger.users.get(userId);
  const { alg = "", typ } = decodeProtectedHeader(token);
  const problem =
    headerProblem(alg, typ) ??
    recipientProblem(claims, ledger.participantId) ??
    userProblem(user, userId, party) ??
    (ledger.synchronizers.get(synchronizer)?.isConnected === true
      ? undefined
      : `the synchronizer ${JSON.stringify(synchronizer)} (daml.com.syn) is unknown`);
  if (problem !== undefined) return { type: "invalid", reason: problem };
  return (await isSignedByParty(token, alg, keysOf(party, ledger, nowMs), nowMs))
    ? { type: "valid", userId, issuer: undefined }
    : {
        type: "invalid",
        reason: `no key of ${party} for ${alg} signed it (GET /v2/jose/jwks/synchronizer/${synchronizer}/party/${party})`,
      };
}

function claimsIn(token: string): JsonObject {
  const bytes = bytesOfAnyBase64(token.split(".")[1] ?? "");
  return objectOf(bytes === undefined ? undefined : jsonOf(new TextDecoder().decode(bytes)));
}

function headerProblem(alg: string, typ: string | undefined): string | undefined {
  if (typ !== "JWT") return `its type (typ) is ${JSON.stringify(typ ?? "")}, and a party token requires JWT`;
  return Object.hasOwn(curves, alg)
    ? undefined
    : `its algorithm is ${alg}, and a party signs with EdDSA, ES256 or ES384`;
}

function recipientProblem({ aud, iss, sub }: JsonObject, participantId: string): string | undefined {
  if (iss !== sub) return "its issuer (iss) and its subject (sub) are not the same party";
  return aud === participantId
    ? undefined
    : `its audience (aud) is ${JSON.stringify(aud ?? null)}, and a party token names the participant, ${participantId}`;
}

function userProblem(user: User | undefined, userId: string, party: string): string | undefined {
  if (user === undefined) return `it names the user ${JSON.stringify(userId)} (daml.com.usr), which does not exist`;
  if (user.identityProviderId !== "")
    return `the user ${userId} belongs to the identity provider ${user.identityProviderId}, and a party token to the default one`;
  if (!user.primaryPartyAuthentication) return `the user ${userId} has no primaryPartyAuthentication`;
  return user.primaryParty === party ? undefined : `${party} is not the primary party of the user ${userId}`;
}

function keysOf(id: string, { parties }: LedgerState, nowMs: number): readonly SigningKey[] {
  const party = parties.get(id);
  // One signature cannot reach a higher threshold.
  return party === undefined || !isAllocated(party, nowMs) || party.signingThreshold > 1 ? [] : party.signingKeys;
}

async function isSignedByParty(
  token: string,
  alg: string,
  keys: readonly SigningKey[],
  nowMs: number,
): Promise<boolean> {
  for (const { spec, publicKey, fingerprint } of keys) {
    const key = spec === curves[alg] ? jwkOf(spec, publicKey, fingerprint) : undefined;
    if (key === undefined) continue;
    try {
      const { kty, crv, x, y } = key;
      const members = {
        kty: textOf(kty),
        crv: textOf(crv),
        x: textOf(x),
        ...(y === undefined ? {} : { y: textOf(y) }),
      };
      await jwtVerify(token, await importJWK(members, alg), { currentDate: new Date(nowMs) });
      return true;
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    }
  }
  return false;
}
