import type { LimitReport, LimitsReport } from "../../../foundation/limits/counted-limits.ts";
import {
  findLimitProblem,
  type LimitName,
  type LimitValues,
  limitList,
  limitNames,
  limits,
  limitValues,
} from "../../../foundation/limits/limits.ts";
import { UserError } from "../../programs/user-error.ts";
import { numbersFlag, numbersOf } from "../flags/named-numbers.ts";
import { type Environment, type Flag, type NamedNumber, type Options, rare } from "../options.ts";

/** Average bytes of an exchange, for the default size of a journal. */
const bytesPerExchange = 8 * 1024;

/** Sets limits by their names. */
export function limitFlag(numbers: readonly NamedNumber[]): Flag {
  const [example] = numbers;
  const named = numbers
    .map(({ name, quantity, byDefault }) => `${name} (${quantity}, default ${byDefault})`)
    .join(", ");
  const help =
    numbers.length > namedInHelp
      ? `limit by name, such as ${example?.name}=${example?.byDefault}: bytes, milliseconds or a count (docs/limits.md)`
      : `limit by name: ${named}`;
  return { ...rare(numbersFlag("limit", help, numbers)), group: "Limits" };
}

/** Number of limits that the help describes; of more it says where they are. */
const namedInHelp = 3;

/** Limits of worlds, of the inspector, and of what operations read; other servers do not have them. */
const worldLimits: ReadonlySet<string> = new Set([
  "jsonValuesMax",
  "numberLengthMax",
  "protobufFieldsMax",
  "archiveEntriesMax",
  "archiveEntryBytesMax",
  "archiveBytesMax",
  "eventStreamsMax",
  "eventBytesMax",
  "worldsMax",
  "stateBytesMax",
  "journalExchangesMax",
  "journalBytesMax",
]);

/** The limits of any server. */
export const serverLimitFlag: Flag = limitFlag(limitList.filter(({ name }) => !worldLimits.has(name)));

/** The limits that a flag sets; the defaults of the others. Throws a UserError with the valid names and ranges. */
export function limitsFrom(
  options: Pick<Options, "texts" | "placeOf">,
  flag: Flag,
  bodyBytesMax?: number,
): LimitValues {
  const given = numbersOf(options, flag);
  const values: { [Name in LimitName]?: number } = {};
  for (const name of limitNames) {
    const value = given.get(name);
    if (value !== undefined) values[name] = value;
  }
  const { journalExchangesMax, journalBytesMax } = values;
  if (journalExchangesMax !== undefined && journalBytesMax === undefined)
    values.journalBytesMax = Math.max(limits.journalBytesMax.min, journalExchangesMax * bytesPerExchange);
  const all = limitValues(values, bodyBytesMax);
  const found = findLimitProblem(all);
  if (found === undefined) return all;
  throw new UserError(`${options.placeOf("limit")} ${found.name}=${all[found.name]}: ${found.problem}`);
}

/** Whether `--limit` sets this limit. */
export function isLimitGiven(options: Pick<Options, "texts">, name: LimitName): boolean {
  return options.texts("limit").some((text) => text.startsWith(`${name}=`));
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

function sentenceOf({ name, value, exceeded }: LimitReport): string {
  return `${counted(exceeded, exceededTexts[name])} (--limit ${name}=${value})`;
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
  archiveEntriesMax: "archive refused for the number of its files",
  archiveEntryBytesMax: "archive refused for a large file",
  archiveBytesMax: "archive refused for the size of its files",
  headTimeoutMs: "request ended before its head arrived",
  requestTimeoutMs: "request ended before it arrived completely",
  responseTimeoutMs: "connection ended: its client did not read",
  idleTimeoutMs: "idle connection closed",
  connectionsMax: "connection refused",
  requestsWaitingMax: "request refused: too many waiting",
  eventStreamsMax: "event stream refused",
  eventBytesMax: "event stream ended: too slowly read",
  worldsMax: "world refused",
  stateBytesMax: "import refused for its size",
  journalExchangesMax: "exchange dropped from journals",
  journalBytesMax: "exchange dropped from journals for its size",
};
