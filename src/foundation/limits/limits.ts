/**
 * The names of the limits of a stub. The unit is the last part of a name.
 *
 * @example
 * const name: LimitName = "worldsMax";
 */
export type LimitName =
  | "bodyBytesMax"
  | "connectionsMax"
  | "eventBytesMax"
  | "eventStreamsMax"
  | "headBytesMax"
  | "headersMax"
  | "headTimeoutMs"
  | "idleTimeoutMs"
  | "journalBytesMax"
  | "journalExchangesMax"
  | "nestingMax"
  | "requestTimeoutMs"
  | "requestsWaitingMax"
  | "targetBytesMax"
  | "worldsMax";

/** A limit: its flag of `serve`, its default, and its allowed range. */
export interface Limit {
  readonly name: LimitName;
  readonly flag: string;
  readonly unit: "" | "bytes" | "ms";
  readonly byDefault: number;
  readonly min: number;
  readonly max: number;
  /** The limited quantity, as part of a sentence. */
  readonly of: string;
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
  bodyBytesMax: {
    name: "bodyBytesMax",
    flag: "body-bytes-max",
    unit: "bytes",
    byDefault: 8 * mebi,
    min: kibi,
    max: 48 * mebi,
    of: "a request's body",
  },
  headBytesMax: {
    name: "headBytesMax",
    flag: "head-bytes-max",
    unit: "bytes",
    byDefault: 16 * kibi,
    min: kibi,
    max: mebi,
    of: "a request's target with the names and values of its headers",
  },
  targetBytesMax: {
    name: "targetBytesMax",
    flag: "target-bytes-max",
    unit: "bytes",
    byDefault: 8 * kibi,
    min: 256,
    max: mebi,
    of: "a request's path with its query",
  },
  headersMax: {
    name: "headersMax",
    flag: "headers-max",
    unit: "",
    byDefault: 100,
    min: 10,
    max: 10_000,
    of: "headers of a request",
  },
  nestingMax: {
    name: "nestingMax",
    flag: "nesting-max",
    unit: "",
    byDefault: 500,
    min: 10,
    max: 500,
    of: "levels of lists and objects in a body of JSON",
  },
  headTimeoutMs: {
    name: "headTimeoutMs",
    flag: "head-timeout",
    unit: "ms",
    byDefault: 30_000,
    min: 100,
    max: 60 * minuteMs,
    of: "the time in which a request's head arrives, from the connection or its first byte on",
  },
  requestTimeoutMs: {
    name: "requestTimeoutMs",
    flag: "request-timeout",
    unit: "ms",
    byDefault: 5 * minuteMs,
    min: 100,
    max: 60 * minuteMs,
    of: "the time in which a whole request arrives",
  },
  idleTimeoutMs: {
    name: "idleTimeoutMs",
    flag: "idle-timeout",
    unit: "ms",
    byDefault: 5000,
    min: 1000,
    max: 60 * minuteMs,
    of: "the time that a connection stays open after a response",
  },
  connectionsMax: {
    name: "connectionsMax",
    flag: "connections-max",
    unit: "",
    byDefault: 5000,
    min: 1,
    max: 100_000,
    of: "connections that are open at a time",
  },
  requestsWaitingMax: {
    name: "requestsWaitingMax",
    flag: "requests-waiting-max",
    unit: "",
    byDefault: 1000,
    min: 1,
    max: 100_000,
    of: "requests of one connection that have no response yet",
  },
  eventStreamsMax: {
    name: "eventStreamsMax",
    flag: "event-streams-max",
    unit: "",
    byDefault: 100,
    min: 1,
    max: 10_000,
    of: "event streams that are open at a time",
  },
  eventBytesMax: {
    name: "eventBytesMax",
    flag: "event-bytes-max",
    unit: "bytes",
    byDefault: mebi,
    min: kibi,
    max: 64 * mebi,
    of: "events that wait for a listener that does not read them",
  },
  worldsMax: {
    name: "worldsMax",
    flag: "worlds-max",
    unit: "",
    byDefault: 10_000,
    min: 1,
    max: 1_000_000,
    of: "worlds at a time",
  },
  journalExchangesMax: {
    name: "journalExchangesMax",
    flag: "journal",
    unit: "",
    byDefault: 1000,
    min: 1,
    max: 1_000_000,
    of: "exchanges that the journal of each world keeps",
  },
  journalBytesMax: {
    name: "journalBytesMax",
    flag: "journal-bytes-max",
    unit: "bytes",
    byDefault: 8 * mebi,
    min: kibi,
    max: 8 * 1024 * mebi,
    of: "the exchanges in the journal of each world together",
  },
};

/** All limits, in display order. */
export const limitList: readonly Limit[] = Object.values(limits);

/** The values of all limits: the given ones and the defaults of the others. */
export function limitValues(given: Partial<LimitValues> = {}): LimitValues {
  const valueOfName = (name: LimitName): number => {
    const own = given[name];
    if (own !== undefined) return own;
    // A smaller total also lowers the defaults of its parts.
    const wholes = partsOfWholes.flatMap(([part, whole]) => (part === name ? (given[whole] ?? []) : []));
    return Math.min(limits[name].byDefault, ...wholes.map((whole) => Math.max(whole, limits[name].min)));
  };
  return {
    bodyBytesMax: valueOfName("bodyBytesMax"),
    headBytesMax: valueOfName("headBytesMax"),
    targetBytesMax: valueOfName("targetBytesMax"),
    headersMax: valueOfName("headersMax"),
    nestingMax: valueOfName("nestingMax"),
    headTimeoutMs: valueOfName("headTimeoutMs"),
    requestTimeoutMs: valueOfName("requestTimeoutMs"),
    idleTimeoutMs: valueOfName("idleTimeoutMs"),
    connectionsMax: valueOfName("connectionsMax"),
    requestsWaitingMax: valueOfName("requestsWaitingMax"),
    eventStreamsMax: valueOfName("eventStreamsMax"),
    eventBytesMax: valueOfName("eventBytesMax"),
    worldsMax: valueOfName("worldsMax"),
    journalExchangesMax: valueOfName("journalExchangesMax"),
    journalBytesMax: valueOfName("journalBytesMax"),
  };
}

/** A limit value with its unit, for display. */
export function shownLimit(name: LimitName, value: number): string {
  const { unit } = limits[name];
  if (unit === "ms") return value === 1000 ? "1 second" : `${value / 1000} seconds`;
  return unit === "" ? String(value) : `${value} ${unit}`;
}

/** The problem with the limit values, alone or in combination; undefined if they are valid. */
export function problemOfLimits(
  values: LimitValues,
): { readonly name: LimitName; readonly problem: string } | undefined {
  for (const { name, min, max } of limitList) {
    const value = values[name];
    if (!Number.isInteger(value) || value < min || value > max)
      return { name, problem: `is out of range; it is from ${shownLimit(name, min)} to ${shownLimit(name, max)}` };
  }
  for (const [part, whole] of partsOfWholes)
    if (values[part] > values[whole])
      return { name: part, problem: `is more than ${limits[whole].of}, ${shownLimit(whole, values[whole])}` };
  return undefined;
}

const partsOfWholes = [
  ["targetBytesMax", "headBytesMax"],
  ["headTimeoutMs", "requestTimeoutMs"],
] as const;
