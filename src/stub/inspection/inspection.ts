import { renderHtml } from "../../checker/reports/formats/html.ts";
import type { Report } from "../../checker/reports/report.ts";
import type { EventStream } from "../../foundation/http/event-stream.ts";
import type { Handler, HandlerResponse } from "../../foundation/http/handler.ts";
import type { Request } from "../../foundation/http/request.ts";
import { type Response, textResponse, withHeaders } from "../../foundation/http/response.ts";
import { formatJson, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { CountedLimits } from "../../foundation/limits/counted-limits.ts";
import { plainMask } from "../../foundation/secrets/mask.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { type ControlAccess, controlPrefix, guarded, isControl } from "../control/access.ts";
import { stateAt } from "../hosting/state-at.ts";
import { stubSpec } from "../pipeline/stub.ts";
import { changesBetween } from "./changes.ts";
import { EventHub } from "./event-hub.ts";
import { InspectedWorld } from "./inspected-world.ts";
import { type PageFiles, pageResponse } from "./page.ts";
import type { InspectedTraffic, InspectionSource, Strictness } from "./source.ts";
import { isTableName, shownTable, tableNames } from "./tables.ts";
import { timelineJson } from "./timeline.ts";
import { exchangeJson, lineJson } from "./traffic.ts";

/** Answers that go on are for servers only. */
export type InspectedHandler = (request: Request) => InspectedResponse | Promise<InspectedResponse>;
type InspectedResponse = HandlerResponse | EventStream;

export interface InspectionOptions {
  readonly source: InspectionSource;
  readonly access: ControlAccess;
  /** The files of the page; where there are none, the API is served alone. */
  readonly page: PageFiles;
  /** How many streams of events may be open, and where it is counted. */
  readonly limits?: CountedLimits | undefined;
  /** Runs something after some time. */
  readonly later: (run: () => void, ms: number) => void;
  /** Answers what is not for the inspection. */
  readonly inner: Handler;
}

/** Looks at the worlds of a hosting: the inspector and what it asks for (`contracts/control.yaml`, tag inspection). */
export class Inspection {
  readonly #options: InspectionOptions;
  readonly #limits: CountedLimits;
  #loadedSpec: Spec | undefined;
  readonly #worlds = new Map<string, InspectedWorld>();
  readonly #revisions = new Map<string, number>();
  readonly #hub: EventHub;
  readonly #stop: () => void;
  readonly #born: number;
  /** What is for the inspection is served by it, everything else by the handler behind it. */
  readonly handler: InspectedHandler;

  constructor(options: InspectionOptions) {
    this.#options = options;
    this.#limits = options.limits ?? new CountedLimits();
    this.#born = options.source.wallNowMs();
    this.handler = guarded(options.access, (request) => this.#handle(request));
    this.#hub = new EventHub(() => formatJson(this.#seen()), options.later);
    this.#limits.watch("eventStreamsMax", () => this.#hub.size);
    this.#stop = options.source.observe((id) => {
      this.#revisions.set(id, (this.#revisions.get(id) ?? 0) + 1);
      if (!options.source.worlds.has(id)) this.#forget(id);
      this.#hub.changed();
    });
  }

  /** Loaded when somebody looks. */
  get #spec(): Spec {
    const { wholeSpec, profile } = this.#options.source;
    this.#loadedSpec ??= wholeSpec ?? stubSpec(profile, { hasAdditionalOperations: true });
    return this.#loadedSpec;
  }

  /** Ends all event streams, so that pages come again to whoever is there by then. */
  close(): void {
    this.#stop();
    this.#hub.close();
  }

  #handle(request: Request): ReturnType<InspectedHandler> {
    const found = isControl(request.target) ? this.#response(request) : undefined;
    return found === undefined ? this.#options.inner(request) : found();
  }

  /** Undefined where the request is not for the inspection. */
  #response({ method, target }: Request): (() => Response | EventStream) | undefined {
    const [path = "", search = ""] = target.slice(controlPrefix.length).split("?");
    if (method !== "GET") return undefined;
    if (path === "/events") return () => this.#events();
    const page = pageResponse(path, this.#options.page);
    if (page !== undefined) return () => page;
    const [, root, id = "", view = "", part = "", ...rest] = path.split("/");
    if (root !== "worlds" || rest.length > 0 || !views.includes(view)) return undefined;
    return () => {
      const world = this.#world(id);
      if (world === undefined) return problem(404, `There is no world ${JSON.stringify(id)}.`);
      return this.#view(world, view, part, new URLSearchParams(search));
    };
  }

  #view(world: InspectedWorld, view: string, part: string, query: URLSearchParams): Response {
    switch (view) {
      case "traffic":
        return part === "" ? this.#traffic(world, query) : this.#exchange(world, part);
      case "tables":
        return tableResponse(world, part, query);
      case "timeline":
        return this.#timeline(world);
      case "verdict":
        return json(verdictJson(world));
      default:
        return reportResponse(world, this.#strictness);
    }
  }

  #traffic(world: InspectedWorld, query: URLSearchParams): Response {
    const after = wholeNumber(query.get("after") ?? "0", 0);
    const limit = wholeNumber(query.get("limit") ?? "1000", 1);
    if (after === undefined || limit === undefined || limit > linesMax)
      return problem(400, `"after" is a number of an exchange, "limit" one from 1 to ${linesMax}.`);
    const { journal } = world.traffic;
    return json({
      first: journal.dropped + 1,
      last: journal.last,
      epoch: this.#epochOf(journal),
      lines: world
        .after(after, limit)
        .map((record) => lineJson(record, world.said(record.number), world.traffic.world)),
    });
  }

  #timeline({ traffic: { world, journal } }: InspectedWorld): Response {
    if (world === undefined) return problem(404, worldUnknown);
    return json(timelineJson(world, journal, this.#operations()));
  }

  #exchange(world: InspectedWorld, part: string): Response {
    const number = wholeNumber(part, 1);
    const record = number === undefined ? undefined : world.record(number);
    if (number === undefined || record === undefined)
      return problem(404, `There is no exchange ${part}, or it is gone.`);
    return json(exchangeJson(record, world.said(number), { spec: this.#spec, world: world.traffic.world }));
  }

  #operations(): readonly string[] {
    return this.#spec.operations.map(({ operationId }) => operationId).sort();
  }

  get #strictness(): Strictness {
    return this.#options.source.strictness ?? { level: "release", areAdditionalOperationsChecked: true };
  }

  #world(id: string): InspectedWorld | undefined {
    const hosted = this.#options.source.worlds.get(id);
    if (hosted === undefined) return undefined;
    const known = this.#worlds.get(id);
    if (known?.traffic === hosted) return known;
    const world = new InspectedWorld(hosted, this.#spec, this.#strictness);
    this.#worlds.set(id, world);
    return world;
  }

  #forget(id: string): void {
    this.#worlds.delete(id);
    this.#revisions.delete(id);
  }

  #seen(): JsonObject {
    const seen = ([id, { journal, world }]: readonly [string, InspectedTraffic]) => ({
      id,
      last: journal.last,
      revision: this.#revisions.get(id) ?? 0,
      epoch: this.#epochOf(journal),
      isKnown: world !== undefined,
    });
    return { worlds: [...this.#options.source.worlds].map(seen) };
  }

  /** Another inspection, of a scenario that was read again, has other epochs. */
  #epochOf({ epoch }: InspectedTraffic["journal"]): number {
    return this.#born + epoch;
  }

  #events(): Response | EventStream {
    if (this.#hub.size >= this.#limits.values.eventStreamsMax) {
      this.#limits.exceed("eventStreamsMax");
      return problem(
        503,
        `The limit of event streams is reached, ${this.#limits.shown("eventStreamsMax")}; close some pages.`,
      );
    }
    return {
      type: "events",
      headers: [
        ["Content-Type", "text/event-stream"],
        ["Cache-Control", "no-store"],
      ],
      open: (listener) => this.#hub.listen(listener),
    };
  }
}

const worldUnknown = "What is behind recorded traffic is not known; a stub's worlds are.";

const views: readonly string[] = ["traffic", "tables", "timeline", "verdict", "report"];

/** Lines of one response; more are asked for by the number of the last. */
const linesMax = 10_000;

const rowsMax = 1000;

function tableResponse(world: InspectedWorld, name: string, query: URLSearchParams): Response {
  if (!isTableName(name))
    return problem(404, `There is no table ${JSON.stringify(name)}; there are ${tableNames.join(", ")}.`);
  const limit = wholeNumber(query.get("limit") ?? "200", 1);
  const at = query.has("at") ? wholeNumber(query.get("at") ?? "", 0) : "now";
  if (limit === undefined || limit > rowsMax || at === undefined)
    return problem(400, `"limit" is a number from 1 to ${rowsMax}, "at" that of an exchange.`);
  if (world.traffic.world === undefined) return problem(404, worldUnknown);
  const state = at === "now" ? world.traffic.world.state : stateAt(world.traffic, at);
  if (state === undefined) return problem(404, `The exchange ${at} is gone, and what the world was then.`);
  const pointInTime = at === "now" || at === 0 ? undefined : world.record(at)?.pointInTime;
  const changed = pointInTime === undefined ? [] : changesBetween(pointInTime.before, pointInTime.after);
  const changedIds = new Set(changed.flatMap(({ table, id }) => (table === name ? [id] : [])));
  const [after, search] = [query.get("after") ?? "", (query.get("search") ?? "").toLowerCase()];
  const { columns, rowsFrom } = shownTable(state, name);
  const rows: { id: string; cells: readonly string[]; isChanged: boolean }[] = [];
  for (const { id, cells } of rowsFrom(after)) {
    if (id === after || (search !== "" && !cells.some((cell) => cell.toLowerCase().includes(search)))) continue;
    if (rows.length === limit) return json({ columns, rows, next: rows.at(-1)?.id ?? null });
    // A row may hold what a client wrote there, such as an annotation of a user.
    rows.push({ id, cells: cells.map(plainMask), isChanged: changedIds.has(id) });
  }
  return json({ columns, rows, next: null });
}

/** Undefined where the text is no whole number from `min` on. */
function wholeNumber(text: string, min: number): number | undefined {
  return /^\d{1,15}$/.test(text) && Number(text) >= min ? Number(text) : undefined;
}

function verdictJson(world: InspectedWorld): JsonObject {
  const { profile, passed, known, warned, failed, outside, matrix, violations } = world.summary();
  return {
    profile: { ...profile },
    passed,
    known,
    warned,
    failed,
    outside,
    matrix: matrix.map((row) => ({ ...row })),
    violations: violations.map(({ rule, operationId, status, outcome, section, pointer, expected, actual, count }) => ({
      rule,
      operationId,
      status,
      outcome,
      section,
      pointer,
      expected,
      actual,
      count,
    })),
  };
}

function reportResponse(world: InspectedWorld, { level }: Strictness): Response {
  const summary = world.summary();
  const isStub = world.traffic.world !== undefined;
  const report: Report = {
    summary,
    level,
    sources: [isStub ? "a world of Understudy" : "what passes a recorder"],
    profileReason: `Checked against ${summary.profile.ledger}, ${isStub ? "which the stub plays" : "as the recorder is told"}.`,
    probing: undefined,
    baseline: undefined,
  };
  const response = textResponse(200, "text/html; charset=UTF-8", renderHtml(report));
  return withHeaders(response, [["Content-Disposition", 'attachment; filename="understudy-verdict.html"']]);
}

function json(value: Json): Response {
  const response = textResponse(200, "application/json", formatJson(value));
  return withHeaders(response, [["Cache-Control", "no-store"]]);
}

function problem(status: number, error: string): Response {
  return textResponse(status, "application/json", formatJson({ error }));
}
