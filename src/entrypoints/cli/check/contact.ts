import type { RateLimitedClient } from "../../../checker/probing/rate-limited-client.ts";
import { Halt } from "../../../checker/probing/rate-limited-client.ts";
import type { Exchange } from "../../../foundation/http/exchange.ts";
import type { Request } from "../../../foundation/http/request.ts";
import { isJsonObject, type Json, jsonIn } from "../../../foundation/json/json.ts";
import type { Api } from "../../../foundation/spec/contracts.ts";
import type { Environment } from "../options.ts";
import { isShown, notShown } from "../target/recognize-api.ts";
import { exitCodes, UserError } from "../user-error.ts";
import type { GivenTarget } from "./target.ts";

type HandlerResponse = Exchange["response"];

/** What a target is asked by, before probes are run. */
export interface Asking {
  readonly client: RateLimitedClient;
  readonly given: GivenTarget;
  readonly environment: Environment;
}

interface Contact {
  readonly method: "GET" | "POST";
  readonly path: string;
}

/** Safe requests by which an API shows itself; the second one is of the spec. */
const contacts: Readonly<Record<Api, readonly [Contact, Contact]>> = {
  ledger: [
    { method: "GET", path: "/v2/version" },
    { method: "GET", path: "/v2/idps" },
  ],
  registry: [
    { method: "GET", path: "/registry/metadata/v1/info" },
    { method: "POST", path: "/registry/transfer-instruction/v2/transfer-factory" },
  ],
};

/** Sees that each API is there and takes the token, and gives the version of the node where it tells one. */
export async function contact(asking: Asking): Promise<string | undefined> {
  const nodeVersion = asking.given.baseUrls.ledger === undefined ? undefined : await contactLedger(asking);
  if (asking.given.baseUrls.registry !== undefined) await contactRegistry(asking);
  return nodeVersion;
}

async function contactLedger(asking: Asking): Promise<string | undefined> {
  const [first, second] = contacts.ledger;
  const told = await responseTo(asking, "ledger", first);
  if (asking.given.tokens.administrator === undefined)
    asking.environment.printError(
      "No administrator's token was given (--token, better UNDERSTUDY_TOKEN in the environment): of the ledger only what needs none is asked.",
    );
  const response = await responseTo(asking, "ledger", second);
  checkToken(asking, response);
  checkShown(asking, "ledger", [told, response]);
  const json = told.type === "response" && told.status === 200 ? jsonIn(told.body) : undefined;
  const version = isJsonObject(json) ? json["version"] : undefined;
  return typeof version === "string" ? version : undefined;
}

/** Not every registry has metadata; one that shows itself by them is not asked for more. */
async function contactRegistry(asking: Asking): Promise<void> {
  const [first, second] = contacts.registry;
  const told = await responseTo(asking, "registry", first);
  if (isShown("registry", told)) return;
  checkShown(asking, "registry", [told, await responseTo(asking, "registry", second)]);
}

/** A token that the ledger refuses would leave next to nothing to check. */
function checkToken({ given, environment }: Asking, response: HandlerResponse): void {
  if (given.tokens.administrator === undefined || response.type !== "response") return;
  const requested = `${given.baseUrls.ledger} answered GET /v2/idps`;
  if (response.status === 401)
    throw new UserError(
      `The token of --token was refused with 401 (${requested}). It may have expired, or be for another audience or participant: take a fresh one of a participant administrator, or none to ask only what needs none.`,
    );
  if (response.status === 403)
    environment.printError(
      `The token of --token is not that of a participant administrator: ${requested} with 403. The check goes on; much of it will only meet refusals.`,
    );
}

function checkShown(asking: Asking, api: Api, responses: readonly HandlerResponse[]): void {
  const { client, given } = asking;
  if (client.isStopped || responses.some((response) => isShown(api, response))) return;
  const came = contacts[api].flatMap(({ method, path }, index) => {
    const response = responses[index];
    return response === undefined ? [] : [{ requested: `${method} ${path}`, response }];
  });
  throw notShown(api, given.baseUrls[api] ?? "", came);
}

async function responseTo(asking: Asking, api: Api, { method, path }: Contact): Promise<HandlerResponse> {
  const response = await send(asking, api, method, path);
  const unreachable = asking.client.unreachableReason(api);
  if (unreachable === undefined) return response;
  throw new UserError(
    `${asking.given.baseUrls[api]} cannot be reached (${unreachable}). Check the URL and that the ${api} runs.`,
    exitCodes.unreachable,
  );
}

/** What a 200 says in JSON. */
export async function ask(asking: Asking, api: Api, path: string): Promise<Json | undefined> {
  const response = await send(asking, api, "GET", path);
  return response.type === "response" && response.status === 200 ? jsonIn(response.body) : undefined;
}

/** Where no request may go out any more nothing is answered, for that reason. */
async function send(
  { client, given, environment }: Asking,
  api: Api,
  method: Contact["method"],
  path: string,
): Promise<HandlerResponse> {
  environment.progress(`asking the ${api}: ${method} ${path}`);
  const bearer = api === "ledger" && given.tokens.administrator !== undefined ? [given.tokens.administrator] : [];
  const request: Request = {
    method,
    target: path,
    headers: [
      ...bearer.map((token) => ["Authorization", `Bearer ${token}`] as const),
      ...(method === "POST" ? [["Content-Type", "application/json"] as const] : []),
    ],
    body: new TextEncoder().encode(method === "POST" ? "{}" : ""),
  };
  try {
    return (await client.send(api, path, request)).response;
  } catch (error) {
    if (error instanceof Halt) return { type: "broken", kind: "unexplained", reason: error.message };
    throw error;
  }
}

/** A target that has fallen silent in the meantime is no target. */
export function checkStillThere({ client, given }: Asking, apis: ReadonlySet<Api>): void {
  const silent = [...apis].find((api) => client.isGivenUp(api));
  if (silent === undefined || client.isStopped) return;
  throw new UserError(
    `${given.baseUrls[silent]} does not respond any more: nothing whole came to the last requests, ${client.failureReason(silent)}. Check that the ${silent} is well, or give it longer with --timeout SECONDS.`,
    exitCodes.unreachable,
  );
}
