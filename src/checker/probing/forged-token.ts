import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { urlBase64OfBytes } from "../../foundation/text/base64.ts";

const hourS = 3600;

/** A well-formed JSON Web Token for the participant administrator, signed with an untrusted key. */
export function forgedToken(nowMs: number): string {
  const nowS = Math.floor(nowMs / 1000);
  const claims = { sub: "participant_admin", scope: "daml_ledger_api", iat: nowS, exp: nowS + hourS };
  const signed = [{ alg: "HS256", typ: "JWT" }, claims].map((part) =>
    urlBase64OfBytes(utf8ToBytes(JSON.stringify(part))),
  );
  const signature = hmac(sha256, utf8ToBytes("a key of understudy's probes"), utf8ToBytes(signed.join(".")));
  return [...signed, urlBase64OfBytes(signature)].join(".");
}
