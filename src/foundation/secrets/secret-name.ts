/** What stands where a secret stood. */
export const redactionMark = "[redacted]";

/** What the value under a name is, told by the name alone: of a member, a parameter, a field of a form. */
export type SecretRole = "private" | "secret" | "token" | "signature";

/** Pages are asked for by what is called a token and is none. */
const pageTokens: ReadonlySet<string> = new Set(["pageToken", "nextPageToken", "streamContinuationToken"]);
/** A longer name says nothing of its value. */
const nameLengthMax = 100;

const patterns: readonly (readonly [role: SecretRole, pattern: RegExp])[] = [
  ["signature", /signatures?$/i],
  ["private", /(?:private[_-]?key|priv[_-]?key)(?:[_-]?pem)?s?$|(?:mnemonic|seed[_-]?phrase)s?$|^(?:pkcs8|dp|dq|qi)$/i],
  [
    "secret",
    /(?:password|passwd|passphrase|secret(?:[_-]?access)?(?:[_-]?key)?|api[_-]?key|session(?:[_-]?id)?|cookie|authorization)s?$|credential$|^(?:sig|auth)$/i,
  ],
  // What a registry calls credentials are contracts, in an object of their own; texts are not.
  ["token", /(?:token|jwt|assertion)s?$|credentials$|^id_token_hint$/i],
];

/** Undefined for a name that says of no secret. */
export function secretRoleOf(name: string): SecretRole | undefined {
  if (name.length > nameLengthMax || pageTokens.has(name)) return undefined;
  return patterns.find(([, pattern]) => pattern.test(name))?.[0];
}

/** Whether a number under this name must not be shown: of many tokens it is how many there are. */
export function isSecretNumber(name: string): boolean {
  return isSecretName(name) && !/s$/i.test(name);
}

/** Whether what stands under this name must not be shown. */
export function isSecretName(name: string): boolean {
  return secretRoleOf(name) !== undefined;
}
