/** Members with texts for people: both responses must have them; their values are ignored. */
export const prose: ReadonlySet<string> = new Set(["cause", "error", "errors", "message"]);

/** Members that identify a request in a log. */
const ignored: ReadonlySet<string> = new Set(["correlationId", "traceId"]);

export function isIgnored(member: string): boolean {
  return ignored.has(member);
}

/** Members whose values only the node that generated them can read. They are matched like ids. */
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
