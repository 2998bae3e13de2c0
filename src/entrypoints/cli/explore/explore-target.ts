import { profileOfVersion } from "../../../checker/probing/profile-of-version.ts";
import type { Handler } from "../../../foundation/http/handler.ts";
import { mediaType } from "../../../foundation/http/header.ts";
import type { Request } from "../../../foundation/http/request.ts";
import { isJsonObject, type Json, jsonIn } from "../../../foundation/json/json.ts";
import type { Side } from "../../../scenarios/exploration/run-sequence.ts";
import type { Scope } from "../../../scenarios/exploration/steps.ts";
import { sendOverHttp } from "../../../transport/client/send-over-http.ts";
import { checkedBaseUrl } from "../flags/base-url.ts";
import { timeoutMsOf } from "../flags/timeout.ts";
import type { Options } from "../options.ts";
import { withControlToken } from "../server/control-access.ts";
import { isShown, notShown } from "../target/recognize-api.ts";
import { inWorldOfItsOwn, reaching, servedBy } from "../target/understudy-target.ts";
import { exitCodes, UserError } from "../user-error.ts";

/** What is explored: how its walks are opened, and what there is to say of it. */
export interface Target {
  readonly url: string;
  readonly scope: Scope;
  /** The workflow that it serves, where it is an Understudy. */
  readonly serves: string | undefined;
  /** The release that it seems to be, and how that was found out. */
  readonly profile: string;
  readonly profileReason: string;
  /** Whether it responds operations outside the spec. */
  readonly hasAdditionalOperations: boolean;
  /** How it reads tokens; undefined where that was not found out. */
  readonly authentication: "none" | "bearer" | "user" | "jwt" | undefined;
  /** Where virtual time begins in its worlds. */
  readonly startMs: number | undefined;
  /** The users that it was asked to make. */
  readonly created: Created;
  open(tokens: Side["tokens"]): Promise<Side>;
}

export interface Created {
  readonly users: Set<string>;
  /** Those that could not be deleted. */
  readonly left: Set<string>;
}

/** Finds out what the flags point to. Rejects with a UserError where it is not reachable or cannot be explored. */
export async function targetOf(options: Options, token: string): Promise<Target> {
  const url = baseUrlOf(options, "ledger");
  if (url === undefined) throw new UserError("explore needs a target: --ledger URL.");
  const registryUrl = baseUrlOf(options, "registry") ?? url;
  const handler = reaching(withControlToken(sendOverHttp(url, timeoutMsOf(options)), options), url);
  const serves = await servedBy(handler);
  if (serves === undefined) await checkLedger(handler, url, token);
  if (serves !== undefined && registryUrl !== url)
    throw new UserError("An Understudy serves the ledger and the registry at one URL: leave --registry out.");
  const created = { users: new Set<string>(), left: new Set<string>() };
  if (serves === undefined)
    return {
      url,
      scope: "own-users",
      serves,
      ...(await profileByVersion(handler, token)),
      authentication: undefined,
      startMs: undefined,
      created,
      open: async (tokens) => amongOwnUsers(handler, tokens, created),
    };
  return {
    url,
    scope: "world",
    serves,
    ...(await profileByBehaviour(handler, token)),
    authentication: await authenticationOf(handler),
    startMs: await startOf(handler),
    created,
    open: async (tokens) => ({ ...inWorldOfItsOwn(handler), tokens }),
  };
}

/** Refuses what is no ledger, or does not respond, before anything is said of how to explore it. */
async function checkLedger(handler: Handler, url: string, token: string): Promise<void> {
  const came = [];
  for (const path of ["/v2/version", "/v2/users?pageSize=1"]) {
    const response = await handler(get(path, token));
    if (isShown("ledger", response)) return;
    came.push({ requested: `GET ${path}`, response });
    if (response.type === "broken") break;
  }
  throw notShown("ledger", url, came);
}

function baseUrlOf(options: Options, flag: string): string | undefined {
  const text = options.text(flag);
  return text === undefined ? undefined : checkedBaseUrl(flag, text);
}

type ProfileFound = Pick<Target, "profile" | "profileReason" | "hasAdditionalOperations">;

/** The release whose version the target tells; the newest where it tells none. */
async function profileByVersion(handler: Handler, token: string): Promise<ProfileFound> {
  const response = await handler(get("/v2/version", token));
  const json = response.type === "response" && response.status === 200 ? jsonIn(response.body) : undefined;
  const version = isJsonObject(json) && typeof json["version"] === "string" ? json["version"] : undefined;
  const { ledger, reason } = profileOfVersion(version);
  return { profile: ledger, profileReason: reason, hasAdditionalOperations: version !== undefined };
}

/** An Understudy in the profile of the spec calls itself what the newest release does, and refuses in its own way. */
async function profileByBehaviour(handler: Handler, token: string): Promise<ProfileFound> {
  const world = inWorldOfItsOwn(handler);
  try {
    const found = await profileByVersion(world.handler, token);
    const refused = await world.handler(get("/v2/users?pageSize=-1", token));
    if (refused.type === "response" && refused.status === 400 && mediaType(refused.headers) === "text/plain")
      return { ...found, profile: "spec", profileReason: "what it refuses is text, as the spec says" };
    return found;
  } finally {
    await world.end();
  }
}

/** How an Understudy reads tokens, by what it says to no token and to one that names nobody. */
async function authenticationOf(handler: Handler): Promise<Target["authentication"]> {
  const world = inWorldOfItsOwn(handler);
  const statusOf = async (token: string) => {
    const response = await world.handler(get("/v2/users", token));
    return response.type === "response" ? response.status : undefined;
  };
  try {
    if ((await statusOf("")) === 200) return "none";
    const status = await statusOf("nobody-here");
    return status === 403 ? "user" : status === 401 ? "jwt" : "bearer";
  } finally {
    await world.end();
  }
}

/** Where time stands in a fresh world. */
async function startOf(handler: Handler): Promise<number | undefined> {
  const world = inWorldOfItsOwn(handler);
  try {
    const response = await world.handler(get("/__understudy/worlds/default", ""));
    const json = response.type === "response" ? jsonIn(response.body) : undefined;
    const nowMs = isJsonObject(json) ? Date.parse(String(json["now"])) : Number.NaN;
    return Number.isNaN(nowMs) ? undefined : nowMs;
  } finally {
    await world.end();
  }
}

function get(target: string, token: string): Request {
  const headers = token === "" ? [] : [["Authorization", `Bearer ${token}`] as const];
  return { method: "GET", target, headers, body: new Uint8Array() };
}

/** A walk at a node: whatever user it asks for is noted before, and deleted after. */
function amongOwnUsers(handler: Handler, tokens: Side["tokens"], created: Created): Side {
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
      for (const id of requested) if (!(await isDeleted(handler, id, tokens.administrator))) created.left.add(id);
    },
  };
}

function userRequestedFor(request: Request): readonly string[] {
  if (request.method !== "POST" || request.target !== "/v2/users") return [];
  const json = jsonIn(request.body);
  const user: Json | undefined = isJsonObject(json) ? json["user"] : undefined;
  const id = isJsonObject(user) ? user["id"] : undefined;
  return typeof id === "string" && id !== "" ? [id] : [];
}

async function isDeleted(handler: Handler, id: string, token: string): Promise<boolean> {
  const target = `/v2/users/${encodeURIComponent(id)}`;
  const response = await handler({ ...get(target, token), method: "DELETE" });
  return response.type === "response" && (response.status === 200 || response.status === 404);
}

/** Refuses a target at which nobody can walk: one that is no ledger, or one that the walk must not write to. */
export async function checkWalkable(target: Target, tokens: Side["tokens"], options: Options): Promise<void> {
  if (target.scope === "world") return;
  if (!options.flag("writes"))
    throw new UserError(
      `${target.url} is no Understudy, so the walks would make users there, grant them rights and delete them. Say so with --writes.`,
    );
  const side = await target.open(tokens);
  const response = await side.handler(get("/v2/users?pageSize=1", tokens.administrator));
  if (response.type === "response" && response.status === 200) return;
  const came = response.type === "response" ? String(response.status) : response.kind;
  throw new UserError(
    `${target.url} answers GET /v2/users with ${came}. Check the URL, and that --token is one of an administrator.`,
    response.type === "response" ? exitCodes.usage : exitCodes.unreachable,
  );
}
