import type { Broken } from "../../foundation/http/failed-response.ts";
import type { Handler } from "../../foundation/http/handler.ts";
import type { Request } from "../../foundation/http/request.ts";
import { type Response, textResponse, withHeaders } from "../../foundation/http/response.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { liveAnswer } from "./live-response.ts";
import { type Candidate, LooseMatch, TokenPairs } from "./loose-match.ts";
import { NameKinds } from "./name-kinds.ts";
import { type NamePair, NamePairs } from "./name-pairs.ts";
import { differenceLine, type NearMiss, nearestTo, nearMissLines, type ShapeDifference } from "./nearest.ts";
import { playable } from "./playable.ts";
import type { RecordingIndex } from "./recording-index.ts";
import { type ReadPlace, type RecordedAgain, readAgain } from "./recording-source.ts";
import type { Replayed, ReplaySummary } from "./replay-events.ts";
import { type RequestShape, routeOf, ShapeReader } from "./request-shape.ts";
import { rewriteRequest } from "./rewrite-request.ts";
import { strictDifference } from "./strict-match.ts";

export interface ReplaySettings {
  /** What the recording is called in errors. */
  readonly name: string;
  readonly index: RecordingIndex;
  readonly read: ReadPlace;
  readonly spec: Spec;
  /** `strict`: the next exchange of the recording, to the letter; `loose`: in any order, up to names. */
  readonly match: "strict" | "loose";
  /** Answers what the recording does not hold; it is asked all else too, in the names of the recording. */
  readonly continueWith: Handler | undefined;
  /** Waits as long as the recorded answer took. */
  readonly wait: ((durationMs: number) => Promise<void>) | undefined;
  /** Told what became of each request. */
  readonly onReplayed: (replayed: Replayed) => void;
}

/** What was found for a request. */
type Found =
  | {
      readonly type: "found";
      readonly candidate: Candidate;
      readonly recorded: RecordedAgain;
      readonly answer: Response | Broken;
    }
  | { readonly type: "missing"; readonly reason: string; readonly nearest: readonly NearMiss[] };

/** Answers requests from a recording: each exchange once, then the last that fits again. Nothing is made up. */
export class Replayer {
  readonly handler: Handler;
  readonly #settings: ReplaySettings;
  readonly #kinds: NameKinds;
  readonly #shapes: ShapeReader;
  readonly #names = new NamePairs();
  readonly #tokens = new TokenPairs();
  readonly #loose: LooseMatch;
  readonly #order: Uint32Array;
  #next = 0;
  /** Matching is one request after the other. */
  #last: Promise<unknown> = Promise.resolve();
  readonly #counts = { matched: 0, again: 0, continued: 0, unmatched: 0 };

  constructor(settings: ReplaySettings) {
    this.#settings = settings;
    this.#kinds = new NameKinds(settings.spec);
    this.#shapes = new ShapeReader(settings.spec, this.#kinds);
    this.#loose = new LooseMatch(settings.index, this.#names, this.#tokens);
    this.#order = settings.match === "strict" ? settings.index.byStart() : new Uint32Array();
    this.handler = (request) => this.#handle(request);
  }

  get summary(): ReplaySummary {
    return { ...this.#counts, neverAsked: this.#settings.index.size - this.#counts.matched };
  }

  /** The first of the recorded exchanges that nobody asked for. */
  async neverAsked(
    most: number,
  ): Promise<readonly { readonly number: number; readonly method: string; readonly target: string }[]> {
    const { index } = this.#settings;
    const found = [];
    for (let entry = 0; entry < index.size && found.length < most; entry += 1) {
      if (this.#loose.isUsed(entry)) continue;
      const { shape } = await this.#read(entry);
      found.push({ number: index.number(entry), method: shape.method, target: shape.target });
    }
    return found;
  }

  async #handle(request: Request): Promise<Response | Broken> {
    const shape = this.#shapes.read(request);
    const found = await this.#inTurn(async () => this.#followed(request, await this.#find(request, shape)));
    if (found.type === "missing") return this.#withoutMatch(request, shape, found);
    const { candidate, recorded, answer } = found;
    this.#tell(shape, candidate.isAgain ? "again" : "matched", answer, this.#settings.index.number(candidate.entry));
    await this.#settings.wait?.(recorded.exchange.durationMs);
    return answer;
  }

  /** Whoever goes on is asked what the recording answers too, so that its state is the one that the client has come to. */
  async #followed(request: Request, found: Found): Promise<Found> {
    if (found.type === "found" && !found.candidate.isAgain)
      await this.#settings.continueWith?.(this.#inRecordedNames(request));
    return found;
  }

  #inTurn<Value>(task: () => Promise<Value>): Promise<Value> {
    const turn = this.#last.then(task);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #find(request: Request, shape: RequestShape): Promise<Found> {
    const matched =
      this.#settings.match === "strict" ? await this.#findNext(request, shape) : await this.#findLoose(shape);
    if (matched.type === "missing") return matched;
    const { candidate, recorded } = matched;
    const played = playable(recorded.exchange.answer);
    const number = this.#settings.index.number(candidate.entry);
    if (played.type === "unplayable")
      return { type: "missing", reason: `exchange ${number} matches, and ${played.reason}`, nearest: [] };
    this.#loose.use(candidate.entry);
    this.#tokens.bind(recorded.shape.token, shape.token);
    const answer = this.#settings.match === "strict" ? played.answer : this.#asLive(played.answer, recorded.shape);
    return { type: "found", candidate, recorded, answer };
  }

  #asLive(answer: Response | Broken, shape: RequestShape): Response | Broken {
    if (answer.type === "broken") return answer;
    const operation = routeOf(this.#settings.spec, shape.method, shape.target)?.operation;
    return liveAnswer(answer, this.#kinds.ofAnswer(operation, answer.status), this.#names);
  }

  async #findLoose(shape: RequestShape): Promise<Matched> {
    const refused = new Set<number>();
    for (;;) {
      const candidate = this.#loose.find(shape, refused);
      if (candidate === undefined) return this.#missing(shape, "no recorded request is like it");
      const recorded = await this.#read(candidate.entry);
      const pairs = pairsOf(recorded.shape, shape);
      if (pairs !== undefined && this.#names.canBind(pairs)) {
        this.#names.bind(pairs);
        return { type: "matched", candidate, recorded };
      }
      refused.add(candidate.entry);
    }
  }

  async #findNext(request: Request, shape: RequestShape): Promise<Matched> {
    const entry = this.#order[this.#next];
    if (entry === undefined) return this.#missing(shape, "the recording has ended");
    const recorded = await this.#read(entry);
    const differing = strictDifference(recorded.exchange.request, request);
    const number = this.#settings.index.number(entry);
    if (differing !== undefined)
      return {
        type: "missing",
        reason: `exchange ${number}, ${recorded.shape.method} ${recorded.shape.target}, is next, and its ${differing} is another`,
        nearest: await this.#nearest(shape),
      };
    this.#next += 1;
    return { type: "matched", candidate: { entry, isAgain: false }, recorded };
  }

  async #missing(shape: RequestShape, reason: string): Promise<Matched> {
    return { type: "missing", reason, nearest: await this.#nearest(shape) };
  }

  #nearest(shape: RequestShape): Promise<readonly NearMiss[]> {
    return nearestTo(shape, {
      index: this.#settings.index,
      names: this.#names,
      isUsed: (entry) => this.#loose.isUsed(entry),
      read: (entry) => this.#read(entry),
    });
  }

  #read(entry: number): Promise<RecordedAgain> {
    return readAgain(entry, { ...this.#settings, shapes: this.#shapes });
  }

  async #withoutMatch(
    request: Request,
    shape: RequestShape,
    { reason, nearest }: Extract<Found, { readonly type: "missing" }>,
  ): Promise<Response | Broken> {
    const { continueWith, name } = this.#settings;
    if (continueWith !== undefined) {
      const answer = await this.#continued(continueWith, request, shape);
      this.#tell(shape, "continued", answer, undefined, { reason, nearest });
      return answer;
    }
    const refusal = unmatched({ name, shape, reason, nearest });
    this.#tell(shape, "unmatched", refusal, undefined, { reason, nearest });
    return refusal;
  }

  async #continued(handler: Handler, request: Request, shape: RequestShape): Promise<Response | Broken> {
    const answer = await handler(this.#inRecordedNames(request));
    return this.#settings.match === "strict" ? answer : this.#asLive(answer, shape);
  }

  /** Whoever goes on knows the names of the recording. */
  #inRecordedNames(request: Request): Request {
    if (this.#settings.match === "strict") return request;
    const { spec } = this.#settings;
    return rewriteRequest(request, {
      spec,
      kinds: this.#kinds,
      name: (part) => this.#names.recordedText(part),
      integer: (digits) => digits,
    });
  }

  #tell(
    { method, target }: RequestShape,
    outcome: Replayed["outcome"],
    answer: Response | Broken,
    number: number | undefined,
    { reason, nearest }: { readonly reason: string | undefined; readonly nearest: readonly NearMiss[] } = {
      reason: undefined,
      nearest: [],
    },
  ): void {
    this.#counts[outcome] += 1;
    const status = answer.type === "response" ? answer.status : undefined;
    this.#settings.onReplayed({ outcome, method, target, status, number, reason, nearest });
  }
}

type Matched =
  | { readonly type: "matched"; readonly candidate: Candidate; readonly recorded: RecordedAgain }
  | { readonly type: "missing"; readonly reason: string; readonly nearest: readonly NearMiss[] };

/** The names of two requests of one shape, each with the one in its place; undefined where one has more. */
function pairsOf(recorded: RequestShape, live: RequestShape): readonly NamePair[] | undefined {
  const [left, right] = [recorded, live].map(({ leaves }) => leaves.flatMap(({ names }) => names));
  if (left === undefined || right === undefined || left.length !== right.length) return undefined;
  return left.flatMap((name, at) => {
    const other = right[at];
    return other === undefined || other.space !== name.space ? [] : [[name, other] as const];
  });
}

interface Refused {
  readonly name: string;
  readonly shape: RequestShape;
  readonly reason: string;
  readonly nearest: readonly NearMiss[];
}

/** Loud, as a call that a scenario does not plan: no client takes it for an answer of the node. */
function unmatched({ name, shape, reason, nearest }: Refused): Response {
  const lines = [
    `Understudy: ${name} holds no answer to ${shape.method} ${shape.target}: ${reason}.`,
    ...(nearest.length === 0 ? [] : ["Nearest:", ...nearest.flatMap(nearMissLines).map((line) => `  ${line}`)]),
  ];
  const response = textResponse(501, "text/plain; charset=UTF-8", `${lines.join("\n")}\n`);
  return withHeaders(response, [["Understudy-Reason", reasonLine(reason, nearest)]]);
}

/** What fits into a header: one line of printable ASCII. */
function reasonLine(reason: string, [first]: readonly NearMiss[]): string {
  const [difference]: readonly (ShapeDifference | undefined)[] = first?.differences ?? [];
  const how = difference === undefined ? "" : `, ${differenceLine(difference)}`;
  const nearest =
    first === undefined ? "" : `; nearest is exchange ${first.number}, ${first.method} ${first.target}${how}`;
  const line = `${reason}${nearest}`.replaceAll(/[^\x20-\x7e]/g, "?");
  return line.length > reasonLengthMax ? `${line.slice(0, reasonLengthMax - 3)}...` : line;
}

const reasonLengthMax = 500;
