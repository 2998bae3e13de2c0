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

/** The reason why a target is unreachable; undefined for other failures. */
export function unreachableReason(code: string): string | undefined {
  if (code.startsWith("ERR_SSL") || code === "EPROTO") return "it does not speak TLS";
  return connectFailures.has(code) ? code : undefined;
}

/** Whether an error code of Node's parser means that the input is not HTTP. */
export function isNotHttp(code: string): boolean {
  return code.startsWith("HPE_") && code !== "HPE_HEADER_OVERFLOW";
}
