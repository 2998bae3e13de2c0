/** Texts for people: there on both sides, and no more is asked. */
export const prose: ReadonlySet<string> = new Set(["cause", "error", "errors", "message"]);

/** What tells one request from another in a log. */
const uncounted: ReadonlySet<string> = new Set(["correlationId", "traceId"]);

export function isUncounted(member: string): boolean {
  return uncounted.has(member);
}

/** What a side names by a text that only it can read. */
export const opaque: ReadonlySet<string> = new Set([
  "createdEventBlob",
  "externalTransactionHash",
  "multiHash",
  "nextPageToken",
  "preparedTransaction",
  "preparedTransactionHash",
  "topologyTransactions",
]);

export const offsets: ReadonlySet<string> = new Set(["completionOffset", "offset"]);

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** Whether a text is a moment, and one that there is: not the 45th of a month. */
export function isTimestamp(text: string): boolean {
  return timestamp.test(text) && !Number.isNaN(Date.parse(text));
}
