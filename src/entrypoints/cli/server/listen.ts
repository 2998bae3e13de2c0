import type { Request } from "../../../foundation/http/request.ts";
import type { Response } from "../../../foundation/http/response.ts";
import type { CountedLimits } from "../../../foundation/limits/counted-limits.ts";
import { type RunningServer, type ServerOptions, startServer } from "../../../transport/server/http-server.ts";
import { refuseForeignOrigins, refuseForeignStreams } from "../../../transport/server/own-origins.ts";
import { type LocalnetServer, PortsTaken, startLocalnet } from "../../library/localnet.ts";
import { listening } from "../../programs/listening.ts";
import { UserError } from "../../programs/user-error.ts";
import { tlsOf } from "../flags/tls-files.ts";
import { wholeNumber } from "../flags/whole-number.ts";
import type { Environment, Options } from "../options.ts";
import { hasLocalnetPorts } from "../serve/localnet.ts";
import { allowedHosts, hostOf } from "./control-access.ts";

/** A handler, with the format of refusals in front of it. */
interface Listener extends Pick<ServerOptions, "handler" | "openStream" | "renderRefusal"> {
  /** Called with a request that the server refuses, and its response. */
  readonly noteRefused?: (request: Request, response: Response) => void;
}

/** Server options, without the address. */
function serverOptions(
  options: Options,
  environment: Environment,
  { handler, openStream, renderRefusal, noteRefused }: Listener,
  limits: CountedLimits,
): Omit<ServerOptions, "host" | "port"> {
  return {
    handler: options.flag("cors") ? handler : refuseForeignOrigins(handler, allowedHosts(options), noteRefused),
    openStream:
      openStream === undefined || options.flag("cors")
        ? openStream
        : refuseForeignStreams(openStream, allowedHosts(options), noteRefused),
    renderRefusal,
    limits,
    isCorsAllowed: options.flag("cors"),
    tls: tlsOf(options),
    idleGraceMs,
    onOtherProtocol: (text) => environment.printError(text),
    onFault: (fault) => environment.printError(`fault: ${String(fault)}`),
    ...connectionWarnings(limits, environment),
  };
}

/** When the server stops, an idle connection stays open for this time: a busy client sends its next request within it. */
const idleGraceMs = 100;

/** Prints one warning for refused connections. */
function connectionWarnings(
  { values }: CountedLimits,
  { printError }: Environment,
): Required<Pick<ServerOptions, "onCrowded" | "onUnaccepted">> {
  return {
    onCrowded: once(() =>
      printError(
        `Connection limit reached (${values.connectionsMax}): further connections are refused until one closes. Raise --limit connectionsMax, or the number of open files (ulimit -n).`,
      ),
    ),
    onUnaccepted: once(({ message }: Error) =>
      printError(
        `The system accepts no further connection (${message}). The stub keeps its open connections. Close some, or raise the limit of open files (ulimit -n) and restart the stub.`,
      ),
    ),
  };
}

function once<Arguments extends readonly unknown[]>(
  run: (...values: Arguments) => void,
): (...values: Arguments) => void {
  let isDone = false;
  return (...values) => {
    if (!isDone) run(...values);
    isDone = true;
  };
}

async function listeningAtAll(
  serving: Omit<ServerOptions, "port">,
  environment: Environment,
): Promise<RunningServer & Partial<LocalnetServer>> {
  try {
    return await listening("stub", { host: serving.host, port: 0 }, environment, () => startLocalnet(serving));
  } catch (error) {
    if (!(error instanceof PortsTaken)) throw error;
    throw new UserError(`${error.message} Or serve it at one port: --localnet --port 7575.`);
  }
}

/** Starts the server at the address of the flags. Throws a UserError if that fails. */
export async function listen(
  options: Options,
  environment: Environment,
  served: Listener,
  limits: CountedLimits,
): Promise<RunningServer & Partial<LocalnetServer>> {
  const serving = serverOptions(options, environment, served, limits);
  const host = hostOf(options);
  if (hasLocalnetPorts(options)) return listeningAtAll({ ...serving, host }, environment);
  const port = wholeNumber(options, "port", { byDefault: 7575, min: 0, max: 65535 });
  return listening("stub", { host, port }, environment, () => startServer({ ...serving, host, port }));
}
