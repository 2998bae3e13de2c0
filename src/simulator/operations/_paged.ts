import { sha256OfText } from "../../foundation/crypto/sha256.ts";
import { type JsonObject, textOfJson } from "../../foundation/json/json.ts";
import { textOf } from "../../foundation/json/members.ts";
import { integerOf } from "./_json-members.ts";
import { lastIdOf, pageTokenAfter } from "./_page-token.ts";
import { invalidArgument, nodeError, type Refusal } from "./refusal.ts";

// Pages of updates and active contracts. A token names the place after a page, and the request that it belongs to.

/** The requested page: its size, and the place after the page before it, which is empty for the first page. */
interface PageRequest {
  readonly type: "page";
  readonly size: number;
  readonly place: string;
}

/** The page that a body asks for; `code` is that of a token of another request. */
export function pageRequest(
  body: JsonObject,
  { sizeDefault, sizeMax, code }: { readonly sizeDefault: number; readonly sizeMax: number; readonly code: string },
): PageRequest | Refusal {
  const size = Number(integerOf(body["maxPageSize"]) ?? sizeDefault);
  if (size <= 0 || size > sizeMax)
    return invalidArgument(`max_page_size is ${size}; it must be positive, and at most ${sizeMax}`);
  const token = textOf(body["pageToken"]);
  const [request, place] = token === "" ? [requestOf(body), ""] : (lastIdOf(token) ?? "").split("|");
  return request === requestOf(body) && place !== undefined && /^(?:|\d{1,19}(?: .*)?)$/.test(place)
    ? { type: "page", size, place }
    : nodeError(code, "The page token is not of an earlier page of this request");
}

/** The token of the page after a place. */
export function tokenAfter(place: string, body: JsonObject): string {
  return pageTokenAfter(`${requestOf(body)}|${place}`);
}

/** What all pages of a request have in common. */
function requestOf({ pageToken: _token, maxPageSize: _size, ...request }: JsonObject): string {
  return sha256OfText(textOfJson(request)).slice(0, 16);
}
