import { bodyOfText, emptyBody } from "../../foundation/http/body.ts";
import type { Request } from "../../foundation/http/request.ts";
import { splitTarget } from "../../foundation/http/request-target.ts";
import type { Response } from "../../foundation/http/response.ts";
import { textOfJson } from "../../foundation/json/json.ts";
import type { SpecOperation } from "../../foundation/spec/operation.ts";
import { isWebSocket } from "../../foundation/spec/published-operations.ts";
import { defaultProfileOf } from "../../foundation/spec/spec.ts";
import { shortened } from "../../foundation/text/shortened.ts";
import type { Caller, ElementStream } from "../../simulator/operations/operation.ts";
import type { Refusal } from "../../simulator/operations/refusal.ts";
import type { World } from "../../simulator/world/world.ts";
import type { VerifiedToken } from "../tokens/verify-token.ts";
import { claimsOf } from "./claims.ts";
import { refuse } from "./refused-response.ts";
import { SentRequest } from "./sent-request.ts";
import { callOf, callRefusal, type SharedStep } from "./stub.ts";

// Streams over WebSockets: the request is the first message, and each element of the list is a message (Canton 3.5 and 3.6,
// Endpoints.scala, JsonV2Tests). Rights are checked with the first message, the user of the token before the upgrade.

/** A request to open a stream; it has no body. */
type StreamHead = Omit<Request, "body">;

/** Opens the streams of a world. `verified` is the result of token verification in mode `jwt`. */
export type StreamsOf = (head: StreamHead, verified: VerifiedToken | undefined) => OfferedStream;

export type OfferedStream =
  /** The path has no stream. */
  | { readonly type: "none" }
  | { readonly type: "refused"; readonly response: Response }
  | { readonly type: "offered"; begin(message: string | undefined): BegunStream };

export type BegunStream =
  | { readonly type: "failed"; readonly message: string }
  | {
      readonly type: "begun";
      readonly isFinite: boolean;
      /** The messages since the last call; undefined if the world has been reset to a time before them. */
      read(): readonly string[] | undefined;
      /** Undefined if the stream has no checkpoints. */
      checkpoint(): string | undefined;
    };

/** The streams of a world. */
export function streamsOver(world: World, shared: SharedStep): StreamsOf {
  const { spec, disabled, tokens, auth } = shared;
  const profile = spec.profile.ledger === "spec" ? defaultProfileOf("ledger") : spec.profile.ledger;
  return (head, verified) => {
    // Empty segments of a path are dropped, as tapir does.
    const path = `/${splitTarget(head.target).path.split("/").filter(Boolean).join("/")}`;
    const route = spec.route("POST", path);
    if (!isWebSocket(path, profile) || route.type !== "found") return { type: "none" };
    const { operation } = route;
    const request = { ...head, body: emptyBody };
    const state = world.countRequest(operation.operationId);
    const off = disabled?.ofPath(head.method, path, state.ledger);
    const claims = claimsOf(auth, tokens.anywhere(head.headers), verified, state.ledger);
    const refused = (refusal: Refusal): OfferedStream => ({
      type: "refused",
      response: refuse({ shared, request, state }, refusal),
    });
    if (off !== undefined) return refused(off);
    if (claims.type === "refused") return refused(claims.refusal);
    const { caller } = claims;
    return { type: "offered", begin: (message) => begun({ world, shared, operation, request, caller }, message) };
  };
}

interface Opening {
  readonly world: World;
  readonly shared: SharedStep;
  readonly operation: SpecOperation;
  readonly request: Request;
  readonly caller: Caller;
}

function begun(opening: Opening, message: string | undefined): BegunStream {
  const { world, shared, request } = opening;
  const found = message === undefined ? undecodable("), due to: a binary message") : streamOf(opening, message);
  if (found.type === "undecodable") return { type: "failed", message: found.message };
  if (found.type !== "stream")
    return { type: "failed", message: refuse({ shared, request, state: world.state }, found).body.text() };
  return {
    type: "begun",
    isFinite: found.isFinite,
    read: () => found.read(world.state)?.map(textOfJson),
    checkpoint: () => {
      const element = found.checkpoint?.(world.state);
      return element === undefined ? undefined : textOfJson(element);
    },
  };
}

function streamOf(
  { world, shared, operation, request, caller }: Opening,
  message: string,
): ElementStream | Undecodable | Refusal {
  const { state } = world;
  const { performer } = shared.served(operation);
  const sent = new SentRequest(operation.operationId, { ...request, body: bodyOfText(message) }, "", shared);
  const body = shared.decodeLedgerBody(operation.requestSchema ?? "", sent);
  if (body.type === "refused") return undecodable(`${shortened(message, 200)}), due to: ${body.reason}`);
  const disabled = shared.disabled?.ofBody(operation, body.value, state.ledger);
  if (disabled !== undefined) return disabled;
  const call = callOf({ shared, path: {}, sent, request }, { query: {}, body: body.value, caller });
  const refused = callRefusal(call, performer, state);
  if (refused !== undefined) return refused;
  const stream = performer.stream?.(call, state);
  if (stream === undefined) throw new Error(`invariant: ${operation.operationId} has no stream`);
  return stream;
}

/** The error of a first message that is not a request: the handler of the WebSocket makes it, which redacts nothing (Canton 3.5, source). */
function undecodable(problem: string): Undecodable {
  const cause = `Cannot decode frame: Text(${problem}`;
  const nothing = { correlationId: null, traceId: null, retryInfo: null, definiteAnswer: null };
  return {
    type: "undecodable",
    message: textOfJson({
      ...{ code: "LEDGER_API_INTERNAL_ERROR", cause, context: {}, resources: [], errorCategory: 4, grpcCodeValue: 13 },
      ...nothing,
    }),
  };
}

interface Undecodable {
  readonly type: "undecodable";
  readonly message: string;
}
