import { renderHtml } from "../../checker/reports/formats/html.ts";
import type { Report } from "../../checker/reports/report.ts";
import type { EventStream } from "../../foundation/http/event-stream.ts";
import type { Handler, ServedHandler } from "../../foundation/http/handler.ts";
import { jsonValueResponse } from "../../foundation/http/json-value-response.ts";
import type { Request } from "../../foundation/http/request.ts";
import { type Response, textResponse, withHeaders } from "../../foundation/http/response.ts";
import { formatJson, type Json } from "../../foundation/json/json.ts";
import { CountedLimits } from "../../foundation/limits/counted-limits.ts";
import { plainMask } from "../../foundation/secrets/mask.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { type ControlAccess, controlPrefix, guarded, notForPages } from "../control/access.ts";
import { problem } from "../control/control-problem.ts";
import type { components } from "../control/generated/control-types.ts";
import { stateAt } from "../hosting/state-at.ts";
import { stubSpec } from "../pipeline/stub.ts";
import { changesBetween } from "./changes.ts";
import { EventHub } from "./event-hub.ts";
import { InspectedWorld } from "./inspected-world.ts";
import { ledgerAccess, type MintLine } from "./ledger-access.ts";
import { baseUrlPage, type PageFiles, pageResponse } from "./page.ts";
import { ruleText } from "./rule-text.ts";
import type { InspectedTraffic, InspectionSource, Strictness } from "./source.ts";
import { isTableName, shownTable, tableNames } from "./tables.ts";
import { timelineJson } from "./timeline.ts";
import { exchangeJson, lineJson } from "./traffic.ts";

type Schemas = components["schemas"];

interface InspectionOptions {
  readonly source: InspectionSource;
  readonly access: ControlAccess;
  /** The files of the page; if empty, only the API is served. */
  readonly page: PageFiles;
  /** Whether the client is not checked by the client rules. Default: false. */
  readonly areClientRulesOff?: boolean;
  /** The base URL for clients. Default: the origin of the page. */
  readonly clientUrl?: string;
  /** Called for each example of a request, since virtual time moves. */
  readonly mint?: (() => MintLine | undefined) | undefined;
  /** Limits the number of open event streams. */
  readonly limits?: CountedLimits | undefined;
  /** Runs a function after a delay in milliseconds. */
  readonly later: (run: () => void, ms: number) => void;
  /** Handles all other requests. */
  readonly inner: Handler;
}

/** Serves the inspector and its API (`contracts/control.yaml`, tag inspection). */
export class Inspection {
  readonly #options: InspectionOptions;
  readonly #limits: CountedLimits;
  #loadedSpec: Spec | undefined;
  readonly #worlds = new Map<string, InspectedWorld>();
  readonly #revisions = new Map<string, number>();
  readonly #hub: EventHub;
  readonly #stop: () => void;
  readonly #createdMs: number;
  /** Serves requests of the inspector; passes all others to `inner`. */
  readonly handler: ServedHandler;

  constructor(options: InspectionOptions) {
    this.#options = options;
    this.#limits = options.limits ?? new CountedLimits();
    this.#createdMs = options.source.wallNowMs();
    this.handler = guarded(
      options.access,
      (request) => this.#handle(request),
      (request, context) => baseUrlPage(request, options.page) ?? options.inner(request, context),
    );
    this.#hub = new EventHub(() => formatJson(this.#status()), options.later);
    this.#limits.watch("eventStreamsMax", () => this.#hub.size);
    this.#stop = options.source.observe((id) => {
      this.#revisions.set(id, (this.#revisions.get(id) ?? 0) + 1);
      if (!options.source.worlds.has(id)) this.#forget(id);
      this.#hub.changed();
    });
  }

  /** Loaded on first use. */
  get #spec(): Spec {
    const { wholeSpec, profile } = this.#options.source;
    this.#loadedSpec ??= wholeSpec ?? stubSpec(profile, { hasAdditionalOperations: true });
    return this.#loadedSpec;
  }

  /** Ends all event streams. Pages then reconnect, to this server or its successor. */
  close(): void {
    this.#stop();
    this.#hub.close();
  }

  #handle(request: Request): ReturnType<ServedHandler> {
    const found = this.#response(request);
    return found === undefined ? this.#options.inner(request) : found();
  }

  /** Undefined if the request is not for the inspector. */
  #response({ method, target }: Request): (() => Response | EventStream | Promise<Response>) | undefined {
    const [path = "", search = ""] = target.slice(controlPrefix.length).split("?");
    if (method !== "GET") return undefined;
    if (path === "/events") return () => this.#events();
    const page = pageResponse(path, this.#options.page);
    if (page !== undefined) return () => page;
    const [, root, id = "", view = "", part = "", ...rest] = path.split("/");
    if (root === "rules" && path === `/rules/${id}`) return () => ruleResponse(id);
    if (root !== "worlds" || rest.length > 0 || !views.includes(view)) return undefined;
    const query = new URLSearchParams(search);
    return () => {
      const { kept } = this.#options.source;
      const isHere = kept === undefined || this.#options.source.worlds.has(id);
      return isHere
        ? this.#viewOf(id, view, part, query)
        : kept.take(id).then(() => this.#viewOf(id, view, part, query));
    };
  }

  #viewOf(id: string, view: string, part: string, query: URLSearchParams): Response {
    const world = this.#world(id);
    const response =
      world === undefined
        ? problem(404, `There is no world ${JSON.stringify(id)} here. GET /__understudy/worlds lists all worlds.`)
        : this.#view(world, view, part, query);
    return withHeaders(response, notForPages);
  }

  #view(world: InspectedWorld, view: string, part: string, query: URLSearchParams): Response {
    switch (view) {
      case "traffic":
        return part === "" ? this.#traffic(world, query) : this.#exchange(world, part);
      case "tables":
        return tableResponse(world, part, query);
      case "access":
        return this.#access(world);
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
      return problem(
        400,
        `"after" or "limit" is not valid. Use an exchange number from 0 for "after", and 1 to ${linesMax} for "limit".`,
      );
    const { journal } = world.traffic;
    return json<Schemas["Traffic"]>({
      first: journal.first,
      last: journal.last,
      epoch: this.#epochOf(journal),
      lines: world
        .after(after, limit)
        .map((record) => lineJson(record, world.resultsOf(record.number), world.traffic.world)),
    });
  }

  #timeline({ traffic: { world, journal } }: InspectedWorld): Response {
    if (world === undefined) return problem(404, worldUnknown);
    return json(timelineJson(world, journal, this.#operations()));
  }

  #access({ traffic: { world } }: InspectedWorld): Response {
    const { source, mint } = this.#options;
    if (world === undefined || source.auth === undefined) return problem(404, worldUnknown);
    const access = ledgerAccess(source.auth, world.state.ledger, mint?.());
    return json<Schemas["LedgerAccess"]>(access ?? { before: [], header: null });
  }

  #exchange(world: InspectedWorld, part: string): Response {
    const number = wholeNumber(part, 1);
    const record = number === undefined ? undefined : world.record(number);
    if (number === undefined || record === undefined)
      return problem(
        404,
        `There is no exchange ${part}, or the journal has dropped it. GET /__understudy/worlds/{world}/journal shows those that it has.`,
      );
    return json(exchangeJson(record, world.resultsOf(number), { spec: this.#spec, world: world.traffic.world }));
  }

  /** The operations of the spec, then the additional ones. */
  #operations(): string[] {
    const { operations } = this.#spec;
    return [false, true].flatMap((isAdditional) =>
      operations
        .filter((each) => each.isAdditional === isAdditional)
        .map(({ operationId }) => operationId)
        .sort(),
    );
  }

  get #strictness(): Strictness {
    return this.#options.source.strictness ?? { level: "release", areAdditionalOperationsChecked: true };
  }

  #world(id: string): InspectedWorld | undefined {
    const hosted = this.#options.source.worlds.get(id);
    if (hosted === undefined) return undefined;
    hosted.world?.elapse();
    const known = this.#worlds.get(id);
    if (known?.traffic === hosted) return known;
    const { areClientRulesOff = false } = this.#options;
    const world = new InspectedWorld(hosted, { spec: this.#spec, strictness: this.#strictness, areClientRulesOff });
    this.#worlds.set(id, world);
    return world;
  }

  #forget(id: string): void {
    this.#worlds.delete(id);
    this.#revisions.delete(id);
  }

  #status(): Schemas["WorldStatuses"] {
    const statusOf = ([id, { journal, world }]: readonly [string, InspectedTraffic]): Schemas["WorldStatus"] => ({
      id,
      last: journal.last,
      revision: this.#revisions.get(id) ?? 0,
      epoch: this.#epochOf(journal),
      hasState: world !== undefined,
      now: world === undefined ? null : new Date(world.elapse().nowMs).toISOString(),
      clockSpeed: world?.clockMode.type === "running" ? world.clockMode.speed : 0,
    });
    const { source, clientUrl = null } = this.#options;
    const { worlds, profile, auth = null } = source;
    return { worlds: [...worlds].map(statusOf), profile, auth, clientUrl };
  }

  /** Epochs of different inspections differ, so a page notices a reloaded scenario. */
  #epochOf({ epoch }: InspectedTraffic["journal"]): number {
    return this.#createdMs + epoch;
  }

  #events(): Response | EventStream {
    if (this.#hub.size >= this.#limits.values.eventStreamsMax) {
      this.#limits.exceed("eventStreamsMax");
      return problem(
        503,
        `The limit of event streams is reached, ${this.#limits.shown("eventStreamsMax")}. Close some pages of the inspector.`,
      );
    }
    return {
      type: "events",
      headers: [["Content-Type", "text/event-stream"], ...notForPages],
      open: (listener) => this.#hub.listen(listener),
    };
  }
}

const worldUnknown =
  "Recorded traffic has no world state. Only the worlds of a stub have access, tables and a timeline.";

const views: readonly string[] = ["access", "traffic", "tables", "timeline", "verdict", "report"];

/** Maximum number of exchanges in one response. */
const linesMax = 10_000;

const rowsMax = 1000;

function tableResponse(world: InspectedWorld, name: string, query: URLSearchParams): Response {
  if (!isTableName(name))
    return problem(404, `There is no table ${JSON.stringify(name)}. Tables: ${tableNames.join(", ")}.`);
  const limit = wholeNumber(query.get("limit") ?? "200", 1);
  const at = query.has("at") ? wholeNumber(query.get("at") ?? "", 0) : "now";
  if (limit === undefined || limit > rowsMax || at === undefined)
    return problem(
      400,
      `"limit" or "at" is not valid. Use 1 to ${rowsMax} for "limit", and an exchange number from 0 for "at".`,
    );
  if (world.traffic.world === undefined) return problem(404, worldUnknown);
  const state = at === "now" ? world.traffic.world.state : stateAt(world.traffic, at);
  if (state === undefined)
    return problem(404, `There is no state after exchange ${at}: the journal has dropped it, or it never existed.`);
  const context = at === "now" || at === 0 ? undefined : world.record(at)?.context;
  const changed = context === undefined ? [] : changesBetween(context.before, context.after);
  const changedIds = new Set(changed.flatMap(({ table, id }) => (table === name ? [id] : [])));
  const [after, search] = [query.get("after") ?? "", (query.get("search") ?? "").toLowerCase()];
  const { columns, rowsFrom } = shownTable(state, name);
  const rows: Schemas["TablePage"]["rows"] = [];
  for (const { id, cells } of rowsFrom(after)) {
    if (id === after || (search !== "" && !cells.some((cell) => cell.toLowerCase().includes(search)))) continue;
    if (rows.length === limit) return json<Schemas["TablePage"]>({ columns, rows, next: rows.at(-1)?.id ?? null });
    // A row may hold client text with secrets, such as an annotation of a user.
    rows.push({ id, cells: cells.map(plainMask), isChanged: changedIds.has(id) });
  }
  return json<Schemas["TablePage"]>({ columns, rows, next: null });
}

function ruleResponse(id: string): Response {
  const paragraphs = ruleText(id);
  if (paragraphs === undefined) return problem(404, `There is no rule ${JSON.stringify(id)}.`);
  return withHeaders(json<Schemas["RuleText"]>({ id, paragraphs }), notForPages);
}

/** Parses a whole number of at least `min`; undefined for other text. */
function wholeNumber(text: string, min: number): number | undefined {
  return /^\d{1,15}$/.test(text) && Number(text) >= min ? Number(text) : undefined;
}

function verdictJson(world: InspectedWorld): Schemas["WorldVerdict"] {
  const { profile, passed, known, warned, failed, unsupported, matrix, violations, knownDivergences } = world.summary();
  return {
    profile,
    passed,
    known,
    warned,
    failed,
    planned: world.planned(),
    unsupported,
    matrix: [...matrix],
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
    knownDivergences: knownDivergences.map(({ id, title }) => ({ id, title })),
    clientFindings: [...world.clientFindings()],
  };
}

function reportResponse(world: InspectedWorld, { level }: Strictness): Response {
  const summary = world.summary();
  const isStub = world.traffic.world !== undefined;
  const report: Report = {
    summary,
    isStrict: level === "spec",
    sources: [isStub ? "a world of Understudy" : "the traffic of a recorder"],
    profileReason: `Checked against ${summary.profile.ledger}, ${isStub ? "the profile of the stub" : "the profile of the recorder"}.`,
    probing: undefined,
    baseline: undefined,
  };
  const response = textResponse(200, "text/html; charset=UTF-8", renderHtml(report));
  return withHeaders(response, [["Content-Disposition", 'attachment; filename="understudy-verdict.html"']]);
}

function json<Body extends Json>(value: Body): Response {
  return jsonValueResponse(200, value);
}
