import type { LimitReport, LimitsReport } from "../../../foundation/limits/counted-limits.ts";
import {
  findLimitProblem,
  type Limit,
  type LimitName,
  type LimitValues,
  limitList,
  limits,
  limitValues,
  shownLimit,
} from "../../../foundation/limits/limits.ts";
import { type Environment, type Flag, type Options, rare, textFlag } from "../options.ts";
import { UserError } from "../user-error.ts";

/** Average bytes of an exchange, for the default size of a journal. */
const bytesPerExchange = 8 * 1024;

/** A flag for each limit of a stub. */
export const limitFlags: readonly Flag[] = limitList.map((limit) => ({
  ...rare(
    textFlag(
      limit.flag,
      limit.unit === "ms" ? "SECONDS" : limit.unit === "bytes" ? "BYTES" : "N",
      `${limit.quantity} (default ${defaultOf(limit)})`,
    ),
  ),
  group: "Limits",
}));

/** Limits of worlds, of the inspector, and of what operations read; other servers do not have them. */
const worldLimits: ReadonlySet<string> = new Set([
  "jsonValuesMax",
  "numberLengthMax",
  "protobufFieldsMax",
  "eventStreamsMax",
  "eventBytesMax",
  "worldsMax",
  "journalExchangesMax",
  "journalBytesMax",
]);

/** The limits of any server. */
export const serverLimitFlags: readonly Flag[] = limitList
  .filter(({ name }) => !worldLimits.has(name))
  .flatMap(({ flag }) => limitFlags.filter(({ name }) => name === flag));

function defaultOf({ name, byDefault }: Limit): string {
  return name === "journalBytesMax"
    ? `${byDefault}; with --journal N, N times ${bytesPerExchange}`
    : shownLimit(name, byDefault).replace(/ (?:bytes|seconds)$/, "");
}

/** The limits that the flags set. Throws a UserError with the valid range. */
export function limitsFrom(options: Options, bodyBytesMax?: number): LimitValues {
  const values: { [Name in LimitName]?: number } = {};
  for (const { name, flag, unit } of limitList) {
    const text = options.text(flag);
    if (text !== undefined) values[name] = unit === "ms" ? Math.round(numberIn(text) * 1000) : numberIn(text);
  }
  const { journalExchangesMax, journalBytesMax } = values;
  if (journalExchangesMax !== undefined && journalBytesMax === undefined)
    values.journalBytesMax = Math.max(limits.journalBytesMax.min, journalExchangesMax * bytesPerExchange);
  const all = limitValues(values, bodyBytesMax);
  const found = findLimitProblem(all, (limit) => `--${limit.flag}`);
  if (found === undefined) return all;
  const { flag } = limits[found.name];
  throw new UserError(`--${flag} ${options.text(flag) ?? shownLimit(found.name, all[found.name])}: ${found.problem}`);
}

/** NaN, which no range contains, for a text that is not a number. */
function numberIn(text: string): number {
  return /^\d{1,15}(?:\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
}

/** Prints how often each limit was exceeded; prints nothing if none was. */
export function summarizeLimits(report: LimitsReport, options: Options, { print, printError }: Environment): void {
  const exceeded = report.limits.filter((limit) => limit.exceeded > 0);
  if (exceeded.length === 0 && report.malformed === 0) return;
  if (options.flag("json")) {
    print(JSON.stringify({ event: "limits-summary", limits: exceeded, malformed: report.malformed }));
    return;
  }
  const parts = exceeded.map(sentenceOf);
  if (report.malformed > 0) parts.push(`${counted(report.malformed, "message")} refused: not valid HTTP`);
  printError(`Limits exceeded: ${parts.join("; ")}.`);
}

function sentenceOf({ name, flag, value, exceeded }: LimitReport): string {
  return `${counted(exceeded, exceededTexts[name])} (--${flag} ${shownLimit(name, value)})`;
}

function counted(count: number, text: string): string {
  const [first = "", ...rest] = text.split(" ");
  return [`${count} ${first}${count === 1 ? "" : "s"}`, ...rest].join(" ");
}

/** What exceeding a limit causes. The first word is counted. */
const exceededTexts: Readonly<Record<LimitName, string>> = {
  bodyBytesMax: "request refused for its body",
  bufferedBytesMax: "request refused: too much in progress",
  headBytesMax: "request refused for its head",
  targetBytesMax: "request refused for its target",
  headersMax: "request refused for its headers",
  nestingMax: "request refused for the nesting of its body",
  jsonValuesMax: "request refused for the members and elements of its body",
  numberLengthMax: "request refused for a long number",
  protobufFieldsMax: "request refused for its protobuf fields",
  headTimeoutMs: "request ended before its head arrived",
  requestTimeoutMs: "request ended before it arrived completely",
  responseTimeoutMs: "connection ended: its client did not read",
  idleTimeoutMs: "idle connection closed",
  connectionsMax: "connection refused",
  requestsWaitingMax: "request refused: too many waiting",
  eventStreamsMax: "event stream refused",
  eventBytesMax: "event stream ended: too slowly read",
  worldsMax: "world refused",
  journalExchangesMax: "exchange dropped from journals",
  journalBytesMax: "exchange dropped from journals for its size",
};
