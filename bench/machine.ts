import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { arch, cpus, platform, release, totalmem } from "node:os";
import { parseProcessors } from "./process-files.ts";

/** The machine of the measurement. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGigabytes: number;
  readonly system: string;
  readonly node: string;
}

/** The installed tools. */
export interface Tools {
  readonly wrk: boolean;
  /** The version that Java prints. */
  readonly java: string | undefined;
  readonly cores: Cores | undefined;
  /** Whether `/proc` gives the processor time and memory of a process. */
  readonly proc: boolean;
}

/** The core of the server and the core of the load; undefined if the system cannot pin processes. */
export interface Cores {
  readonly server: number;
  readonly load: number;
}

export function describeMachine(): Machine {
  return {
    processor: cpus()[0]?.model.trim() ?? "unknown",
    cores: cpus().length,
    memoryGigabytes: Math.round(totalmem() / 1e9),
    system: `${platform()} ${release()} ${arch()}`,
    node: process.version,
  };
}

export function findTools(): Tools {
  return {
    wrk: runs("wrk", ["-v"]),
    java: javaVersion(),
    cores: coresToPin(),
    proc: existsSync("/proc/self/smaps_rollup"),
  };
}

function runs(command: string, words: readonly string[]): boolean {
  return spawnSync(command, words, { stdio: "ignore" }).error === undefined;
}

function javaVersion(): string | undefined {
  const { error, stderr } = spawnSync("java", ["-version"], { encoding: "utf8" });
  return error === undefined ? (/version "([^"]+)"/.exec(stderr)?.[1] ?? "unknown") : undefined;
}

/** The first two cores that this process may use. */
function coresToPin(): Cores | undefined {
  if (!existsSync("/proc/self/status") || !runs("taskset", ["--version"])) return undefined;
  const allowed = /^Cpus_allowed_list:\s*(.+)$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "";
  const [server, load] = parseProcessors(allowed);
  return server === undefined || load === undefined ? undefined : { server, load };
}
