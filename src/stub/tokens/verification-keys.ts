import { importJWK, type JSONWebKeySet, type JWK, type JWTHeaderParameters, type JWTVerifyGetKey } from "jose";

/** Why no key verifies a token. */
class NoKey extends Error {}

/** A key set that can change. */
export interface RemoteKeys {
  /** Downloads the key set. Rejects with a reason. */
  readonly load: () => Promise<JSONWebKeySet>;
  /** Wall time in milliseconds, for the age of a key. */
  readonly nowMs: () => number;
}

/** Maximum age and number of downloaded keys. Evidence: Canton 3.5, JwksCacheConfig (source). */
const keyAgeMsMax = 300_000;
const keysMax = 1000;

/** Finds the key of a token in a fixed set. */
export function keysOfSet(keys: JSONWebKeySet): JWTVerifyGetKey {
  return async (header) => importedKey(keyIn(keys, header.kid), header);
}

/**
 * Finds the key of a token in a downloaded set. Each key is kept by its id for its maximum age. An unknown id downloads the
 * set at once, so a new key verifies with its first token. Evidence: Canton 3.5, CachedJwtVerifierLoader (source).
 */
export function remoteKeys({ load, nowMs }: RemoteKeys): JWTVerifyGetKey {
  const kept = new Map<string | undefined, { readonly key: Promise<JWK>; readonly untilMs: number }>();
  const download = (keyId: string | undefined): Promise<JWK> => {
    const key = load().then((keys) => keyIn(keys, keyId));
    const [oldest] = kept.keys();
    if (kept.size >= keysMax) kept.delete(oldest);
    kept.set(keyId, { key, untilMs: nowMs() + keyAgeMsMax });
    // A failure is not kept: the next token downloads again.
    key.catch(() => kept.get(keyId)?.key === key && kept.delete(keyId));
    return key;
  };
  return async (header) => {
    const known = kept.get(header.kid);
    const isFresh = known !== undefined && nowMs() < known.untilMs;
    return importedKey(await (isFresh ? known.key : download(header.kid)), header);
  };
}

/** The first key with the id; without an id, the only key of the set. Evidence: auth0 jwks-rsa-java, UrlJwkProvider (source). */
function keyIn({ keys }: JSONWebKeySet, keyId: string | undefined): JWK {
  const only = keys.length === 1 ? keys[0] : undefined;
  const found = keyId === undefined ? only : keys.find(({ kid }) => kid === keyId);
  if (found !== undefined) return found;
  if (keyId === undefined) throw new NoKey(`it names no key (kid), and the key set has ${keys.length} keys`);
  throw new NoKey(`the key set has no key with the id (kid) ${JSON.stringify(keyId)}`);
}

/** The public key if the token has its algorithm. `alg`, `use` and `key_ops` of the key are not read, as on a node. */
async function importedKey(key: JWK, { alg }: JWTHeaderParameters) {
  const algorithm = algorithmOf(key);
  if (algorithm === undefined)
    throw new NoKey(`a node does not support its key (${key.crv ?? key.kty}). Use RSA, P-256 or P-521`);
  if (alg !== algorithm) throw new NoKey(`its algorithm is ${alg}, and a node requires ${algorithm} for this key`);
  const { alg: _, use, key_ops, d, ...publicKey } = key;
  return importJWK(publicKey, algorithm);
}

/** Evidence: Canton 3.5, CachedJwtVerifierLoader (source). */
function algorithmOf({ kty, crv }: JWK): string | undefined {
  if (kty === "RSA") return "RS256";
  if (kty !== "EC") return undefined;
  return crv === "P-256" ? "ES256" : crv === "P-521" ? "ES512" : undefined;
}
