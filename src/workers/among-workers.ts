import { controlPrefix, isControl } from "../control/access.ts";
import { defaultWorldId } from "../hosting/hosting.ts";
import type { Answer, Handler } from "../http/handler.ts";
import { formatJson, isJsonObject, type Json, jsonIn } from "../http/json.ts";
import type { Request } from "../http/request.ts";
import { type Response, textResponse } from "../http/response.ts";
import { addedLimits, type LimitsReport } from "../limits/counted-limits.ts";
import { limitList } from "../limits/limits.ts";
import { firstWorker, ownerOf, type Team } from "./team.ts";
import { worldOf } from "./world-of.ts";

export interface WorkerSettings {
  readonly worker: number;
  readonly team: Team;
  /** Answers for the worlds that live here. Every worker has the default one, which only the first shows. */
  readonly own: Handler;
  /** What another worker's `forOthers` answers. */
  readonly ask: (worker: number, request: Request) => Promise<Answer>;
  readonly hasControl: boolean;
  /** Whether a fork of the default world is the same here as at any other worker. */
  readonly isDefaultAsBegun: () => boolean;
}

/** A worker as the world sees it and as the others do. */
export interface Worker {
  /** Answers any request: for worlds of others by asking them. */
  readonly handler: Handler;
  /** Answers for worlds that live here, and asks nobody but for a fork, so that no request goes round. */
  readonly forOthers: Handler;
}

/** One of several workers that together answer as one stub would. */
export function amongWorkers(settings: WorkerSettings): Worker {
  const { worker, team, own, ask, hasControl } = settings;
  const forOthers = worker === firstWorker && hasControl ? sharingForks(settings) : own;
  return {
    forOthers,
    handler: (request) => {
      const path = hasControl ? controlPath(request) : undefined;
      if (path === "/worlds" || path === "/worlds/")
        return request.method === "GET" ? listed(settings, request) : own(request);
      if (path === "/limits" && request.method === "GET") return limitsOfAll(settings, request);
      if (path !== undefined && request.method === "GET" && inspected.test(path)) return notInspected();
      const owner = ownerOf(worldOf(request, hasControl), team);
      return owner === worker ? forOthers(request) : ask(owner, request);
    },
  };
}

/** Undefined where a request is none of the control API. */
function controlPath({ target }: Request): string | undefined {
  return isControl(target) ? target.slice(controlPrefix.length).split("?")[0] : undefined;
}

const inspected = /^(?:\/?|\/events|\/worlds\/[^/]+\/(?:traffic|tables|timeline|verdict|report)(?:\/.*)?)$/;

function notInspected(): Response {
  const error = "The inspector shows the worlds of one process; serve without --workers to look at them.";
  return textResponse(404, "application/json", formatJson({ error }));
}

const forkOfDefault = `${controlPrefix}/worlds/${defaultWorldId}/fork`;

/** Forks of the default world that begin where it began are made by the workers in turn; each of them has what it takes. */
function sharingForks({ own, ask, team, isDefaultAsBegun }: WorkerSettings): Handler {
  let forks = 0;
  return async (request) => {
    if (request.method !== "POST" || request.target.split("?")[0] !== forkOfDefault) return own(request);
    if (!isFromStart(request, isDefaultAsBegun)) return own(request);
    forks += 1;
    const turn = forks;
    for (let tried = 0; ; tried += 1) {
      const worker = ((turn + tried) % team.count) + 1;
      const answer = await (worker === firstWorker ? own(request) : ask(worker, fromStart(request)));
      // A worker that has no room for another world leaves it to the next.
      const isFull = answer.type === "response" && answer.status === 409;
      if (!isFull || tried + 1 === team.count) return answer;
    }
  };
}

/** Undefined members and what is no JSON are for the control API to judge. */
function isFromStart({ body }: Request, isDefaultAsBegun: () => boolean): boolean {
  const asked = body.length === 0 ? {} : jsonIn(body);
  if (!isJsonObject(asked) || asked["at"] !== undefined) return false;
  const { from = "now" } = asked;
  return from === "start" || (from === "now" && isDefaultAsBegun());
}

function fromStart(request: Request): Request {
  const { method, target, headers } = request;
  return { method, target, headers, body: new TextEncoder().encode(formatJson({ from: "start" })) };
}

/** What each worker answers, in their order. */
function ofAll({ worker, team, own, ask }: WorkerSettings, request: Request): Promise<readonly Answer[]> {
  const numbers = Array.from({ length: team.count }, (_, index) => index + 1);
  return Promise.all(numbers.map((number) => (number === worker ? own(request) : ask(number, request))));
}

/** The worlds of all workers, as one stub lists them: the default one first, forks as each worker made them. */
async function listed(settings: WorkerSettings, request: Request): Promise<Answer> {
  const answers = await ofAll(settings, request);
  const refused = answers.find((answer) => answer.type === "broken" || answer.status !== 200);
  if (refused !== undefined) return refused;
  const worlds = answers.flatMap((answer, index) =>
    worldsIn(answer).filter((world) => isOf(world, index + 1, settings.team)),
  );
  return textResponse(200, "application/json", formatJson({ worlds }));
}

/** What all workers have in use and refused, added up. */
async function limitsOfAll(settings: WorkerSettings, request: Request): Promise<Answer> {
  const answers = await ofAll(settings, request);
  const refused = answers.find((answer) => answer.type === "broken" || answer.status !== 200);
  if (refused !== undefined) return refused;
  const { limits, malformed } = addedLimits(answers.map(limitsReportIn));
  return textResponse(
    200,
    "application/json",
    formatJson({ limits: limits.map((limit) => ({ ...limit })), malformed }),
  );
}

/** Every worker lists the limits in the order in which they are known here. */
function limitsReportIn(answer: Answer): LimitsReport {
  const json = answer.type === "response" ? jsonIn(answer.body) : undefined;
  const report = isJsonObject(json) ? json : {};
  const listed = Array.isArray(report["limits"]) ? report["limits"] : [];
  const limits = limitList.map(({ name, flag, unit }, index) => {
    const { value = 0, inUse = null, exceeded = 0 } = isJsonObject(listed[index]) ? listed[index] : {};
    const used = typeof inUse === "number" ? inUse : null;
    return { name, flag, unit, value: Number(value), inUse: used, exceeded: Number(exceeded) };
  });
  return { limits, malformed: Number(report["malformed"] ?? 0) };
}

function worldsIn(answer: Answer): readonly Json[] {
  const json = answer.type === "response" ? jsonIn(answer.body) : undefined;
  const worlds = isJsonObject(json) ? json["worlds"] : undefined;
  return Array.isArray(worlds) ? worlds : [];
}

function isOf(world: Json, worker: number, team: Team): boolean {
  return isJsonObject(world) && ownerOf(String(world["id"]), team) === worker;
}
