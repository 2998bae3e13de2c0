import { lastIdOf, pageTokenAfter } from "./_page-token.ts";
import { invalidArgument, type Refusal } from "./refusal.ts";

/** A page as it was asked for: it begins after `lastId`, or at the beginning, and has `size` rows at most. */
export interface RequestedPage {
  readonly type: "page";
  readonly lastId: string | undefined;
  readonly size: number;
}

export interface PageLimits {
  readonly sizeDefault: number;
  readonly sizeMax: number;
}

/** The page of a size, where 0 stands for the default one, and of a token, where none is empty (facts, ledger-api 4.6). */
export function requestedPage(
  size: number,
  token: string,
  { sizeDefault, sizeMax }: PageLimits,
): RequestedPage | Refusal {
  if (size < 0) return invalidArgument("Page size must be non-negative");
  const lastId = token === "" ? undefined : lastIdOf(token);
  if (token !== "" && lastId === undefined) return invalidArgument("Failed to decode base64 encoded page token");
  return { type: "page", lastId, size: Math.min(size === 0 ? sizeDefault : size, sizeMax) };
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Empty after the last page. */
  readonly nextPageToken: string;
}

interface Listed {
  readonly id: string;
}

/**
 * The rows of a page, of those that are listed. The entries come by ascending id and begin at the page's `lastId`.
 * A full page has a token even if nothing follows, as a node does it (facts, ledger-api 4.6).
 */
export function pageOf<Row extends Listed>(
  entries: Iterable<readonly [id: string, row: Row]>,
  requested: RequestedPage,
  isListed: (row: Row) => boolean,
): Page<Row> {
  const rows = firstRows(entries, requested, requested.size, isListed);
  return { rows, nextPageToken: rows.length === requested.size ? pageTokenAfter(rows.at(-1)?.id ?? "") : "" };
}

/** The same to the letter of the spec: there is a token only if further rows follow (spec §4.2). */
export function pageByLetter<Row extends Listed>(
  entries: Iterable<readonly [id: string, row: Row]>,
  requested: RequestedPage,
  isListed: (row: Row) => boolean,
): Page<Row> {
  const found = firstRows(entries, requested, requested.size + 1, isListed);
  const rows = found.slice(0, requested.size);
  return { rows, nextPageToken: found.length > requested.size ? pageTokenAfter(rows.at(-1)?.id ?? "") : "" };
}

function firstRows<Row extends Listed>(
  entries: Iterable<readonly [id: string, row: Row]>,
  { lastId }: RequestedPage,
  count: number,
  isListed: (row: Row) => boolean,
): readonly Row[] {
  const rows: Row[] = [];
  for (const [id, row] of entries) {
    if (rows.length === count) break;
    if (id !== lastId && isListed(row)) rows.push(row);
  }
  return rows;
}
