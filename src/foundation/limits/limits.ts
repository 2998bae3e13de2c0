/**
 * The names of the limits of a stub. The unit is the last part of a name.
 *
 * @example
 * const name: LimitName = "worldsMax";
 */
export type LimitName =
  | "archiveBytesMax"
  | "archiveEntriesMax"
  | "archiveEntryBytesMax"
  | "bodyBytesMax"
  | "bufferedBytesMax"
  | "connectionsMax"
  | "eventBytesMax"
  | "eventStreamsMax"
  | "headBytesMax"
  | "headersMax"
  | "headTimeoutMs"
  | "idleTimeoutMs"
  | "journalBytesMax"
  | "journalExchangesMax"
  | "jsonValuesMax"
  | "nestingMax"
  | "numberLengthMax"
  | "protobufFieldsMax"
  | "requestTimeoutMs"
  | "requestsWaitingMax"
  | "responseTimeoutMs"
  | "stateBytesMax"
  | "targetBytesMax"
  | "worldsMax";

/** A limit: its default and its allowed range. */
interface Limit {
  readonly name: LimitName;
  readonly unit: "" | "bytes" | "ms";
  readonly byDefault: number;
  readonly min: number;
  readonly max: number;
  /** The limited quantity, for help and docs. */
  readonly quantity: string;
}

/**
 * An integer for each limit: bytes, milliseconds or a count, as its name says.
 *
 * @example
 * const limits: Partial<LimitValues> = { worldsMax: 10, headTimeoutMs: 1000 };
 */
export type LimitValues = Readonly<Record<LimitName, number>>;

const kibi = 1024;
const mebi = 1024 * 1024;
const minuteMs = 60_000;

/** The limits of a stub, in display order. */
export const limits: Readonly<Record<LimitName, Limit>> = {
  bodyBytesMax: limit("bodyBytesMax", 8 * mebi, [kibi, 48 * mebi], "size of a request body"),
  bufferedBytesMax: limit(
    "bufferedBytesMax",
    128 * mebi,
    [64 * kibi, 16 * 1024 * mebi],
    "size of the requests and responses that are in progress on all connections",
  ),
  headBytesMax: limit(
    "headBytesMax",
    16 * kibi,
    [kibi, mebi],
    "size of the path, the query and the headers of a request",
  ),
  targetBytesMax: limit("targetBytesMax", 8 * kibi, [256, mebi], "size of the path and the query of a request"),
  headersMax: limit("headersMax", 100, [10, 10_000], "number of headers and trailers of a request"),
  nestingMax: limit("nestingMax", 1000, [10, 1000], "nesting depth of a JSON body"),
  jsonValuesMax: limit("jsonValuesMax", 40_000, [100, 10_000_000], "number of members and elements of a JSON body"),
  numberLengthMax: limit("numberLengthMax", 500, [40, 1000], "number of characters of a number in a JSON body"),
  protobufFieldsMax: limit(
    "protobufFieldsMax",
    100_000,
    [100, 10_000_000],
    "number of fields of the protobuf messages in a body",
  ),
  archiveEntriesMax: limit("archiveEntriesMax", 2000, [10, 65_535], "number of files in an uploaded DAR"),
  archiveEntryBytesMax: limit(
    "archiveEntryBytesMax",
    64 * mebi,
    [kibi, 1024 * mebi],
    "size of a file in an uploaded DAR, unpacked",
  ),
  archiveBytesMax: limit(
    "archiveBytesMax",
    256 * mebi,
    [kibi, 4095 * mebi],
    "size of all files in an uploaded DAR, unpacked",
  ),
  headTimeoutMs: limit(
    "headTimeoutMs",
    30_000,
    [100, 60 * minuteMs],
    "time to receive the request line and the headers",
  ),
  requestTimeoutMs: limit("requestTimeoutMs", 5 * minuteMs, [100, 60 * minuteMs], "time to receive a whole request"),
  responseTimeoutMs: limit(
    "responseTimeoutMs",
    30_000,
    [100, 60 * minuteMs],
    "pause that a client may make while it reads a response",
  ),
  idleTimeoutMs: limit("idleTimeoutMs", 5000, [1000, 60 * minuteMs], "idle time of a connection after a response"),
  connectionsMax: limit("connectionsMax", 5000, [1, 100_000], "number of open connections"),
  requestsWaitingMax: limit(
    "requestsWaitingMax",
    1000,
    [1, 100_000],
    "number of pipelined requests of a connection that wait for a response",
  ),
  eventStreamsMax: limit("eventStreamsMax", 100, [1, 10_000], "number of open event streams"),
  eventBytesMax: limit("eventBytesMax", mebi, [kibi, 64 * mebi], "size of the events that a client has not read"),
  worldsMax: limit("worldsMax", 10_000, [1, 1_000_000], "number of worlds"),
  stateBytesMax: limit(
    "stateBytesMax",
    32 * mebi,
    [kibi, 16 * 1024 * mebi],
    "size of the archives of all imported worlds",
  ),
  journalExchangesMax: limit(
    "journalExchangesMax",
    1000,
    [1, 1_000_000],
    "number of exchanges in the journal of each world",
  ),
  journalBytesMax: limit("journalBytesMax", 8 * mebi, [kibi, 8 * 1024 * mebi], "size of the journal of each world"),
};

/** A limit. Its unit is the last part of its name. */
function limit(name: LimitName, byDefault: number, [min, max]: readonly [number, number], quantity: string): Limit {
  const unit = name.endsWith("BytesMax") ? "bytes" : name.endsWith("Ms") ? "ms" : "";
  return { name, unit, byDefault, min, max, quantity };
}

/** All limits, in display order. */
export const limitList: readonly Limit[] = Object.values(limits);

export const limitNames: readonly LimitName[] = limitList.map(({ name }) => name);

/** The values of all limits: the given ones and the defaults of the others. A release may have its own limit of a body. */
export function limitValues(
  given: Partial<LimitValues> = {},
  bodyBytesMax: number = limits.bodyBytesMax.byDefault,
): LimitValues {
  const valueOfName = (name: LimitName): number => {
    const own = given[name];
    if (own !== undefined) return own;
    // A smaller total also lowers the defaults of its parts.
    const wholes = partsOfWholes.flatMap(([part, whole]) => (part === name ? (given[whole] ?? []) : []));
    const byDefault = name === "bodyBytesMax" ? bodyBytesMax : limits[name].byDefault;
    return Math.min(byDefault, ...wholes.map((whole) => Math.max(whole, limits[name].min)));
  };
  const values = Object.fromEntries(limitList.map(({ name }) => [name, valueOfName(name)]));
  if (!isWhole(values)) throw new Error("invariant: each limit has a value");
  return values;
}

function isWhole(values: Readonly<Record<string, number>>): values is LimitValues {
  return limitList.every(({ name }) => name in values);
}

/** A limit value with its unit, for display. */
export function shownLimit(name: LimitName, value: number): string {
  const { unit } = limits[name];
  if (unit === "ms") return value === 1000 ? "1 second" : `${value / unitSize(name)} seconds`;
  return unit === "" ? String(value) : `${value} ${unit}`;
}

/** Times are shown in seconds. */
function unitSize(name: LimitName): number {
  return limits[name].unit === "ms" ? 1000 : 1;
}

/** The first problem of the limit values, alone or in combination; undefined if they are valid. */
export function findLimitProblem(
  values: LimitValues,
): { readonly name: LimitName; readonly problem: string } | undefined {
  for (const { name, min, max, unit } of limitList) {
    const value = values[name];
    if (!Number.isInteger(value) || value < min || value > max)
      return { name, problem: `out of range. Use ${min} to ${`${max} ${unit}`.trim()}.` };
  }
  for (const [part, whole] of partsOfWholes)
    if (values[part] > values[whole]) return { name: part, problem: `more than ${whole}, which is ${values[whole]}.` };
  return undefined;
}

const partsOfWholes = [
  ["bodyBytesMax", "bufferedBytesMax"],
  ["targetBytesMax", "headBytesMax"],
  ["headTimeoutMs", "requestTimeoutMs"],
] as const;
