import type { Json, JsonObject } from "../../../foundation/json/json.ts";
import { objectOf, objectsOf, optionalTextOf, textOf } from "../../../foundation/json/members.ts";
import { isControl } from "../../../stub/control/access.ts";
import { UnderstudyError } from "../../library/understudy-error.ts";
import { bounds } from "../bounds.ts";
import { shownBody } from "../json-in.ts";
import type { RunningStub } from "../running-stub.ts";
import type { Session } from "../session.ts";
import { shownFinding } from "../shown-finding.ts";
import { stubArgument, type Tool } from "../tool.ts";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] as const;

export const sendRequest: Tool = {
  name: "send_request",
  title: "Send a request to a stub",
  description:
    "Sends an HTTP request to a running stub, and to nothing else. Returns status, headers and body, why the stub refused the request, and the client findings: what the request does that the spec forbids or advises against. Secrets in the result are masked.",
  isReadOnly: false,
  input: {
    stub: stubArgument,
    method: { enum: methods, description: "HTTP method. Default: GET, or POST with a body." },
    path: {
      type: "string",
      pattern: "^/",
      examples: ["/v2/users?pageSize=2"],
      description:
        "Path with query, such as /v2/users?pageSize=2 or /registry/metadata/v1/info. Paths below /__understudy are the control API of the stub.",
    },
    body: { description: "Body: JSON, or a string that is sent as it is." },
    user: {
      type: "string",
      description: "The request gets a token of this user. Default: the user of start_stub; none for a registry.",
    },
    token: { type: "string", description: "Bearer token instead of a user's; empty: no Authorization header." },
    headers: {
      type: "object",
      additionalProperties: { type: "string" },
      description: "More headers. Default of Content-Type: application/json.",
    },
  },
  required: ["path"],
  output: {
    exchange: { type: "integer", description: "Number of the exchange in list_traffic." },
    operation: { type: ["string", "null"], description: "Id of the operation, for inject_fault and explain." },
    status: { type: ["integer", "null"], description: "null without a complete response." },
    noResponse: { type: "string", description: "Why there is no complete response." },
    reason: { type: "string", description: "Why the stub refused the request, or what its plan did." },
    headers: { type: "object" },
    body: {},
    bodyNote: { type: "string" },
    knownDivergences: { type: "array", description: "Where the release contradicts the spec; see explain." },
    clientFindings: { type: "array" },
  },
  run: runSendRequest,
};

async function runSendRequest(given: JsonObject, { stubs }: Session): Promise<JsonObject> {
  const stub = stubs.find(optionalTextOf(given["stub"]));
  const path = textOf(given["path"]);
  const init = await requestFrom(given, stub);
  if (isControl(path)) return controlResponse(stub, path, init);
  const { last } = await stub.read("traffic?limit=1");
  const id = stub.newRequestId();
  init.headers.set(idHeader, id);
  const failure = await stub.understudy.fetch(path, init).then(() => undefined, failureOf);
  return (
    (await exchangeWith(id, stub, Number(last))) ?? {
      status: null,
      noResponse: failure ?? "The stub has dropped the exchange.",
    }
  );
}

/** Tells the exchanges of parallel calls apart: a path may be normalized, and other clients may send the same request. */
const idHeader = "Understudy-Request";

interface SentRequest extends RequestInit {
  readonly method: string;
  readonly headers: Headers;
}

async function requestFrom(given: JsonObject, stub: RunningStub): Promise<SentRequest> {
  const { body } = given;
  const method = textOf(given["method"]) || (body === undefined ? "GET" : "POST");
  if (body !== undefined && ["GET", "HEAD"].includes(method))
    throw new UnderstudyError(`body: a ${method} request has no body. Use another method, or omit body.`);
  const headers = headersFrom(objectOf(given["headers"]));
  const token = await tokenFrom(given, stub);
  if (token !== "" && !setHeader(headers, "Authorization", `Bearer ${token}`))
    throw new UnderstudyError("token: it has characters that a header cannot have. Use the token of start_stub.");
  if (body !== undefined && !headers.has("Content-Type")) headers.set("Content-Type", "application/json");
  return {
    method,
    headers,
    signal: AbortSignal.timeout(bounds.responseS * 1000),
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  };
}

function headersFrom(given: JsonObject): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given))
    if (!setHeader(headers, name, textOf(value)))
      throw new UnderstudyError(
        `headers: ${JSON.stringify(name)} is not a valid header. Use names such as X-Request-Id.`,
      );
  return headers;
}

/** Sets a header. Returns false if its name or its value has characters that are not allowed. */
function setHeader(headers: Headers, name: string, value: string): boolean {
  try {
    headers.set(name, value);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** The token of the request; empty for none. A registry gets none by default, because a ledger's token is not meant for it. */
async function tokenFrom(given: JsonObject, { user: userOfStub, understudy }: RunningStub): Promise<string> {
  const token = optionalTextOf(given["token"]);
  if (token !== undefined) return token;
  const isForLedger = textOf(given["path"]).startsWith("/v2/");
  const user = optionalTextOf(given["user"]) ?? (isForLedger ? userOfStub : undefined);
  return user === undefined ? "" : understudy.token({ user });
}

async function controlResponse(stub: RunningStub, path: string, init: SentRequest): Promise<JsonObject> {
  try {
    const response = await stub.control(path, init);
    return { status: response.status, ...shownBody(await response.text()) };
  } catch (error) {
    return { status: null, noResponse: failureOf(error) };
  }
}

/** Why fetch failed: its own message only says that it did. */
function failureOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/** The exchange with a request id after a number; undefined if the journal has none. */
async function exchangeWith(id: string, stub: RunningStub, number: number): Promise<JsonObject | undefined> {
  const { lines } = await stub.read(`traffic?after=${number}`);
  for (const line of objectsOf(lines)) {
    const exchange = await stub.read(`traffic/${line["number"]}`);
    const headers = Object.entries(headersOf(objectOf(exchange["request"])["headers"]));
    if (headers.some(([name, value]) => name.toLowerCase() === idHeader.toLowerCase() && value === id))
      return shownExchange(exchange);
  }
  return undefined;
}

/** An exchange as the control API shows it, in short. */
function shownExchange(exchange: JsonObject): JsonObject {
  const line = objectOf(exchange["line"]);
  const response = objectOf(exchange["response"]);
  const divergences = objectsOf(exchange["broken"]).flatMap(({ divergence }) => textOf(divergence) || []);
  const { number = null, operationId = null, status = null, broken = null, reason = null } = line;
  return {
    exchange: number,
    operation: operationId,
    status,
    ...(reason === null ? {} : { reason }),
    ...(status === null
      ? { noResponse: broken }
      : { headers: headersOf(response["headers"]), ...shownBody(textOf(response["body"])) }),
    ...(divergences.length === 0 ? {} : { knownDivergences: [...new Set(divergences)] }),
    clientFindings: objectsOf(exchange["clientFindings"]).map(shownFinding),
  };
}

function headersOf(pairs: Json | undefined): JsonObject {
  const isPair = (pair: Json): pair is readonly [string, string] => Array.isArray(pair) && pair.length === 2;
  return Object.fromEntries(Array.isArray(pairs) ? pairs.filter(isPair) : []);
}
