// Parses process information of Linux.

/** Clock ticks a second in `/proc/PID/stat`; 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

export interface ProcessStat {
  readonly parent: number;
  /** Processor time in milliseconds, user and system mode. */
  readonly cpuMs: number;
}

/** Reads `/proc/PID/stat`. The name of the command is in parentheses and may contain any character (proc(5)). */
export function parseStat(text: string): ProcessStat {
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [parent, user, system] = [fields[1], fields[11], fields[12]].map(Number);
  if (parent === undefined || user === undefined || system === undefined || Number.isNaN(user + system + parent))
    throw new Error(`not a stat file: ${text.slice(0, 80)}`);
  return { parent, cpuMs: ((user + system) * 1000) / ticksPerSecond };
}

/** A number of kilobytes in `/proc/PID/smaps_rollup` or `/proc/PID/status`, as megabytes of 10^6 bytes. */
export function parseMegabytes(text: string, name: string): number {
  const kibibytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(text)?.[1];
  if (kibibytes === undefined) throw new Error(`there is no ${name} in ${text.slice(0, 80)}`);
  return (Number(kibibytes) * 1024) / 1e6;
}

/** The cores of a list such as `0-3,8`. */
export function parseProcessors(list: string): readonly number[] {
  return list
    .trim()
    .split(",")
    .flatMap((part) => {
      const [first = Number.NaN, last = first] = part.split("-").map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });
}
