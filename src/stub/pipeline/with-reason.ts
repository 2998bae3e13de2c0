import { type Response, withHeaders } from "../../foundation/http/response.ts";

/** Characters of the header `Understudy-Reason`; many clients limit the headers of a response to 8 KB. */
const reasonMax = 1000;

/** Adds the header `Understudy-Reason`: why the stub refuses a request, in plain words. A node does not send it. */
export function withReason(response: Response, reason: string): Response {
  const text = reason.length > reasonMax ? `${reason.slice(0, reasonMax)}…` : reason;
  return withHeaders(response, [["Understudy-Reason", headerText(text)]]);
}

/** One line of ASCII: replaces characters that a header cannot hold with question marks. */
function headerText(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .replaceAll("…", "...")
    .replaceAll(/[^\x20-\x7e]/g, "?");
}
