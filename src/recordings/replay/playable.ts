import type { Broken } from "../../foundation/http/failed-response.ts";
import type { HeaderList } from "../../foundation/http/header.ts";
import type { Response } from "../../foundation/http/response.ts";
import { isUtf8 } from "../../foundation/text/utf8.ts";

/** A recorded answer as it can be given again, or why it cannot. */
export type Playable =
  | { readonly type: "playable"; readonly answer: Response | Broken }
  | { readonly type: "unplayable"; readonly reason: string };

/** Fields that belong to the connection or to how the body was packed; whoever sends the answer again sets its own. */
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

/** A recorded answer as it was: one that broke off breaks off again. */
export function playable(answer: Response | Broken): Playable {
  if (answer.type === "response") return playableResponse(answer);
  const { kind, reason, partial } = answer;
  if (kind === "too-large" || kind === "unexplained")
    return { type: "unplayable", reason: `the recording does not hold its answer (${reason ?? kind})` };
  if (partial === undefined || kind === "timed-out") return { type: "playable", answer };
  return { type: "playable", answer: { ...answer, partial: { ...partial, headers: sendable(partial) } } };
}

function playableResponse(response: Response): Playable {
  const { status } = response;
  if (!Number.isInteger(status) || status < 200 || status > 999)
    return { type: "unplayable", reason: `the recording says that its status is ${status}` };
  return { type: "playable", answer: { ...response, headers: sendable(response), body: response.body } };
}

/** Some recorders join fields of one name by line ends. A body that no recorder could unpack is still packed. */
function sendable({ headers, body }: { readonly headers: HeaderList; readonly body: Uint8Array }): HeaderList {
  return headers
    .filter(([name]) => !ofTheConnection.has(name.toLowerCase()) && /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name))
    .filter(([name]) => name.toLowerCase() !== "content-encoding" || !isUtf8(body))
    .flatMap(([name, value]) => value.split("\n").map((line) => [name, line.trim()] as const))
    .filter(([, value]) => !/[^\t\x20-\x7e\x80-\xff]/.test(value));
}
