import type { RateLimitedClient } from "../../../checker/probing/rate-limited-client.ts";
import { Halt } from "../../../checker/probing/rate-limited-client.ts";
import { Body } from "../../../foundation/http/body.ts";
import type { Exchange } from "../../../foundation/http/exchange.ts";
import type { Request } from "../../../foundation/http/request.ts";
import { type Json, jsonOf } from "../../../foundation/json/json.ts";
import { objectOf, textOf } from "../../../foundation/json/members.ts";
import type { Api } from "../../../foundation/spec/contracts.ts";
import type { ProgramCaller } from "../caller.ts";
import { versionIn } from "../target/node-version.ts";
import { isResponseOf, unknownApiError } from "../target/recognize-api.ts";
import { unreachableError } from "../target/unreachable-error.ts";
import { exitCodes, UserError } from "../user-error.ts";
import type { TargetDescription } from "./target.ts";

type HandlerResponse = Exchange["response"];

/** A target, and the client that sends requests to it before the probes run. */
export interface TargetSession {
  readonly client: RateLimitedClient;
  readonly target: TargetDescription;
  readonly caller: ProgramCaller;
}

interface SafeRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
}

/** Two safe requests by which an API is recognized. The second one is an operation of the spec. */
const safeRequests: Readonly<Record<Api, readonly [SafeRequest, SafeRequest]>> = {
  ledger: [
    { method: "GET", path: "/v2/version" },
    { method: "GET", path: "/v2/idps" },
  ],
  registry: [
    { method: "GET", path: "/registry/metadata/v1/info" },
    { method: "POST", path: "/registry/transfer-instruction/v2/transfer-factory" },
  ],
};

/** What the APIs say of themselves. */
interface Contact {
  /** The version of the node; undefined if the ledger does not report one. */
  readonly nodeVersion: string | undefined;
  /** Whether there is a registry that does not say that it is Splice's. */
  readonly isVendorRegistry: boolean;
}

/** Checks that each API responds and accepts the token. */
export async function checkContact(session: TargetSession): Promise<Contact> {
  const { ledger, registry } = session.target.baseUrls;
  const nodeVersion = ledger === undefined ? undefined : await contactLedger(session);
  return { nodeVersion, isVendorRegistry: registry !== undefined && !(await contactRegistry(session)) };
}

async function contactLedger(session: TargetSession): Promise<string | undefined> {
  const [first, second] = safeRequests.ledger;
  const firstResponse = await responseTo(session, "ledger", first);
  if (session.target.tokens.administrator === undefined)
    session.caller.printError(
      `No administrator token: only requests to the ledger that need no token are sent. Set ${session.caller.nameOf("token")}.`,
    );
  const response = await responseTo(session, "ledger", second);
  checkToken(session, response);
  checkApi(session, "ledger", [firstResponse, response]);
  return versionIn(firstResponse);
}

/**
 * Not every registry has metadata: the second request is sent only if the first is not recognized. Resolves to whether the
 * registry is Splice's: there the DSO party administers.
 */
async function contactRegistry(session: TargetSession): Promise<boolean> {
  const [first, second] = safeRequests.registry;
  const firstResponse = await responseTo(session, "registry", first);
  if (!isResponseOf("registry", firstResponse))
    checkApi(session, "registry", [firstResponse, await responseTo(session, "registry", second)]);
  const info = firstResponse.type === "response" ? jsonOf(firstResponse.body.text()) : undefined;
  return textOf(objectOf(info)["adminId"]).startsWith("DSO::");
}

/** Throws a UserError for a refused token, because almost nothing could be checked. Warns of one without administrator rights. */
function checkToken({ target, caller }: TargetSession, response: HandlerResponse): void {
  if (target.tokens.administrator === undefined || response.type !== "response") return;
  const requested = `GET ${target.baseUrls.ledger}/v2/idps`;
  if (response.status === 401)
    throw new UserError(
      `The token of ${caller.nameOf("token")} was refused with 401 (${requested}). It may have expired, or is for another audience or participant. Use a new token of a participant administrator, or no token to check only what needs none.`,
    );
  const { code } = objectOf(response.status === 400 ? jsonOf(response.body.text()) : undefined);
  if (code === "INVALID_TOKEN")
    throw new UserError(
      `The token of ${caller.nameOf("token")} was refused with 400 INVALID_TOKEN (${requested}). A target that reads tokens as user ids, such as a stub with --auth user, takes a user id; for a JWT, start the stub with --auth jwt.`,
    );
  if (response.status === 403)
    caller.printError(
      `The token of ${caller.nameOf("token")} does not belong to a participant administrator: ${requested} returned 403. The check continues, but the ledger will refuse many requests.`,
    );
}

function checkApi(session: TargetSession, api: Api, responses: readonly HandlerResponse[]): void {
  const { client, target } = session;
  if (client.isStopped || responses.some((response) => isResponseOf(api, response))) return;
  const received = safeRequests[api].flatMap(({ method, path }, index) => {
    const response = responses[index];
    return response === undefined ? [] : [{ requested: `${method} ${path}`, response }];
  });
  throw unknownApiError(api, target.baseUrls[api] ?? "", received, session.caller);
}

async function responseTo(session: TargetSession, api: Api, { method, path }: SafeRequest): Promise<HandlerResponse> {
  const response = await send(session, api, method, path);
  const unreachable = session.client.unreachable(api);
  if (unreachable === undefined) return response;
  throw unreachableError(String(session.target.baseUrls[api]), unreachable, `the ${api}`);
}

/** The JSON of a response with status 200; undefined for another response. */
export async function fetchJson(session: TargetSession, api: Api, path: string): Promise<Json | undefined> {
  const response = await send(session, api, "GET", path);
  return response.type === "response" && response.status === 200 ? jsonOf(response.body.text()) : undefined;
}

/** The response to a GET. After the client has stopped sending, it is failed. */
export function fetchResponse(session: TargetSession, api: Api, path: string): Promise<HandlerResponse> {
  return send(session, api, "GET", path);
}

/** Sends a request. After the client has stopped sending, the response is failed and has the reason. */
async function send(
  { client, target, caller }: TargetSession,
  api: Api,
  method: SafeRequest["method"],
  path: string,
): Promise<HandlerResponse> {
  caller.progress(`checking the ${api}: ${method} ${path}`);
  const bearer = api === "ledger" && target.tokens.administrator !== undefined ? [target.tokens.administrator] : [];
  const request: Request = {
    method,
    target: path,
    headers: [
      ...bearer.map((token) => ["Authorization", `Bearer ${token}`] as const),
      ...(method === "POST" ? [["Content-Type", "application/json"] as const] : []),
    ],
    body: new Body(method === "POST" ? "{}" : ""),
  };
  try {
    return (await client.send(api, path, request)).response;
  } catch (error) {
    if (error instanceof Halt) return { type: "broken", kind: "unexplained", reason: error.message };
    throw error;
  }
}

/** Throws a UserError if an API has stopped responding. */
export function checkStillResponding({ client, target, caller }: TargetSession, apis: ReadonlySet<Api>): void {
  const silent = [...apis].find((api) => client.isGivenUp(api));
  if (silent === undefined || client.isStopped) return;
  throw new UserError(
    `${target.baseUrls[silent]} no longer responds: no complete response to the last requests, ${client.failureReason(silent)}. Check the ${silent}, or raise the limit with ${caller.nameOf("timeout")}.`,
    exitCodes.unreachable,
  );
}
