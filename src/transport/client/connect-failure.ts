import { connect } from "node:tls";

/** Why a target is unreachable, and what to do if it is not only to check the URL. */
export interface ConnectFailure {
  readonly reason: string;
  readonly remedy?: string | undefined;
}

const proxies = "Behind a company proxy, set HTTPS_PROXY or HTTP_PROXY.";
const trust = "Set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of its authority, or with its own.";
const clock = "Renew the certificate of the server, or correct the clock of this machine.";
const client = "Set --tls-cert and --tls-key to a certificate that the target trusts, with its key.";

/** Failures by the error codes of Node: what happened, and the remedy. */
const failures: Readonly<Record<string, readonly [what: string, remedy?: string]>> = {
  ECONNREFUSED: [""],
  ENOTFOUND: ["", `Check the host name. ${proxies}`],
  EAI_AGAIN: ["", `Check the host name. ${proxies}`],
  EHOSTUNREACH: ["", `Check the URL and the network. ${proxies}`],
  ENETUNREACH: ["", `Check the URL and the network. ${proxies}`],
  ETIMEDOUT: ["", `Check the URL and the network. ${proxies}`],
  DEPTH_ZERO_SELF_SIGNED_CERT: ["its certificate is not trusted", trust],
  SELF_SIGNED_CERT_IN_CHAIN: ["its certificate is not trusted", trust],
  UNABLE_TO_GET_ISSUER_CERT: ["its certificate is not trusted", trust],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ["its certificate is not trusted", trust],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ["its certificate is not trusted", trust],
  CERT_UNTRUSTED: ["its certificate is not trusted", trust],
  CERT_HAS_EXPIRED: ["its certificate has expired", clock],
  CERT_NOT_YET_VALID: ["its certificate is not valid yet", clock],
  CERT_REVOKED: ["its certificate is revoked", clock],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    "its certificate is for other host names",
    "Use a host name of the certificate in the URL.",
  ],
};

/** Failures of a TLS handshake by the text of OpenSSL. */
const handshakes: readonly (readonly [pattern: RegExp, what: string, remedy: string])[] = [
  [
    /protocol.?version|unsupported.?protocol|version.?too.?low/i,
    "it has no TLS version that this Node accepts",
    "Update the TLS of the server, or set NODE_OPTIONS=--tls-min-v1.0.",
  ],
  [
    /certificate.?required|handshake.?failure|bad.?certificate|unknown.?ca|certificate.?unknown/i,
    "it refuses the connection, most often for a missing client certificate",
    client,
  ],
];

/** The reason why a target is unreachable; undefined for other failures. */
export function connectFailure(error: Error): ConnectFailure | undefined {
  const code = "code" in error ? String(error.code) : "";
  const known = failures[code];
  if (known !== undefined) {
    const [what, remedy] = known;
    return { reason: what === "" ? code : `${what}: ${code}`, ...(remedy === undefined ? {} : { remedy }) };
  }
  if (!code.startsWith("ERR_SSL") && code !== "EPROTO") return undefined;
  const [, what, remedy] = handshakes.find(([pattern]) => pattern.test(`${code} ${error.message}`)) ?? [];
  if (what !== undefined && remedy !== undefined) return { reason: what, remedy };
  return { reason: "it does not speak TLS", remedy: "Use http:// in the URL, or check the port." };
}

/** The failure of plain HTTP to a port that expects TLS. */
export const tlsExpected: ConnectFailure = { reason: "it speaks TLS", remedy: "Use https:// in the URL." };

/** Whether an error code of Node's parser means that the input is not HTTP. */
export function isNotHttp(code: string): boolean {
  return code.startsWith("HPE_") && code !== "HPE_HEADER_OVERFLOW";
}

/** Time of a TLS handshake, with which a port shows that it expects TLS. */
const handshakeTimeoutMs = 2000;

/** Whether a port completes a TLS handshake: such a server closes a connection with plain HTTP without a word. */
export function speaksTls({ hostname, port }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const host = hostname.replace(/^\[|\]$/g, "");
    const socket = connect({
      host,
      port: Number(port || "80"),
      rejectUnauthorized: false,
      timeout: handshakeTimeoutMs,
    });
    const settle = (spoken: boolean) => {
      socket.destroy();
      resolve(spoken);
    };
    socket.once("secureConnect", () => settle(true));
    for (const event of ["error", "timeout", "close"] as const) socket.once(event, () => settle(false));
  });
}
