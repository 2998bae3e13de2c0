export interface GivenEntry {
  readonly method?: string;
  readonly startedAt?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly text?: string;
  /** Replaces the text of the response. */
  readonly content?: object;
}

const pairs = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

/** An entry of a recording in the form of HAR, as a browser or a proxy writes it. */
export function harEntry(url: string, given: GivenEntry = {}): object {
  const {
    method = "GET",
    startedAt = "2026-01-01T00:00:00Z",
    headers = {},
    status = 200,
    responseHeaders = {},
  } = given;
  const content = given.content ?? { mimeType: "application/json", text: given.text ?? "{}" };
  return {
    startedDateTime: startedAt,
    time: 1,
    request: { method, url, headers: pairs(headers) },
    response: { status, headers: pairs(responseHeaders), content },
  };
}

/** A recording of these entries. */
export function harText(entries: readonly unknown[]): string {
  return `{"log":{"entries":[\n${entries.map((entry) => JSON.stringify(entry)).join(",\n")}\n]}}\n`;
}

export function harBytes(entries: readonly unknown[]): Uint8Array {
  return new TextEncoder().encode(harText(entries));
}

/** A recording with an entry a line. */
export function harLines(entries: readonly object[]): Uint8Array {
  return new TextEncoder().encode(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
}
