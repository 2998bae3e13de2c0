const connectFailures: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** Why nothing can come from there; undefined where a response broke off. */
export function unreachableReason(code: string): string | undefined {
  if (code.startsWith("ERR_SSL") || code === "EPROTO") return "it does not speak TLS";
  return connectFailures.has(code) ? code : undefined;
}

/** Whether what came is no HTTP; the codes are those of Node's parser. */
export function isNotHttp(code: string): boolean {
  return code.startsWith("HPE_") && code !== "HPE_HEADER_OVERFLOW";
}
