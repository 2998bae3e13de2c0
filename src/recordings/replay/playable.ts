import type { FailedResponse } from "../../foundation/http/failed-response.ts";
import type { HeaderList } from "../../foundation/http/header.ts";
import type { Response } from "../../foundation/http/response.ts";
import { isUtf8 } from "../../foundation/text/utf8.ts";

/** A recorded response as it can be given again, or why it cannot. */
export type Playable =
  | { readonly type: "playable"; readonly response: Response | FailedResponse }
  | { readonly type: "unplayable"; readonly reason: string };

/** Fields that belong to the connection or to how the body was packed; whoever sends the response again sets its own. */
const ofTheConnection: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "keep-alive",
  "proxy-authenticate",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** A recorded response as it was: one that broke off breaks off again. */
export function playable(received: Response | FailedResponse): Playable {
  if (received.type === "response") return playableResponse(received);
  const { kind, reason, partial } = received;
  if (kind === "too-large" || kind === "unexplained")
    return { type: "unplayable", reason: `the recording does not contain its response (${reason ?? kind})` };
  if (partial === undefined || kind === "timed-out") return { type: "playable", response: received };
  return { type: "playable", response: { ...received, partial: { ...partial, headers: sendable(partial) } } };
}

function playableResponse(response: Response): Playable {
  const { status } = response;
  if (!Number.isInteger(status) || status < 200 || status > 999)
    return { type: "unplayable", reason: `its recorded status is ${status}, which HTTP does not allow` };
  return { type: "playable", response: { ...response, headers: sendable(response), body: response.body } };
}

/** Some recorders join fields of one name by line ends. A body that no recorder could unpack is still packed. */
function sendable({ headers, body }: { readonly headers: HeaderList; readonly body: Uint8Array }): HeaderList {
  return headers
    .filter(([name]) => !ofTheConnection.has(name.toLowerCase()) && /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name))
    .filter(([name]) => name.toLowerCase() !== "content-encoding" || !isUtf8(body))
    .flatMap(([name, value]) => value.split("\n").map((line) => [name, line.trim()] as const))
    .filter(([, value]) => !/[^\t\x20-\x7e\x80-\xff]/.test(value));
}
