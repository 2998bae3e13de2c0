import type { PoliteClient } from "../../../checker/probing/rate-limited-client.ts";
import { Halt } from "../../../checker/probing/rate-limited-client.ts";
import type { Exchange } from "../../../foundation/http/exchange.ts";
import { mediaType } from "../../../foundation/http/header.ts";
import type { Request } from "../../../foundation/http/request.ts";
import { isJsonObject, type Json, jsonIn } from "../../../foundation/json/json.ts";
import type { Api } from "../../../foundation/spec/contracts.ts";
import type { Environment } from "../options.ts";
import { exitCodes, UserError } from "../user-error.ts";
import type { GivenTarget } from "./target.ts";

type Answer = Exchange["answer"];

/** What a target is asked by, before probes are run. */
export interface Asking {
  readonly client: PoliteClient;
  readonly given: GivenTarget;
  readonly environment: Environment;
}

interface Contact {
  readonly method: "GET" | "POST";
  readonly path: string;
}

/** Safe requests by which an API shows itself; the second one is of the document. */
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
  const told = await answerTo(asking, "ledger", first);
  if (asking.given.tokens.administrator === undefined)
    asking.environment.printError(
      "No administrator's token was given (--token, better UNDERSTUDY_TOKEN in the environment): of the ledger only what needs none is asked.",
    );
  const answer = await answerTo(asking, "ledger", second);
  checkToken(asking, answer);
  checkShown(asking, "ledger", [told, answer]);
  const json = told.type === "response" && told.status === 200 ? jsonIn(told.body) : undefined;
  const version = isJsonObject(json) ? json["version"] : undefined;
  return typeof version === "string" ? version : undefined;
}

/** Not every registry has metadata; one that shows itself by them is not asked for more. */
async function contactRegistry(asking: Asking): Promise<void> {
  const [first, second] = contacts.registry;
  const told = await answerTo(asking, "registry", first);
  if (isShown("registry", told)) return;
  checkShown(asking, "registry", [told, await answerTo(asking, "registry", second)]);
}

/** A token that the ledger refuses would leave next to nothing to judge. */
function checkToken({ given, environment }: Asking, answer: Answer): void {
  if (given.tokens.administrator === undefined || answer.type !== "response") return;
  const asked = `${given.baseUrls.ledger} answered GET /v2/idps`;
  if (answer.status === 401)
    throw new UserError(
      `The token of --token was refused with 401 (${asked}). It may have expired, or be for another audience or participant: take a fresh one of a participant administrator, or none to ask only what needs none.`,
    );
  if (answer.status === 403)
    environment.printError(
      `The token of --token is not that of a participant administrator: ${asked} with 403. The check goes on; much of it will only meet refusals.`,
    );
}

/** Members of which an answer of the API, be it an error, has at least one. */
const members: Readonly<Record<Api, readonly string[]>> = {
  ledger: ["version", "identityProviderConfigs", "cause", "errorCategory"],
  registry: ["adminId", "supportedApis", "factoryId", "transferKind", "choiceContext", "error"],
};

/** Whether the answer could be the API's, right or wrong. */
export function isShown(api: Api, answer: Answer): boolean {
  if (answer.type === "broken") return answer.kind === "truncated" || answer.kind === "too-large";
  const json = jsonIn(answer.body);
  if (isJsonObject(json)) return members[api].some((member) => Object.hasOwn(json, member));
  return api === "ledger" && answer.status === 400 && mediaType(answer.headers) === "text/plain";
}

function checkShown(asking: Asking, api: Api, answers: readonly Answer[]): void {
  const { client, given } = asking;
  if (client.isStopped || answers.some((answer) => isShown(api, answer))) return;
  const came = contacts[api].flatMap(({ method, path }, index) => {
    const answer = answers[index];
    return answer === undefined ? [] : [{ asked: `${method} ${path}`, answer }];
  });
  throw notShown(api, given.baseUrls[api] ?? "", came);
}

const names: Readonly<Record<Api, string>> = { ledger: "a JSON Ledger API", registry: "a token registry" };

/** Says that nobody is there who speaks the API. */
export function notShown(
  api: Api,
  baseUrl: string,
  came: readonly { readonly asked: string; readonly answer: Answer }[],
): UserError {
  const told = came.map(({ asked, answer }) => `${asked} ${outcomeOf(answer)}`).join(", ");
  const isSilent = came.every(({ answer }) => answer.type === "broken");
  const advice = isSilent
    ? `Check that the ${api} runs and is ready, or give it longer with --timeout SECONDS.`
    : `Check the base URL, its path included, and what stands in front of the ${api}.`;
  const text = `${baseUrl} does not answer as ${names[api]} does: ${told}. ${advice}`;
  return new UserError(text, exitCodes.unreachable);
}

function outcomeOf(answer: Answer): string {
  if (answer.type === "broken") return `brought no answer (${answer.reason ?? answer.kind})`;
  const json = jsonIn(answer.body);
  const foreign = isJsonObject(json) ? " that is none of its answers" : "";
  return `was answered ${answer.status} ${mediaType(answer.headers) ?? "without a media type"}${foreign}`;
}

async function answerTo(asking: Asking, api: Api, { method, path }: Contact): Promise<Answer> {
  const answer = await send(asking, api, method, path);
  const unreachable = asking.client.unreachable(api);
  if (unreachable === undefined) return answer;
  throw new UserError(
    `${asking.given.baseUrls[api]} cannot be reached (${unreachable}). Check the URL and that the ${api} runs.`,
    exitCodes.unreachable,
  );
}

/** What a 200 says in JSON. */
export async function ask(asking: Asking, api: Api, path: string): Promise<Json | undefined> {
  const answer = await send(asking, api, "GET", path);
  return answer.type === "response" && answer.status === 200 ? jsonIn(answer.body) : undefined;
}

/** Where no request may go out any more nothing is answered, for that reason. */
async function send(
  { client, given, environment }: Asking,
  api: Api,
  method: Contact["method"],
  path: string,
): Promise<Answer> {
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
    return (await client.ask(api, path, request)).answer;
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
    `${given.baseUrls[silent]} does not answer any more: nothing whole came to the last requests, ${client.whySilent(silent)}. Check that the ${silent} is well, or give it longer with --timeout SECONDS.`,
    exitCodes.unreachable,
  );
}
