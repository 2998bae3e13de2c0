import type { FailedResponse } from "../../foundation/http/failed-response.ts";
import type { HeaderList } from "../../foundation/http/header.ts";
import type { Message } from "../../foundation/http/message.ts";
import type { Response } from "../../foundation/http/response.ts";
import { isUtf8 } from "../../foundation/text/utf8.ts";

/** A recorded response that can be sent, or the reason why it cannot. */
type Playable =
  | { readonly type: "playable"; readonly response: Response | FailedResponse }
  | { readonly type: "unplayable"; readonly reason: string };

/** Header fields of the connection and of the transfer coding; the sender sets its own. */
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

/** Prepares a recorded response for sending; a failed response fails in the same way. */
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
  return { type: "playable", response: { ...response, headers: sendable(response) } };
}

/** Headers that can be sent. Some recorders join fields by line ends; Content-Encoding stays only if the body is still encoded. */
function sendable({ headers, body }: Message): HeaderList {
  return headers
    .filter(([name]) => !ofTheConnection.has(name.toLowerCase()) && /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name))
    .filter(([name]) => name.toLowerCase() !== "content-encoding" || !isUtf8(body.bytes()))
    .flatMap(([name, value]) => value.split("\n").map((line) => [name, line.trim()] as const))
    .filter(([, value]) => !/[^\t\x20-\x7e\x80-\xff]/.test(value));
}
