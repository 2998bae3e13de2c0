import type { ClientReport } from "../../checker/client-rules/client-finding.ts";
import type { Handler } from "../../foundation/http/handler.ts";
import { jsonValueResponse } from "../../foundation/http/json-value-response.ts";
import type { Request } from "../../foundation/http/request.ts";
import { type Response, withHeaders } from "../../foundation/http/response.ts";
import { BeyondJsonBounds, formatJson, isJsonObject, type JsonObject, parseJson } from "../../foundation/json/json.ts";
import { optionalTextOf, textOf } from "../../foundation/json/members.ts";
import type { CountedLimits } from "../../foundation/limits/counted-limits.ts";
import { maskedHeaders } from "../../foundation/secrets/mask.ts";
import { durationMs } from "../../foundation/text/duration.ts";
import { shortened } from "../../foundation/text/shortened.ts";
import { planFromNow } from "../../scenarios/files/plan/plan-from-now.ts";
import { virtualTimeMsMax } from "../../simulator/world/world-state.ts";
import type { HostedWorld } from "../hosting/hosted-world.ts";
import type { Hosting } from "../hosting/hosting.ts";
import { absentWorld } from "../hosting/kept-response.ts";
import type { KeptWorlds } from "../hosting/kept-worlds.ts";
import { beginReassignment, completeReassignment, type ReassignmentResult } from "../hosting/reassignment.ts";
import { tap } from "../hosting/tap.ts";
import { defaultWorldId } from "../hosting/world-id.ts";
import type { JournalEntry } from "../journal/journal-entry.ts";
import { maskOfExchange, shownBody } from "../journal/shown-exchange.ts";
import type { StoredWorld } from "../stores/world-store.ts";
import { type ControlAccess, type ControlCaller, controlPrefix, guarded, notForPages } from "./access.ts";
import { archiveResponse, importArchive } from "./archive-response.ts";
import { asProblem, problem, unknownAction, unknownMember } from "./control-problem.ts";
import { storedResponse } from "./created-response.ts";
import { endOfTestResponse } from "./end-of-test-response.ts";
import { countStored, type ForkCall, forkResponse, labelsOfFork } from "./fork-response.ts";
import { processResponse } from "./process-responses.ts";
import type { ServerProcess } from "./server-process.ts";
import { tokensResponse } from "./tokens-response.ts";
import { worldJson, worldSnapshot } from "./world-snapshot.ts";

/** Serves the control API (`contracts/control.yaml`) in front of a hosting's handler. */
export function withControl(hosting: Hosting, access: ControlAccess, process?: ServerProcess): Handler {
  const respond = (request: Request, caller?: ControlCaller): ReturnType<Handler> =>
    closedToPages(processResponse(hosting, request, process) ?? control(hosting, access, request, caller));
  return guarded(access, respond, hosting.handler);
}

function closedToPages(responding: Response | Promise<Response>): Response | Promise<Response> {
  return responding instanceof Promise ? responding.then(closedToPages) : withHeaders(responding, notForPages);
}

function control(
  hosting: Hosting,
  access: ControlAccess,
  request: Request,
  caller: ControlCaller | undefined,
): Response | Promise<Response> {
  const [path = "", search] = request.target.slice(controlPrefix.length + 1).split("?");
  const [root, id = "", ...action] = path.split("/");
  if (root !== "worlds" && root !== "tokens")
    return problem(
      404,
      "Unknown path. The control API starts at /__understudy/worlds; contracts/control.yaml describes it.",
    );
  if (root === "worlds" && id === "") return ofAllWorlds(hosting, request, caller);
  const body = bodyOf(request, hosting.limits);
  if (typeof body === "string") return problem(400, body);
  const place = root === "tokens" ? "tokens" : ["worlds/{world}", ...action].join("/");
  const unknown = unknownMember(request.method, `/__understudy/${place}`, body);
  if (unknown !== undefined) return problem(400, unknown);
  if (root === "tokens") return tokensResponse(access, request.method, [id, ...action].join("/"), body);
  const query = new URLSearchParams(search);
  return worldResponse(hosting, id, { action: `${request.method} ${action.join("/")}`, query, body, caller });
}

function worldResponse(hosting: Hosting, id: string, call: ControlCall): Response | Promise<Response> {
  const { kept, quotas } = hosting;
  if (kept === undefined) return onWorld(hosting, id, call);
  if (quotas === undefined || call.action !== "POST fork") return onStoredWorld(hosting, kept, id, call);
  return quotas.inTurn(() => onStoredFork(hosting, kept, id, call));
}

/** Counts the worlds of all processes before a fork. */
async function onStoredFork(hosting: Hosting, kept: KeptWorlds, id: string, call: ControlCall): Promise<Response> {
  const absent = await kept.take(id);
  if (absent !== undefined) return asProblem(absent);
  const countWorlds = await countStored(hosting, kept, labelsOfFork(hosting, id, call.body));
  if (countWorlds === undefined) return asProblem(absentWorld(id, { type: "unavailable" }));
  return onStoredWorld(hosting, kept, id, { ...call, countWorlds });
}

function ofAllWorlds(
  hosting: Hosting,
  request: Request,
  caller: ControlCaller | undefined,
): Response | Promise<Response> {
  switch (request.method) {
    case "GET":
      return listWorlds(hosting);
    case "POST":
      return importArchive(hosting, request, caller);
    default:
      return problem(405, "Method not allowed. GET lists the worlds, POST imports an archive.");
  }
}

/** An action of the control API with its query and its body; an empty body is an empty object. */
interface ControlCall extends ForkCall {
  readonly action: string;
  readonly query: URLSearchParams;
}

/** Takes the world out of the store first, and responds when the changes are stored. */
async function onStoredWorld(hosting: Hosting, kept: KeptWorlds, id: string, call: ControlCall): Promise<Response> {
  const absent = await kept.take(id);
  if (absent !== undefined) return asProblem(absent);
  const first = hosting.worlds.get(id)?.first;
  const response = onWorld(hosting, id, call);
  if (call.action.startsWith("GET ") || first === undefined) return response;
  // A new world is in the same transaction as the changes of its origin.
  const responding = storedResponse(hosting, kept, response);
  const unkept = await kept.keep(first);
  return unkept === undefined ? responding : asProblem(unkept);
}

function onWorld(hosting: Hosting, id: string, call: ControlCall): Response {
  const hosted = hosting.worlds.get(id);
  if (hosted === undefined)
    return problem(404, `There is no world ${JSON.stringify(id)}. GET /__understudy/worlds lists all worlds.`);
  hosted.world.elapse();
  const response = ofWorld(hosting, hosted, id, call);
  if (!call.action.startsWith("GET ")) hosting.touched(id);
  return response;
}

function ofWorld(hosting: Hosting, hosted: HostedWorld, id: string, call: ControlCall): Response {
  const { action, query, body } = call;
  switch (action) {
    case "GET ":
      return jsonValueResponse(200, worldSnapshot(hosting, id, hosted));
    case "DELETE ":
      return removed(hosting, hosted, id, call);
    case "POST fork":
      return forkResponse(hosting, hosted, id, call);
    case "POST reset":
      hosting.reset(id);
      return jsonValueResponse(200, worldJson(hosting, id, hosted));
    case "POST clock/advance":
      return advanced(hosting, hosted, id, body);
    case "POST reassignments/begin":
      return afterReassignment(
        hosting,
        hosted,
        id,
        beginReassignment(hosted.world, textOf(body["contract"]), textOf(body["to"])),
      );
    case "POST reassignments/complete":
      return afterReassignment(hosting, hosted, id, completeReassignment(hosted.world, textOf(body["contract"])));
    case "POST tap":
      return tapped(hosted, body);
    case "POST plan":
      return planned(hosting, hosted, id, body);
    case "GET journal":
      return jsonValueResponse(200, {
        dropped: hosted.journal.dropped,
        exchanges: hosted.journal.exchanges.map((entry) => exchangeJson(entry, hosted)),
      });
    case "GET client-rules":
      return hosted.clientRules === undefined
        ? problem(404, "Client rules are off. Start serve without --no-client-rules.")
        : jsonValueResponse(200, clientRulesJson(hosted.clientRules.report()));
    case "GET archive":
      return archiveResponse(hosting, hosted);
    case "GET end-of-test":
      return endOfTestResponse(hosted, query);
    default:
      return unknownAction(action);
  }
}

/** Removes a fork. The scope `drive` is enough for the forks of the same token. */
function removed(hosting: Hosting, { first, creator }: HostedWorld, id: string, { caller }: ControlCall): Response {
  if (caller?.scope === "drive" && creator !== caller.tokenDigest && first !== defaultWorldId)
    return problem(
      403,
      `The control token ${JSON.stringify(caller.name)} did not fork the world ${JSON.stringify(id)}, and has the scope ${caller.scope}. Removing worlds of others needs administer.`,
    );
  return hosting.remove(id)
    ? jsonValueResponse(200, { removed: id })
    : problem(409, "The default world cannot be removed. Reset it instead.");
}

function advanced(hosting: Hosting, hosted: HostedWorld, id: string, body: JsonObject): Response {
  const { by } = body;
  const byMs = durationMs(textOf(by));
  if (byMs === undefined) {
    const found = by === undefined ? '"by" is missing' : `"by": ${shortened(formatJson(by))} is not a duration`;
    return problem(400, `${found}. Use an ISO-8601 duration such as "PT30S".`);
  }
  if (hosted.world.state.nowMs + byMs > virtualTimeMsMax)
    return problem(400, "Virtual time ends with the year 9999. Advance the clock by less.");
  hosted.world.advanceBy(byMs);
  return jsonValueResponse(200, worldJson(hosting, id, hosted));
}

function planned(hosting: Hosting, hosted: HostedWorld, id: string, body: JsonObject): Response {
  const entries = body["plan"];
  if (!Array.isArray(entries) || entries.length === 0)
    return problem(400, '"plan" is missing or empty. Send {"plan": […]} with entries as in the plan of a scenario.');
  const found = planFromNow(entries, hosted.world.whole);
  if (found.type === "invalid") return problem(400, found.problems.join("\n"));
  hosted.world.plan(found.events);
  return jsonValueResponse(200, worldJson(hosting, id, hosted));
}

function tapped({ world }: HostedWorld, { party, amount, instrument }: JsonObject): Response {
  const wrong = Object.entries({ party, amount, instrument: instrument ?? "" }).find(
    ([, value]) => typeof value !== "string",
  );
  if (wrong !== undefined)
    return problem(
      400,
      `${JSON.stringify(wrong[0])} is ${wrong[1] === undefined ? "missing" : "not a text"}. Send {"party":"PARTY","amount":"100.5"}.`,
    );
  const given = { party: textOf(party), amount: textOf(amount), instrument: optionalTextOf(instrument) };
  const result = tap(world, given);
  if (result.type !== "done") return problem(tapStatuses[result.type], result.problem);
  return jsonValueResponse(200, { contractId: result.contractId, updateId: result.updateId });
}

const tapStatuses = { invalid: 400, unknown: 404, conflict: 409 } as const;

function afterReassignment(hosting: Hosting, hosted: HostedWorld, id: string, result: ReassignmentResult): Response {
  switch (result.type) {
    case "done":
      return jsonValueResponse(200, worldJson(hosting, id, hosted));
    case "unknown":
      return problem(404, result.problem);
    case "conflict":
      return problem(409, result.problem);
  }
}

/** The worlds of this process, and those of its store. */
function listWorlds(hosting: Hosting): Response | Promise<Response> {
  for (const { world } of hosting.worlds.values()) world.elapse();
  const worlds = [...hosting.worlds].map(([id, hosted]) => worldJson(hosting, id, hosted));
  if (hosting.kept === undefined) return jsonValueResponse(200, { worlds });
  return hosting.kept.keeper.list().then(
    (stored) => jsonValueResponse(200, { worlds, stored: stored.map(storedWorldJson) }),
    () => problem(503, "The store does not respond. Repeat the request."),
  );
}

function storedWorldJson({
  origin,
  owner,
  labels,
  createdMs,
  changedMs,
  expiresMs,
  ...world
}: StoredWorld): JsonObject {
  return {
    ...world,
    origin: origin ?? null,
    owner: owner ?? null,
    labels: [...labels],
    createdAt: new Date(createdMs).toISOString(),
    changedAt: new Date(changedMs).toISOString(),
    expiresAt: expiresMs === undefined ? null : new Date(expiresMs).toISOString(),
  };
}

/** Renders client findings. The checker has already redacted secrets. */
function clientRulesJson({ findings, dropped, faults }: ClientReport): JsonObject {
  return {
    findings: findings.map((finding) => ({ ...finding })),
    dropped,
    faults: faults.map((fault) => ({ ...fault })),
  };
}

/** Renders an exchange: bodies as text, secrets redacted. */
function exchangeJson(entry: JournalEntry, { world }: HostedWorld): JsonObject {
  const mask = maskOfExchange(entry, world);
  const { startedAt, durationMs, virtualAt, operationId = null, unexpected = null, request, response } = entry;
  return {
    startedAt,
    durationMs,
    virtualAt,
    operationId,
    unexpected,
    method: request.method,
    target: mask(request.target),
    headers: maskedHeaders(request.headers, mask),
    body: shownBody(request.body, mask),
    status: response.type === "response" ? response.status : null,
    responseHeaders: response.type === "response" ? maskedHeaders(response.headers, mask) : [],
    responseBody: response.type === "response" ? shownBody(response.body, mask) : response.kind,
  };
}

const notObject =
  'The body is not a JSON object. Send one, such as {"by":"PT30S"}; contracts/control.yaml describes the members.';

/** The body as an object, or the problem with it; an empty body is an empty object. */
function bodyOf({ body }: Request, counted: CountedLimits): JsonObject | string {
  const given = body.text();
  if (given.trim() === "") return {};
  try {
    const value = parseJson(given, counted.values);
    return isJsonObject(value) ? value : notObject;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    if (!(error instanceof BeyondJsonBounds)) return notObject;
    counted.exceed(error.bound);
    return `The body exceeds a limit: ${error.message} (--limit ${error.bound}).`;
  }
}
