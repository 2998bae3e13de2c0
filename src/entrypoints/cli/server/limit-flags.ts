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
import type { Environment, Flag, Options } from "../options.ts";
import { UserError } from "../user-error.ts";

/** Bytes of an exchange, on average, for which a journal has room. */
const bytesPerExchange = 8 * 1024;

/** A flag for each bound of a stub. */
export const limitFlags: readonly Flag[] = limitList.map((limit) => ({
  name: limit.flag,
  type: "string",
  value: limit.unit === "ms" ? "SECONDS" : limit.unit === "bytes" ? "BYTES" : "N",
  help: `limit: ${limit.quantity} (default ${defaultOf(limit)})`,
  isRare: true,
}));

/** What worlds and those who look at them need, and a server that has neither does not. */
const ofWorlds: ReadonlySet<string> = new Set([
  "eventStreamsMax",
  "eventBytesMax",
  "worldsMax",
  "journalExchangesMax",
  "journalBytesMax",
]);

/** The bounds of a server, whatever it serves. */
export const serverLimitFlags: readonly Flag[] = limitList
  .filter(({ name }) => !ofWorlds.has(name))
  .flatMap(({ flag }) => limitFlags.filter(({ name }) => name === flag));

function defaultOf({ name, byDefault }: Limit): string {
  return name === "journalBytesMax"
    ? `${byDefault}; with --journal ${bytesPerExchange} for each exchange`
    : shownLimit(name, byDefault).replace(/ bytes$/, "");
}

/** The bounds that the flags ask for. Throws a UserError that says what each may be. */
export function limitsFrom(options: Options): LimitValues {
  const given: { [Name in LimitName]?: number } = {};
  for (const { name, flag, unit } of limitList) {
    const text = options.text(flag);
    if (text !== undefined) given[name] = unit === "ms" ? Math.round(numberIn(text) * 1000) : numberIn(text);
  }
  const { journalExchangesMax, journalBytesMax } = given;
  if (journalExchangesMax !== undefined && journalBytesMax === undefined)
    given.journalBytesMax = Math.max(limits.journalBytesMax.min, journalExchangesMax * bytesPerExchange);
  const values = limitValues(given);
  const found = findLimitProblem(values, (limit) => `--${limit.flag}`);
  if (found === undefined) return values;
  const { flag } = limits[found.name];
  throw new UserError(
    `--${flag} ${options.text(flag) ?? shownLimit(found.name, values[found.name])}: ${found.problem}`,
  );
}

/** What is no number is out of every range. */
function numberIn(text: string): number {
  return /^\d{1,15}(?:\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
}

/** Says at the end what was refused or dropped, and nothing where nothing was. */
export function summarizeLimits(report: LimitsReport, options: Options, { print, printError }: Environment): void {
  const exceeded = report.limits.filter((limit) => limit.exceeded > 0);
  if (exceeded.length === 0 && report.malformed === 0) return;
  if (options.flag("json")) {
    print(JSON.stringify({ event: "limits-summary", limits: exceeded, malformed: report.malformed }));
    return;
  }
  const parts = exceeded.map(sentenceOf);
  if (report.malformed > 0) parts.push(`${counted(report.malformed, "message")} refused that were no HTTP request`);
  printError(`Beyond the limits: ${parts.join("; ")}.`);
}

function sentenceOf({ name, flag, value, exceeded }: LimitReport): string {
  return `${counted(exceeded, nouns[name])} (--${flag} ${shownLimit(name, value)})`;
}

function counted(count: number, noun: string): string {
  const [first = "", ...rest] = noun.split(" ");
  return [`${count} ${first}${count === 1 ? "" : "s"}`, ...rest].join(" ");
}

/** What was refused, dropped or ended, as it is counted. */
const nouns: Readonly<Record<LimitName, string>> = {
  bodyBytesMax: "request refused for its body",
  headBytesMax: "request refused for its head",
  targetBytesMax: "request refused for its target",
  headersMax: "request refused for its headers",
  nestingMax: "body refused for its nesting",
  headTimeoutMs: "request ended whose head did not arrive",
  requestTimeoutMs: "request ended that did not arrive whole",
  idleTimeoutMs: "connection ended",
  connectionsMax: "connection refused",
  requestsWaitingMax: "request refused that would have waited",
  eventStreamsMax: "event stream refused",
  eventBytesMax: "event stream cut off that was not read",
  worldsMax: "world refused",
  journalExchangesMax: "exchange dropped from journals",
  journalBytesMax: "exchange dropped from journals for its bytes",
};
