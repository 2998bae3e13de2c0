/** Takes secrets out of a text that a report shows. */
export type Mask = (text: string) => string;

export const leftOut = "(left out)";

// The end of a secret may be cut off where a report shows a value by its beginning; so no pattern asks for an end.
const secretName = String.raw`(?:[\w./-]*(?:token|password|passwd|secret|signature|api[_-]?key|private[_-]?key|session|cookie|authorization)|jwt|sig|auth)`;
const patterns: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/(?<![\w-])eyJ[\w-]{5,}\.[\w-]+(?:\.[\w-]*)?/g, leftOut],
  [/\b(bearer\s+)(?!\$)[\w.~+/=-]+/gi, `$1${leftOut}`],
  [/\b(basic\s+)[\w+/=-]{8,}/gi, `$1${leftOut}`],
  // A member of JSON, also of JSON within a text, whose value is a text; page tokens are no secrets.
  [
    new RegExp(
      String.raw`(\\?"(?!pageToken|nextPageToken)${secretName}\\?"\s*:\s*\\?")(?:[^"\\]|\\(?!"[,}\]]))*`,
      "gi",
    ),
    `$1${leftOut}`,
  ],
  // Signatures as elements of a list.
  [/("signatures"\s*:\s*\[\s*)"[^\]]*/gi, `$1"${leftOut}"`],
  [/(:\/\/)[^/?#\s@"']*@/g, `$1${leftOut}@`],
  [
    new RegExp(String.raw`((?:^|[?&'"])(?!pageToken=)(?:${secretName}|code|access%5Ftoken)=)[^&#\s'"]*`, "gi"),
    `$1${leftOut}`,
  ],
  [/-----BEGIN[A-Z %0-9+]+-----[\s\S]*?(?:-----END [A-Z ]+-----|$)/g, leftOut],
];

const secretMember = new RegExp(`^${secretName}$`, "i");

/** Whether what stands under this name is left out, for whoever shows a value apart from its name. */
export function isSecretMember(name: string): boolean {
  return secretMember.test(name) && !/^(?:nextP|p)ageToken$/.test(name);
}

/** Leaves out tokens, signatures and keys, and these secrets wherever they stand. */
export function createMask(secrets: readonly string[] = []): Mask {
  const literal = [...secrets].filter((secret) => secret !== "").sort((left, right) => right.length - left.length);
  return (text) => {
    let masked = text;
    for (const secret of literal) masked = masked.replaceAll(secret, leftOut);
    for (const [pattern, instead] of patterns) masked = masked.replaceAll(pattern, instead);
    return masked;
  };
}
