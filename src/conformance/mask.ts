/** Takes secrets out of a text that a report shows. */
export type Mask = (text: string) => string;

// The end of a token or signature may be cut off where a report shows a value by its beginning.
const jsonWebToken = /\beyJ[\w-]{5,}\.[\w-]+(?:\.[\w-]*)?/g;
const bearer = /\b(bearer\s+)(?!\$)[\w.~+/=-]+/gi;
const signature = /("signature"\s*:\s*")[^"]*/g;
const userOfUrl = /(:\/\/)[^/?#\s@"']*@/g;
const tokenOfUrl = /([?&](?:access_token|id_token|token|api_?key|password|secret)=)[^&#\s'"]*/gi;
const pem = /-----BEGIN [A-Z ]+-----[\s\S]*?(?:-----END [A-Z ]+-----|$)/g;

export const leftOut = "(left out)";

/** Leaves out tokens, signatures and keys, and these secrets wherever they stand. */
export function createMask(secrets: readonly string[] = []): Mask {
  const literal = [...secrets].filter((secret) => secret !== "").sort((left, right) => right.length - left.length);
  return (text) => {
    let masked = text;
    for (const secret of literal) masked = masked.replaceAll(secret, leftOut);
    return masked
      .replaceAll(jsonWebToken, leftOut)
      .replaceAll(bearer, `$1${leftOut}`)
      .replaceAll(signature, `$1${leftOut}`)
      .replaceAll(userOfUrl, `$1${leftOut}@`)
      .replaceAll(tokenOfUrl, `$1${leftOut}`)
      .replaceAll(pem, leftOut);
  };
}
