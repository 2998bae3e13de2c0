const names: ReadonlySet<string> = new Set([
  "authentication",
  "authorization",
  "cookie",
  "proxy-authorization",
  "sec-websocket-protocol",
  "set-cookie",
]);

/** A shorter value of a secret is a word like any other, which reports may show. */
export const maskedLengthMin = 8;

/** Whether the value of this header must not be shown or written: it lets whoever reads it act as somebody else. */
export function isSecretHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return (
    names.has(lower) ||
    /(?:-|^)(?:api-?key|authorization|key|token|secret|auth|session|session-id|csrf|xsrf|password|jwt-assertion)$/.test(
      lower,
    )
  );
}
