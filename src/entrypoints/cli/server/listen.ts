import { createSecureContext } from "node:tls";
import type { CountedLimits } from "../../../foundation/limits/counted-limits.ts";
import {
  type RunningServer,
  type ServerOptions,
  startServer,
  type TlsFiles,
} from "../../../transport/server/http-server.ts";
import { refuseForeignOrigins } from "../../../transport/server/own-origins.ts";
import { diskFiles } from "../../library/files.ts";
import { type NamedFile, namedFile } from "../files/named-file.ts";
import { wholeNumber } from "../flags/whole-number.ts";
import type { Environment, Options } from "../options.ts";
import { UserError } from "../user-error.ts";
import { allowedHosts, hostOf } from "./control-access.ts";

/** How requests are served, wherever that is. */
function serverOptions(
  options: Options,
  environment: Environment,
  handler: ServerOptions["handler"],
  limits: CountedLimits,
): Omit<ServerOptions, "host" | "port"> {
  return {
    handler: options.flag("cors") ? handler : refuseForeignOrigins(handler, allowedHosts(options)),
    limits,
    isCorsAllowed: options.flag("cors"),
    tls: tlsOf(options),
    idleGraceMs,
    onFault: (fault) => environment.printError(`fault: ${String(fault)}`),
    ...tellingOfCrowds(limits, environment),
  };
}

/** A client that is busy sends its next request within this time, and is told with the response that it was the last. */
const idleGraceMs = 100;

/** Tells once of connections that are not served. */
function tellingOfCrowds(
  { values }: CountedLimits,
  { printError }: Environment,
): Required<Pick<ServerOptions, "onCrowded" | "onUnaccepted">> {
  return {
    onCrowded: once(() =>
      printError(
        `Connection limit reached (${values.connectionsMax}): further connections are refused until one closes. Raise --connections-max, or the number of open files (ulimit -n).`,
      ),
    ),
    onUnaccepted: once(({ message }: Error) =>
      printError(
        `The system accepts no further connection (${message}). The stub goes on with those that it has. Close some, or allow more open files (ulimit -n) and start it again.`,
      ),
    ),
  };
}

function once<Given extends readonly unknown[]>(run: (...given: Given) => void): (...given: Given) => void {
  let isDone = false;
  return (...given) => {
    if (!isDone) run(...given);
    isDone = true;
  };
}

/** Serves where the flags say; throws a UserError where that cannot be. */
export async function listen(
  options: Options,
  environment: Environment,
  handler: ServerOptions["handler"],
  limits: CountedLimits,
): Promise<RunningServer> {
  const settings = serverOptions(options, environment, handler, limits);
  const host = hostOf(options);
  const port = wholeNumber(options, "port", { byDefault: 7575, min: 0, max: 65535 });
  try {
    return await startServer({ ...settings, host, port });
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    if (error.code === "EADDRINUSE")
      throw new UserError(`Port ${port} is taken. Choose another with --port N, or --port 0 for a free one.`);
    throw new UserError(`The stub cannot listen on ${host}, port ${port}: ${error.message}.`);
  }
}

/** Certificate and key, or neither. */
function tlsOf(options: Options): TlsFiles | undefined {
  const [cert, key] = [options.text("tls-cert"), options.text("tls-key")];
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw new UserError("TLS needs both: --tls-cert FILE and --tls-key FILE.");
  const files = { cert: readPem(namedFile(cert, options)), key: readPem(namedFile(key, options)) };
  try {
    createSecureContext(files);
    return files;
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new UserError(`${cert} and ${key} are no certificate and its private key (${problem}).`);
  }
}

function readPem({ name, path }: NamedFile): string {
  const text = diskFiles.read(path);
  if (text === undefined) throw new UserError(`There is no file ${name}, or it cannot be read.`);
  if (!text.includes("-----BEGIN ")) throw new UserError(`${name} is not in PEM form.`);
  return text;
}
