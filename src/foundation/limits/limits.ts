/**
 * The names of the limits of a stub. The unit is the last part of a name.
 *
 * @example
 * const name: LimitName = "worldsMax";
 */
export type LimitName =
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
  bodyBytesMax: {
    name: "bodyBytesMax",
    flag: "body-bytes-max",
    unit: "bytes",
    byDefault: 8 * mebi,
    min: kibi,
    max: 48 * mebi,
    quantity: "size of a request body",
  },
  bufferedBytesMax: {
    name: "bufferedBytesMax",
    flag: "buffered-bytes-max",
    unit: "bytes",
    byDefault: 128 * mebi,
    min: 64 * kibi,
    max: 16 * 1024 * mebi,
    quantity: "size of the requests and responses that are in progress on all connections",
  },
  headBytesMax: {
    name: "headBytesMax",
    flag: "head-bytes-max",
    unit: "bytes",
    byDefault: 16 * kibi,
    min: kibi,
    max: mebi,
    quantity: "size of the target and the headers of a request",
  },
  targetBytesMax: {
    name: "targetBytesMax",
    flag: "target-bytes-max",
    unit: "bytes",
    byDefault: 8 * kibi,
    min: 256,
    max: mebi,
    quantity: "size of the path and the query of a request",
  },
  headersMax: {
    name: "headersMax",
    flag: "headers-max",
    unit: "",
    byDefault: 100,
    min: 10,
    max: 10_000,
    quantity: "number of headers and trailers of a request",
  },
  nestingMax: {
    name: "nestingMax",
    flag: "nesting-max",
    unit: "",
    byDefault: 1000,
    min: 10,
    max: 1000,
    quantity: "nesting depth of a JSON body",
  },
  jsonValuesMax: {
    name: "jsonValuesMax",
    flag: "json-values-max",
    unit: "",
    byDefault: 40_000,
    min: 100,
    max: 10_000_000,
    quantity: "number of members and elements of a JSON body",
  },
  numberLengthMax: {
    name: "numberLengthMax",
    flag: "number-length-max",
    unit: "",
    byDefault: 500,
    min: 40,
    max: 1000,
    quantity: "number of characters of a number in a JSON body",
  },
  protobufFieldsMax: {
    name: "protobufFieldsMax",
    flag: "protobuf-fields-max",
    unit: "",
    byDefault: 100_000,
    min: 100,
    max: 10_000_000,
    quantity: "number of fields of the protobuf messages in a body",
  },
  headTimeoutMs: {
    name: "headTimeoutMs",
    flag: "head-timeout",
    unit: "ms",
    byDefault: 30_000,
    min: 100,
    max: 60 * minuteMs,
    quantity: "time to receive the request line and the headers",
  },
  requestTimeoutMs: {
    name: "requestTimeoutMs",
    flag: "request-timeout",
    unit: "ms",
    byDefault: 5 * minuteMs,
    min: 100,
    max: 60 * minuteMs,
    quantity: "time to receive a whole request",
  },
  responseTimeoutMs: {
    name: "responseTimeoutMs",
    flag: "response-timeout",
    unit: "ms",
    byDefault: 30_000,
    min: 100,
    max: 60 * minuteMs,
    quantity: "time in which a client reads nothing of a response",
  },
  idleTimeoutMs: {
    name: "idleTimeoutMs",
    flag: "idle-timeout",
    unit: "ms",
    byDefault: 5000,
    min: 1000,
    max: 60 * minuteMs,
    quantity: "idle time of a connection after a response",
  },
  connectionsMax: {
    name: "connectionsMax",
    flag: "connections-max",
    unit: "",
    byDefault: 5000,
    min: 1,
    max: 100_000,
    quantity: "number of open connections",
  },
  requestsWaitingMax: {
    name: "requestsWaitingMax",
    flag: "requests-waiting-max",
    unit: "",
    byDefault: 1000,
    min: 1,
    max: 100_000,
    quantity: "number of pipelined requests of a connection that wait for a response",
  },
  eventStreamsMax: {
    name: "eventStreamsMax",
    flag: "event-streams-max",
    unit: "",
    byDefault: 100,
    min: 1,
    max: 10_000,
    quantity: "number of open event streams",
  },
  eventBytesMax: {
    name: "eventBytesMax",
    flag: "event-bytes-max",
    unit: "bytes",
    byDefault: mebi,
    min: kibi,
    max: 64 * mebi,
    quantity: "size of the events that a client has not read",
  },
  worldsMax: {
    name: "worldsMax",
    flag: "worlds-max",
    unit: "",
    byDefault: 10_000,
    min: 1,
    max: 1_000_000,
    quantity: "number of worlds",
  },
  journalExchangesMax: {
    name: "journalExchangesMax",
    flag: "journal",
    unit: "",
    byDefault: 1000,
    min: 1,
    max: 1_000_000,
    quantity: "number of exchanges in the journal of each world",
  },
  journalBytesMax: {
    name: "journalBytesMax",
    flag: "journal-bytes-max",
    unit: "bytes",
    byDefault: 8 * mebi,
    min: kibi,
    max: 8 * 1024 * mebi,
    quantity: "size of the journal of each world",
  },
};

/** All limits, in display order. */
export const limitList: readonly Limit[] = Object.values(limits);

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
  return {
    bodyBytesMax: valueOfName("bodyBytesMax"),
    bufferedBytesMax: valueOfName("bufferedBytesMax"),
    headBytesMax: valueOfName("headBytesMax"),
    targetBytesMax: valueOfName("targetBytesMax"),
    headersMax: valueOfName("headersMax"),
    nestingMax: valueOfName("nestingMax"),
    jsonValuesMax: valueOfName("jsonValuesMax"),
    numberLengthMax: valueOfName("numberLengthMax"),
    protobufFieldsMax: valueOfName("protobufFieldsMax"),
    headTimeoutMs: valueOfName("headTimeoutMs"),
    requestTimeoutMs: valueOfName("requestTimeoutMs"),
    responseTimeoutMs: valueOfName("responseTimeoutMs"),
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
  if (unit === "ms") return value === 1000 ? "1 second" : `${value / unitSize(name)} seconds`;
  return unit === "" ? String(value) : `${value} ${unit}`;
}

/** Times are shown in seconds. */
function unitSize(name: LimitName): number {
  return limits[name].unit === "ms" ? 1000 : 1;
}

/** The first problem of the limit values, alone or in combination; undefined if they are valid. `nameOf` names a limit in the text. */
export function findLimitProblem(
  values: LimitValues,
  nameOf: (limit: Limit) => string = ({ name }) => name,
): { readonly name: LimitName; readonly problem: string } | undefined {
  for (const { name, min, max } of limitList) {
    const value = values[name];
    if (!Number.isInteger(value) || value < min || value > max)
      return { name, problem: `out of range. Use ${min / unitSize(name)} to ${shownLimit(name, max)}.` };
  }
  for (const [part, whole] of partsOfWholes)
    if (values[part] > values[whole])
      return {
        name: part,
        problem: `more than ${nameOf(limits[whole])}, which is ${shownLimit(whole, values[whole])}.`,
      };
  return undefined;
}

const partsOfWholes = [
  ["bodyBytesMax", "bufferedBytesMax"],
  ["targetBytesMax", "headBytesMax"],
  ["headTimeoutMs", "requestTimeoutMs"],
] as const;
