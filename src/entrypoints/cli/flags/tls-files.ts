import { createSecureContext } from "node:tls";
import type { TlsFiles } from "../../../transport/server/node-server.ts";
import { type NamedFile, namedFile } from "../../programs/files/named-file.ts";
import { readText } from "../../programs/files/unreadable.ts";
import { UserError } from "../../programs/user-error.ts";
import type { Options } from "../options.ts";

/** The certificate of `--tls-cert` and the key of `--tls-key`; undefined if neither is given. */
export function tlsOf(options: Options): TlsFiles | undefined {
  const [cert, key] = [options.text("tls-cert"), options.text("tls-key")];
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined) throw new UserError("--tls-key needs --tls-cert FILE, the certificate of the key.");
  if (key === undefined) throw new UserError("--tls-cert needs --tls-key FILE, the private key of the certificate.");
  const files = { cert: readPem(namedFile(cert, options)), key: readPem(namedFile(key, options)) };
  try {
    createSecureContext(files);
    return files;
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new UserError(`${cert} and ${key} are not a certificate and its private key (${problem}).`);
  }
}

function readPem(file: NamedFile): string {
  const text = readText(file);
  if (!text.includes("-----BEGIN "))
    throw new UserError(
      `${file.name} is not a PEM file: it has no line -----BEGIN …-----. Convert it to PEM with openssl.`,
    );
  return text;
}
