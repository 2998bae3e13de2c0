import { type Response, textResponse, withHeaders } from "../../foundation/http/response.ts";
import { withStubLimit } from "../../foundation/http/stub-limit.ts";
import { withReason } from "../../foundation/http/with-reason.ts";
import type { Kept } from "../stores/group-commit.ts";
import type { Absence } from "../stores/kept-world.ts";
import { unknownWorld } from "./world-id.ts";

/** Seconds after which a client repeats a request that was not executed. */
const retryAfterSeconds = 1;

/** The response to a request for a world that this process does not own. The request was not executed. */
export function absentWorld(id: string, { type }: Absence): Response {
  switch (type) {
    case "unreadable":
      return failed(
        `The stored world ${JSON.stringify(id)} is not readable. Restore the store from a copy, or use another world.`,
      );
    case "unknown":
      return unknownWorld(id);
    case "owned":
      return notExecuted(`Another replica serves the world ${JSON.stringify(id)}. Repeat the request.`);
    case "unavailable":
      return notExecuted("The store does not respond, so the request was not executed. Repeat the request.");
  }
}

/** The response to a request whose changes are not stored. */
export function unkept(kept: Exclude<Kept, "stored">): Response {
  if (kept === "lost")
    return notExecuted(
      "Another replica may serve this world now, so the request was not executed. Repeat the request.",
    );
  if (kept === "unwritable")
    return failed("The state of this world cannot be stored, so the world goes on in the state before this request.");
  return failed("The store does not respond. Whether it has the changes of this request is not known.");
}

function failed(reason: string): Response {
  return ofStore(500, reason);
}

function notExecuted(reason: string): Response {
  return withHeaders(ofStore(503, reason), [["Retry-After", String(retryAfterSeconds)]]);
}

function ofStore(status: number, reason: string): Response {
  return withStubLimit(withReason(textResponse(status, "text/plain; charset=UTF-8", reason), reason), "store");
}
