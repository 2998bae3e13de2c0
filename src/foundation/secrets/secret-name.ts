/** Replaces a secret in everything that is shown. */
export const redactionMark = "[redacted]";

/** Whether a text stands for a secret that was redacted before, with or without a scheme, also as it is written in a URL. */
export function isPlaceholder(text: string): boolean {
  return placeholder.test(text);
}

const placeholder =
  /^(?:(?:bearer|basic)\s+)?(?:\[redacted\]|%5bredacted%5d|(?:token|credentials|cookie|secret|trace-state)-\d+)$/i;

/** What the name of a member, a parameter, a form field or an element says about its value. */
export type SecretRole = "private" | "secret" | "token" | "signature";

/** Positions in a list, not credentials. */
const pageToken = /^(?:(?:next[_-]?)?page|stream[_-]?continuation)[_-]?token$/i;
/** Characters of the shortest name, which is a part of a key. */
const nameLengthMin = 2;
/** Characters at the end of a name that are compared. */
const comparedMax = 100;

const patterns: readonly (readonly [role: SecretRole, pattern: RegExp])[] = [
  ["signature", /signatures?$/i],
  [
    "private",
    /priv(?:ate)?[_-]?key(?:[_-]?(?:pem|hex|der|bytes|base64|b64|jwk))?s?$|(?:mnemonic|seed[_-]?phrase)s?$|seed$|^pkcs8$/i,
  ],
  [
    "secret",
    /(?:password|passwd|passphrase|passcode|pwd|secret(?:[_-]?access)?(?:[_-]?key)?|(?:api|access)[_-]?key|session(?:[_-]?id)?|cookie|authorization)s?$|credential$|^(?:sig|auth|(?:pin|t?otp)(?:[_-]?code)?)$|auth[_-]?header$/i,
  ],
  // A registry lists contracts as credentials, in an object. Texts of that name are secrets.
  ["token", /(?:token|jwt|assertion|bearer)s?$|credentials$|^id_token_hint$/i],
];

/** A part of each name above, followed by what separates a name from its value: a quick test of a text. */
export const namedSecretHint: RegExp =
  /(?:sign|priv|mnemonic|seed|pkcs8|\bd[pq]|\bqi|passw|passph|passc|pwd|secret|key|session|cookie|auth|cred|\bsig|token|jwt|assertion|bearer|csrf|xsrf|\bcode|\bpin|otp)[\w-]{0,20}[\]"']{0,2}\s{0,10}[=:>]/i;

/** All patterns in one: most names indicate no secret. */
const anyRole = new RegExp(patterns.map(([, pattern]) => pattern.source).join("|"), "i");

/** The role of a name; undefined if the name does not indicate a secret. */
export function secretRoleOf(name: string): SecretRole | undefined {
  const end = name.length > comparedMax ? name.slice(-comparedMax) : name;
  if (end.length < nameLengthMin || !anyRole.test(end) || pageToken.test(name)) return undefined;
  return patterns.find(([, pattern]) => pattern.test(end))?.[0];
}

/** Whether the value of this name must not be shown. */
export function isSecretName(name: string): boolean {
  return secretRoleOf(name) !== undefined;
}

/** Whether a number of this name must not be shown. `tokens` is a count; a number named seed starts a random generator. */
export function isSecretNumber(name: string): boolean {
  return isSecretName(name) && !/(?:s|seed)$/i.test(name);
}

/** The role of a parameter of a query or a form, whose name may be encoded or in brackets. A code of OAuth is a secret. */
export function parameterRoleOf(name: string): SecretRole | undefined {
  if (name === "code" || name === "code_verifier") return "secret";
  const inner = name.endsWith("]") ? name.slice(name.lastIndexOf("[") + 1, -1) : name;
  return secretRoleOf(inner);
}

/** Private parts of a key in JSON (RFC 7518). Other members and parameters with these names have shorter values. */
const keyParts: ReadonlySet<string> = new Set(["d", "p", "q", "k", "dp", "dq", "qi"]);
const keyPart = /^[A-Za-z0-9_-]{40}[A-Za-z0-9_-]*$/;

/** Whether a value is the private part of a key in JSON. */
export function isKeyPart(member: string, value: string): boolean {
  return member.length <= 2 && keyParts.has(member) && keyPart.test(value);
}

const headers: ReadonlySet<string> = new Set(["authentication", "sec-websocket-protocol", "signature-input"]);
/** Keys that grant no access. */
const harmless: ReadonlySet<string> = new Set(["idempotency-key", "sec-websocket-key"]);
const headerEnd = /(?:-|^)(?:key|auth|csrf|xsrf|credentials?|signature-\d+)$/;

/** Whether the value of this header must not be shown: it identifies the sender, or proves who it is. */
export function isSecretHeader(name: string): boolean {
  const lower = name.toLowerCase();
  if (headers.has(lower) || isSecretName(lower)) return true;
  return !harmless.has(lower) && headerEnd.test(lower);
}
