import type { FailedResponse } from "../../foundation/http/failed-response.ts";
import type { Handler } from "../../foundation/http/handler.ts";
import type { Request } from "../../foundation/http/request.ts";
import { type Response, textResponse } from "../../foundation/http/response.ts";
import { withReason } from "../../foundation/http/with-reason.ts";
import { routeOf } from "../../foundation/spec/route-of.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import type { AttachedFiles } from "../har/attached-files.ts";
import { liveResponse } from "./live-response.ts";
import { type Candidate, LooseMatch, TokenPairs } from "./loose-match.ts";
import { NameKinds } from "./name-kinds.ts";
import { type NamePair, NamePairs } from "./name-pairs.ts";
import {
  differenceLine,
  isOnlyRedacted,
  type NearMiss,
  nearestTo,
  nearMissLines,
  type ShapeDifference,
} from "./nearest.ts";
import { playable } from "./playable.ts";
import type { RecordingIndex } from "./recording-index.ts";
import { type ReadPlace, type RecordedAgain, readAgain } from "./recording-source.ts";
import type { Replayed, ReplaySummary } from "./replay-events.ts";
import { type RequestShape, ShapeReader } from "./request-shape.ts";
import { rewriteRequest } from "./rewrite-request.ts";
import { strictDifference } from "./strict-match.ts";

export interface ReplayerOptions {
  /** Name of the recording in errors. */
  readonly name: string;
  readonly index: RecordingIndex;
  readonly read: ReadPlace;
  /** The files beside the recording. */
  readonly attached?: AttachedFiles;
  readonly spec: Spec;
  /** `strict`: the next exchange of the recording, exactly; `loose`: in any order, with other names. */
  readonly match: "strict" | "loose";
  /** Responds to requests that the recording lacks. It also receives all other requests, with recorded names. */
  readonly continueWith: Handler | undefined;
  /** Waits for the duration of the recorded response. */
  readonly wait: ((durationMs: number) => Promise<void>) | undefined;
  /** Called with the result of each request. */
  readonly onReplayed: (replayed: Replayed) => void;
}

/** The lookup result for a request. */
type LookupResult =
  | {
      readonly type: "found";
      readonly candidate: Candidate;
      readonly recorded: RecordedAgain;
      readonly response: Response | FailedResponse;
    }
  | Missing;

/** Why the recording has no response to a request, and what the user can do. */
interface Missing {
  readonly type: "missing";
  readonly reason: string;
  readonly nearest: readonly NearMiss[];
  readonly advice: string;
}

/** Responds to requests from a recording: each exchange once, then the last match again. It generates no responses. */
export class Replayer {
  readonly handler: Handler;
  readonly #options: ReplayerOptions;
  readonly #kinds: NameKinds;
  readonly #shapes: ShapeReader;
  readonly #names = new NamePairs();
  readonly #tokens = new TokenPairs();
  readonly #loose: LooseMatch;
  readonly #order: Uint32Array;
  #next = 0;
  /** Requests are matched one at a time. */
  #last: Promise<unknown> = Promise.resolve();
  readonly #counts = { matched: 0, repeated: 0, continued: 0, unmatched: 0 };

  constructor(options: ReplayerOptions) {
    this.#options = options;
    this.#kinds = new NameKinds(options.spec);
    this.#shapes = new ShapeReader(options.spec, this.#kinds);
    this.#loose = new LooseMatch(options.index, this.#names, this.#tokens);
    this.#order = options.match === "strict" ? options.index.byStart() : new Uint32Array();
    this.handler = (request) => this.#handle(request);
  }

  get summary(): ReplaySummary {
    return { ...this.#counts, neverRequested: this.#options.index.size - this.#counts.matched };
  }

  /** The first recorded exchanges that were not requested, up to `most`. */
  async neverRequested(
    most: number,
  ): Promise<readonly { readonly number: number; readonly method: string; readonly target: string }[]> {
    const { index } = this.#options;
    const found = [];
    for (let entry = 0; entry < index.size && found.length < most; entry += 1) {
      if (this.#loose.isUsed(entry)) continue;
      const { shape } = await this.#read(entry);
      found.push({ number: index.number(entry), method: shape.method, target: shape.target });
    }
    return found;
  }

  async #handle(request: Request): Promise<Response | FailedResponse> {
    const shape = this.#shapes.read(request);
    const found = await this.#enqueue(async () => this.#forwarded(request, await this.#find(request, shape)));
    if (found.type === "missing") return this.#withoutMatch(request, shape, found);
    const { candidate, recorded, response: received } = found;
    this.#report(
      shape,
      candidate.isRepeated ? "repeated" : "matched",
      received,
      this.#options.index.number(candidate.entry),
    );
    await this.#options.wait?.(recorded.exchange.durationMs);
    return received;
  }

  /** Forwards a matched request to `continueWith`, so that its state follows the recording. */
  async #forwarded(request: Request, found: LookupResult): Promise<LookupResult> {
    if (found.type === "found" && !found.candidate.isRepeated)
      await this.#options.continueWith?.(this.#inRecordedNames(request));
    return found;
  }

  #enqueue<Value>(task: () => Promise<Value>): Promise<Value> {
    const turn = this.#last.then(task);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #find(request: Request, shape: RequestShape): Promise<LookupResult> {
    const matched = await this.#match(request, shape);
    if (matched.type === "matched") this.#next += 1;
    const found = this.#played(matched);
    if (found.type === "found") this.#loose.use(found.candidate.entry);
    if (found.type === "found" || request.method !== "HEAD") return found;
    return this.#findForHead({ ...request, method: "GET" });
  }

  /** Responds to HEAD like the recorded GET, which remains for a client that requests it. */
  async #findForHead(request: Request): Promise<LookupResult> {
    const found = this.#played(await this.#match(request, this.#shapes.read(request)));
    return found.type === "missing" ? found : { ...found, candidate: { ...found.candidate, isRepeated: true } };
  }

  #match(request: Request, shape: RequestShape): Promise<MatchResult> {
    return this.#options.match === "strict" ? this.#matchNext(request, shape) : this.#matchLoose(shape);
  }

  /** The recorded response of a match, in the client's names. */
  #played(matched: MatchResult): LookupResult {
    if (matched.type === "missing") return matched;
    const { candidate, recorded, pairs, token } = matched;
    const played = playable(recorded.exchange.response);
    const number = this.#options.index.number(candidate.entry);
    if (played.type === "unplayable")
      return {
        type: "missing",
        reason: `exchange ${number} matches, but ${played.reason}`,
        nearest: [],
        advice: record,
      };
    this.#names.bind(pairs);
    this.#tokens.bind(recorded.shape.token, token);
    const received = this.#options.match === "strict" ? played.response : this.#asLive(played.response, recorded.shape);
    return { type: "found", candidate, recorded, response: received };
  }

  #asLive(received: Response | FailedResponse, shape: RequestShape): Response | FailedResponse {
    if (received.type === "broken") return received;
    const operation = routeOf(this.#options.spec, shape)?.operation;
    return liveResponse(received, this.#kinds.ofResponse(operation, received.status), this.#names);
  }

  async #matchLoose(shape: RequestShape): Promise<MatchResult> {
    const matched = await this.#looseMatch(shape);
    if (matched !== undefined) return matched;
    const nearest = await this.#nearest(shape);
    const advice = isOnlyRedacted(nearest, this.#names) ? keepIds : record;
    return { type: "missing", reason: "no recorded request matches", nearest, advice };
  }

  async #looseMatch(shape: RequestShape): Promise<Match | undefined> {
    const refused = new Set<number>();
    for (;;) {
      const candidate = this.#loose.find(shape, refused);
      if (candidate === undefined) return undefined;
      const recorded = await this.#read(candidate.entry);
      const pairs = pairsOf(recorded.shape, shape);
      if (pairs !== undefined && this.#names.canBind(pairs))
        return { type: "matched", candidate, recorded, pairs, token: shape.token };
      refused.add(candidate.entry);
    }
  }

  async #matchNext(request: Request, shape: RequestShape): Promise<MatchResult> {
    const entry = this.#order[this.#next];
    if (entry === undefined) return this.#notNext(shape, "the recording has ended");
    const recorded = await this.#read(entry);
    const differing = strictDifference(recorded.exchange.request, request);
    const number = this.#options.index.number(entry);
    if (differing !== undefined)
      return this.#notNext(
        shape,
        `exchange ${number}, ${recorded.shape.method} ${recorded.shape.target}, is next, and its ${differing} differs`,
      );
    return { type: "matched", candidate: { entry, isRepeated: false }, recorded, pairs: [], token: shape.token };
  }

  async #notNext(shape: RequestShape, reason: string): Promise<MatchResult> {
    const matched = await this.#looseMatch(shape);
    const advice =
      matched === undefined
        ? record
        : `${matchLoose} (exchange ${this.#options.index.number(matched.candidate.entry)})`;
    return { type: "missing", reason, nearest: await this.#nearest(shape), advice };
  }

  #nearest(shape: RequestShape): Promise<readonly NearMiss[]> {
    return nearestTo(shape, {
      index: this.#options.index,
      names: this.#names,
      isUsed: (entry) => this.#loose.isUsed(entry),
      read: (entry) => this.#read(entry),
    });
  }

  #read(entry: number): Promise<RecordedAgain> {
    return readAgain(entry, { ...this.#options, shapes: this.#shapes });
  }

  async #withoutMatch(
    request: Request,
    shape: RequestShape,
    { reason, nearest, advice }: Missing,
  ): Promise<Response | FailedResponse> {
    const { continueWith, name } = this.#options;
    if (continueWith !== undefined) {
      const received = await this.#continued(continueWith, request, shape);
      this.#report(shape, "continued", received, undefined, { reason, nearest });
      return received;
    }
    const refusal = unmatched({ name, shape, reason, nearest, advice });
    this.#report(shape, "unmatched", refusal, undefined, { reason, nearest });
    return refusal;
  }

  async #continued(handler: Handler, request: Request, shape: RequestShape): Promise<Response | FailedResponse> {
    const received = await handler(this.#inRecordedNames(request));
    return this.#options.match === "strict" ? received : this.#asLive(received, shape);
  }

  /** The request with recorded names, which `continueWith` knows. */
  #inRecordedNames(request: Request): Request {
    if (this.#options.match === "strict") return request;
    const { spec } = this.#options;
    return rewriteRequest(request, {
      spec,
      kinds: this.#kinds,
      name: (part) => this.#names.recordedText(part),
    });
  }

  #report(
    { method, target }: RequestShape,
    outcome: Replayed["outcome"],
    received: Response | FailedResponse,
    number: number | undefined,
    { reason, nearest = [] }: { readonly reason?: string; readonly nearest?: readonly NearMiss[] } = {},
  ): void {
    this.#counts[outcome] += 1;
    const status = received.type === "response" ? received.status : undefined;
    this.#options.onReplayed({ outcome, method, target, status, number, reason, nearest });
  }
}

interface Match {
  readonly type: "matched";
  readonly candidate: Candidate;
  readonly recorded: RecordedAgain;
  readonly pairs: readonly NamePair[];
  /** Hash of the client's token. */
  readonly token: number;
}

type MatchResult = Match | Missing;

const record = "Record this request too, or serve it from a stub: --continue-with stub";
const keepIds =
  "Only ids that redaction replaced differ. Record with --keep-ids, so that they are compared as they are.";
const matchLoose = "With --match loose, order and ids may differ, and this request has a match";

/** Pairs the names of two requests of the same shape; undefined if their numbers differ. */
function pairsOf(recorded: RequestShape, live: RequestShape): readonly NamePair[] | undefined {
  const [left, right] = [recorded, live].map(({ leaves }) => leaves.flatMap(({ names }) => names));
  if (left === undefined || right === undefined || left.length !== right.length) return undefined;
  return left.flatMap((name, at) => {
    const other = right[at];
    return other === undefined ? [] : [[name, other] as const];
  });
}

interface Mismatch extends Omit<Missing, "type"> {
  readonly name: string;
  readonly shape: RequestShape;
}

/** A 501 response with the reason, in its body and in the header Understudy-Reason. */
function unmatched({ name, shape, reason, nearest, advice }: Mismatch): Response {
  const lines = [
    `Understudy: ${name} has no response to ${shape.method} ${shape.target}: ${reason}.`,
    ...(nearest.length === 0 ? [] : ["Nearest:", ...nearest.flatMap(nearMissLines).map((line) => `  ${line}`)]),
    advice,
  ];
  const response = textResponse(501, "text/plain; charset=UTF-8", `${lines.join("\n")}\n`);
  return withReason(response, reasonLine(reason, nearest));
}

function reasonLine(reason: string, [first]: readonly NearMiss[]): string {
  const [difference]: readonly (ShapeDifference | undefined)[] = first?.differences ?? [];
  const how = difference === undefined ? "" : `, ${differenceLine(difference)}`;
  const nearest =
    first === undefined ? "" : `; nearest is exchange ${first.number}, ${first.method} ${first.target}${how}`;
  return `${reason}${nearest}`;
}
