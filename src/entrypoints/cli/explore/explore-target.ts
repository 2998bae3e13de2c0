import { emptyBody } from "../../../foundation/http/body.ts";
import type { Handler } from "../../../foundation/http/handler.ts";
import { mediaType } from "../../../foundation/http/header.ts";
import type { Request } from "../../../foundation/http/request.ts";
import { isJsonObject, type Json, jsonOf } from "../../../foundation/json/json.ts";
import { profileOfVersion } from "../../../foundation/spec/release-of-version.ts";
import type { Side } from "../../../scenarios/exploration/run-sequence.ts";
import type { Scope } from "../../../scenarios/exploration/steps.ts";
import { sendOverHttp } from "../../../transport/client/send-over-http.ts";
import { checkedBaseUrl } from "../flags/base-url.ts";
import { timeoutMsOf } from "../flags/timeout.ts";
import type { Options } from "../options.ts";
import { withControlToken } from "../server/control-access.ts";
import { versionIn } from "../target/node-version.ts";
import { isResponseOf, unknownApiError } from "../target/recognize-api.ts";
import { inFreshWorld, servedScenario, withUnreachableError } from "../target/understudy-target.ts";
import { exitCodes, UserError } from "../user-error.ts";

/** A target to explore. `open` starts a request sequence. */
export interface Target {
  readonly url: string;
  readonly scope: Scope;
  /** Workflow id of the scenario that a stub serves; undefined for another target. */
  readonly scenario: string | undefined;
  /** The release of the target, and how it was recognized. */
  readonly profile: string;
  readonly profileReason: string;
  /** Whether the target serves additional operations. */
  readonly hasAdditionalOperations: boolean;
  /** How the target reads tokens; undefined if unknown. */
  readonly authentication: "none" | "bearer" | "user" | "jwt" | undefined;
  /** Start of virtual time in the worlds of a stub, in milliseconds since the epoch. */
  readonly startMs: number | undefined;
  readonly created: CreatedUsers;
  open(tokens: Side["tokens"]): Promise<Side>;
}

/** Ids of the users that an exploration created at a target. */
interface CreatedUsers {
  readonly users: Set<string>;
  /** Users that could not be deleted. */
  readonly notDeleted: Set<string>;
}

/** Inspects the target that the flags name. Rejects with a UserError if it is unreachable or cannot be explored. */
export async function targetOf(options: Options, token: string): Promise<Target> {
  const text = options.text("ledger");
  if (text === undefined) throw new UserError("explore needs a target: --ledger URL.");
  const url = checkedBaseUrl("ledger", text);
  const handler = withUnreachableError(withControlToken(sendOverHttp(url, timeoutMsOf(options)), options), url);
  const scenario = await servedScenario(handler);
  if (scenario === undefined) await checkLedger(handler, url, token);
  const created = { users: new Set<string>(), notDeleted: new Set<string>() };
  if (scenario === undefined)
    return {
      url,
      scope: "own-users",
      scenario,
      ...(await profileByVersion(handler, token)),
      authentication: undefined,
      startMs: undefined,
      created,
      open: async (tokens) => withOwnUsers(handler, tokens, created),
    };
  return {
    url,
    scope: "world",
    scenario,
    ...(await profileByBehaviour(handler, token)),
    authentication: await authenticationModeOf(handler),
    startMs: await startOf(handler),
    created,
    open: async (tokens) => ({ ...inFreshWorld(handler), tokens }),
  };
}

/** Throws a UserError if the target does not respond like a ledger. */
async function checkLedger(handler: Handler, url: string, token: string): Promise<void> {
  const received = [];
  for (const path of ["/v2/version", "/v2/users?pageSize=1"]) {
    const response = await handler(get(path, token));
    if (isResponseOf("ledger", response)) return;
    received.push({ requested: `GET ${path}`, response });
    if (response.type === "broken") break;
  }
  throw unknownApiError("ledger", url, received);
}

type ProfileFound = Pick<Target, "profile" | "profileReason" | "hasAdditionalOperations">;

/** The profile for the version that the target reports; the default release if it reports none. */
async function profileByVersion(handler: Handler, token: string): Promise<ProfileFound> {
  const version = versionIn(await handler(get("/v2/version", token)));
  const { ledger, reason } = profileOfVersion(version);
  return { profile: ledger, profileReason: reason, hasAdditionalOperations: version !== undefined };
}

/** A stub in the profile `spec` reports the version of the default release. Its error responses are text, as in the spec. */
async function profileByBehaviour(handler: Handler, token: string): Promise<ProfileFound> {
  const world = inFreshWorld(handler);
  try {
    const found = await profileByVersion(world.handler, token);
    const refused = await world.handler(get("/v2/users?pageSize=-1", token));
    if (refused.type === "response" && refused.status === 400 && mediaType(refused.headers) === "text/plain")
      return { ...found, profile: "spec", profileReason: "its error responses are text, as in the spec" };
    return found;
  } finally {
    await world.end();
  }
}

/** Recognizes how a stub reads tokens, by its statuses without a token and with an unknown user. */
async function authenticationModeOf(handler: Handler): Promise<Target["authentication"]> {
  const world = inFreshWorld(handler);
  const statusOf = async (token: string) => {
    const response = await world.handler(get("/v2/users", token));
    return response.type === "response" ? response.status : undefined;
  };
  try {
    if ((await statusOf("")) === 200) return "none";
    const status = await statusOf("unknown-user");
    return status === 403 ? "user" : status === 401 ? "jwt" : "bearer";
  } finally {
    await world.end();
  }
}

/** Current virtual time of a new world, in milliseconds since the epoch. */
async function startOf(handler: Handler): Promise<number | undefined> {
  const world = inFreshWorld(handler);
  try {
    const response = await world.handler(get("/__understudy/worlds/default", ""));
    const json = response.type === "response" ? jsonOf(response.body.text()) : undefined;
    const nowMs = isJsonObject(json) ? Date.parse(String(json["now"])) : Number.NaN;
    return Number.isNaN(nowMs) ? undefined : nowMs;
  } finally {
    await world.end();
  }
}

function get(target: string, token: string): Request {
  const headers = token === "" ? [] : [["Authorization", `Bearer ${token}`] as const];
  return { method: "GET", target, headers, body: emptyBody };
}

/** A sequence at a node. The users that it creates are noted before the request, and deleted at the end. */
function withOwnUsers(handler: Handler, tokens: Side["tokens"], created: CreatedUsers): Side {
  const requested = new Set<string>();
  return {
    tokens,
    handler: (request) => {
      for (const id of userRequestedFor(request)) {
        requested.add(id);
        created.users.add(id);
      }
      return handler(request);
    },
    end: async () => {
      for (const id of requested) if (!(await isDeleted(handler, id, tokens.administrator))) created.notDeleted.add(id);
    },
  };
}

function userRequestedFor(request: Request): readonly string[] {
  if (request.method !== "POST" || request.target !== "/v2/users") return [];
  const json = jsonOf(request.body.text());
  const user: Json | undefined = isJsonObject(json) ? json["user"] : undefined;
  const id = isJsonObject(user) ? user["id"] : undefined;
  return typeof id === "string" && id !== "" ? [id] : [];
}

async function isDeleted(handler: Handler, id: string, token: string): Promise<boolean> {
  const target = `/v2/users/${encodeURIComponent(id)}`;
  const response = await handler({ ...get(target, token), method: "DELETE" });
  return response.type === "response" && (response.status === 200 || response.status === 404);
}

/** Throws a UserError if the target is a node, and writes are not allowed or users cannot be listed. */
export async function checkExplorable(target: Target, tokens: Side["tokens"], options: Options): Promise<void> {
  if (target.scope === "world") return;
  if (!options.flag("writes"))
    throw new UserError(
      `${target.url} is not a stub. Exploring creates users there, grants them rights and deletes them. Allow it with --writes.`,
    );
  const side = await target.open(tokens);
  const response = await side.handler(get("/v2/users?pageSize=1", tokens.administrator));
  if (response.type === "response" && response.status === 200) return;
  const received = response.type === "response" ? String(response.status) : response.kind;
  throw new UserError(
    `GET ${target.url}/v2/users returned ${received}. Check the URL, and that --token is the token of an administrator.`,
    response.type === "response" ? exitCodes.usage : exitCodes.unreachable,
  );
}
