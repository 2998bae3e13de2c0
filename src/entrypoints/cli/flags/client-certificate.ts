import type { Network } from "../../../transport/client/route.ts";
import { type Environment, type Flag, inGroup, type Options, rare, textFlag } from "../options.ts";
import { tlsOf } from "./tls-files.ts";

/** The certificate that a command presents to a target with mutual TLS. */
export const clientCertificateFlags: readonly Flag[] = inGroup("Target", [
  rare(textFlag("tls-cert", "FILE", "client certificate in PEM format, for a target that requires one")),
  rare(textFlag("tls-key", "FILE", "private key of the client certificate, in PEM format")),
]);

/** How the requests of a command leave this machine. */
export function networkOf(options: Options, { variables }: Environment): Network {
  return { variables, certificate: tlsOf(options) };
}
