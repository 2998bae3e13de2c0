/** Takes secrets out of a text that a report shows. */
export type Mask = (text: string) => string;

const jsonWebToken = /\beyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*/g;
const bearer = /\b(bearer\s+)(?!\$)[\w.~+/=-]+/gi;
const signature = /("signature"\s*:\s*")[^"]*"/g;
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
      .replaceAll(signature, `$1${leftOut}"`)
      .replaceAll(pem, leftOut);
  };
}
