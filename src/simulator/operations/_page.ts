import { lastIdOf, pageTokenAfter } from "./_page-token.ts";
import { invalidArgument, type Refusal } from "./refusal.ts";

/** A requested page: at most `size` rows after `lastId`, or from the first row. */
export interface RequestedPage {
  readonly type: "page";
  readonly lastId: string | undefined;
  readonly size: number;
}

/** The requested page. Size 0 is the default size; an empty token is the first page (Canton 3.5, ApiUserManagementService.scala). */
export function requestedPage(
  size: number,
  token: string,
  { sizeDefault, sizeMax }: { readonly sizeDefault: number; readonly sizeMax: number },
): RequestedPage | Refusal {
  if (size < 0) return invalidArgument("Page size must be non-negative");
  const lastId = token === "" ? undefined : lastIdOf(token);
  if (token !== "" && lastId === undefined) return invalidArgument("Failed to decode base64 encoded page token");
  return { type: "page", lastId, size: Math.min(size === 0 ? sizeDefault : size, sizeMax) };
}

interface Page<Row> {
  readonly rows: readonly Row[];
  /** Empty after the last page. */
  readonly nextPageToken: string;
}

interface Listed {
  readonly id: string;
}

/**
 * The rows of a page that are listed. The entries are in ascending order of id, from the page's `lastId` on.
 * A full page has a token even if no rows follow, as on a node (Canton 3.5, ApiUserManagementService.scala).
 */
export function pageOf<Row extends Listed>(
  entries: Iterable<readonly [id: string, row: Row]>,
  requested: RequestedPage,
  isListed: (row: Row) => boolean,
): Page<Row> {
  const rows = firstRows(entries, requested, requested.size, isListed);
  return { rows, nextPageToken: rows.length === requested.size ? pageTokenAfter(rows.at(-1)?.id ?? "") : "" };
}

/** The rows of a page as the spec requires: a token only if further rows follow (spec §4.2). */
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

/** The page size of vetted packages, default and maximum (Canton 3.5, JsPackageService.scala). */
export const vettedPackagesPageSizeMax = 100;
