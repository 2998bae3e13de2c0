import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { LimitValues } from "../../../foundation/limits/limits.ts";
import { refusedConnectionsMax } from "../../../transport/server/node-server.ts";
import type { Environment, Options } from "../options.ts";
import { isLimitGiven } from "./limit-flags.ts";

/** Files that a stub opens besides its connections, for example to reload a scenario. */
const otherFilesMax = 16;

const openFilesFolder = "/dev/fd";
/** The limits of this process on Linux. A report of Node takes longer. */
const processLimits = "/proc/self/limits";

/** The limits, with at most as many connections as the system allows: each connection is an open file. */
export function withinOpenFiles(values: LimitValues, options: Options, environment: Environment): LimitValues {
  const filesMax = openFilesMax();
  if (filesMax === undefined) return values;
  const room = filesMax - readdirSync(openFilesFolder).length - otherFilesMax;
  const connectionsMax = Math.max(
    1,
    room > 2 * refusedConnectionsMax ? room - refusedConnectionsMax : Math.floor(room / 2),
  );
  if (connectionsMax >= values.connectionsMax) return values;
  if (isLimitGiven(options, "connectionsMax"))
    environment.printError(
      `--limit connectionsMax=${values.connectionsMax} is more than the limit of open files allows (ulimit -n ${filesMax}); ${connectionsMax} will be accepted.`,
    );
  return { ...values, connectionsMax };
}

/** The limit of open files of this process; undefined if the system does not report one. */
function openFilesMax(): number | undefined {
  if (!existsSync(openFilesFolder)) return undefined;
  if (existsSync(processLimits)) return softLimitIn(readFileSync(processLimits, "utf8"));
  const report: unknown = process.report.getReport();
  const soft = member(member(member(report, "userLimits"), "open_files"), "soft");
  return typeof soft === "number" ? soft : undefined;
}

function softLimitIn(limitsText: string): number | undefined {
  const soft = /^Max open files +(\d+)/m.exec(limitsText)?.[1];
  return soft === undefined ? undefined : Number(soft);
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
