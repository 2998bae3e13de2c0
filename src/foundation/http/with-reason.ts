import { type Response, withHeaders } from "./response.ts";

/** Characters of the header `Understudy-Reason`; many clients limit the headers of a response to 8 KB. */
const reasonMax = 1000;
/** Characters of one word. A longer one is replaced by its length: a part of a token would not be recognized as a secret. */
const wordMax = 500;

/** Adds the header `Understudy-Reason`: why Understudy refuses a request, in plain words. A node does not send it. */
export function withReason(response: Response, reason: string): Response {
  return withHeaders(response, [["Understudy-Reason", headerText(reason)]]);
}

/** Adds the header `Understudy-Warning`: what a response that succeeds would hide. A node does not send it. */
export function withWarning(response: Response, warning: string): Response {
  return withHeaders(response, [["Understudy-Warning", headerText(warning)]]);
}

/** Characters that are read of a reason, which may quote a value of many megabytes. */
const readMax = 10_000;

/** One line of ASCII, cut between two words. Characters that a header cannot hold become question marks. */
function headerText(reason: string): string {
  const line = beginningOf(reason)
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\S+/g, (word) => (word.length > wordMax ? `(${word.length} characters)` : word))
    .replaceAll(/[^\x20-\x7e]/g, "?");
  return line.length > reasonMax ? `${line.slice(0, line.lastIndexOf(" ", reasonMax))} ...` : line;
}

/** The beginning of a long text, without the word that is cut. */
function beginningOf(text: string): string {
  if (text.length <= readMax) return text;
  const blank = Math.max(text.lastIndexOf(" ", readMax), text.lastIndexOf("\n", readMax));
  return `${text.slice(0, Math.max(0, blank))} ...`;
}
