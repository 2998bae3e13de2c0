import { isJsonObject, parseJson } from "../../../foundation/json/json.ts";
import { plainMask } from "../../../foundation/secrets/mask.ts";
import type { Hosting } from "../../../stub/hosting/hosting.ts";
import { steadyNowMs } from "../../library/steady-now-ms.ts";
import { oneOf } from "../../programs/one-of.ts";
import { isQuiet } from "../flags/quiet-flag.ts";
import { choiceFlag, type Environment, type Flag, type Options } from "../options.ts";
import type { FindingLog } from "../report/watched-client-rules.ts";
import { JsonRequestLog } from "./json-request-log.ts";
import { RequestLog } from "./request-log.ts";

const formats = ["text", "json"] as const;

export const logFlag: Flag = {
  ...choiceFlag(
    "log",
    "FORMAT",
    formats,
    "print each request: as text (default on a terminal), or with everything else as JSON, one object a line",
  ),
  group: "Output",
};

/** Prints requests, and with `findings` the client findings below them. */
interface ServeLog {
  watch(hosting: Hosting): void;
  readonly findings: FindingLog | undefined;
}

/** The log of requests; undefined if none is asked for and no person reads the output, and with `--quiet` or `--json`. */
export function requestLogOf(options: Options, environment: Environment): ServeLog | undefined {
  const format = formatOf(options);
  if (format === "json") return new JsonRequestLog(environment, steadyNowMs, setImmediate);
  const isOff = format === undefined && (!environment.isTerminal || isQuiet(options) || options.flag("json"));
  if (isOff) return undefined;
  const log = new RequestLog(environment, steadyNowMs, setImmediate);
  return { watch: (hosting) => log.watch(hosting), findings: log };
}

function formatOf(options: Options): (typeof formats)[number] | undefined {
  const text = options.text("log");
  return text === undefined ? undefined : oneOf("--log", text, formats);
}

/** Runs `serve` with the log that `--log json` asks for: one JSON object a line, each with `event` and `at`. */
export async function withJsonLog(
  options: Options,
  environment: Environment,
  run: (options: Options, environment: Environment) => Promise<number>,
): Promise<number> {
  if (formatOf(options) !== "json") return run(options, environment);
  const logged = loggedEnvironment(environment);
  const exitCode = await run({ ...options, flag: (name) => name === "json" || options.flag(name) }, logged);
  logged.print(JSON.stringify({ event: "stopped", exitCode }));
  return exitCode;
}

/** An environment that prints events with a timestamp, and messages as events. */
function loggedEnvironment(environment: Environment): Environment {
  const print = (event: object) => environment.print(JSON.stringify({ at: new Date().toISOString(), ...event }));
  return {
    folder: environment.folder,
    // Node opens standard input at the first access.
    get input() {
      return environment.input;
    },
    program: environment.program,
    variables: environment.variables,
    isTerminal: false,
    isColoured: false,
    nameOf: environment.nameOf,
    print: (text) => print(eventOf(text)),
    printError: (text) => print({ event: "message", message: plainMask(text) }),
    progress: () => undefined,
    stopped: async () => {
      await environment.stopped();
      print({ event: "stopping" });
    },
  };
}

/** The event of a line that `--json` prints. */
function eventOf(text: string): object {
  const event = parseJson(text);
  return isJsonObject(event) ? event : { event: "message", message: text };
}
