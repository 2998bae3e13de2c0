import { differencesBetween } from "../../checker/comparison/compare-responses.ts";
import { Correspondence } from "../../checker/comparison/correspondence.ts";
import type { Difference } from "../../checker/comparison/difference.ts";
import { idSpace, keyOf, type Name } from "../../checker/comparison/names.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import type { FailedResponse } from "../../foundation/http/failed-response.ts";
import type { Handler } from "../../foundation/http/handler.ts";
import { type HeaderList, headerValues } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import type { Response } from "../../foundation/http/response.ts";
import { jsonOf } from "../../foundation/json/json.ts";
import { routeOf } from "../../foundation/spec/route-of.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { isUserPseudonym, PseudonymReader } from "../redaction/pseudonym-reader.ts";
import { NameKinds } from "./name-kinds.ts";
import { NodeNames, namesGivenIn } from "./node-names.ts";
import { RecordedTokens } from "./recorded-tokens.ts";
import { pathAndQuery, ShapeReader } from "./request-shape.ts";
import { rewriteRequest } from "./rewrite-request.ts";
import { type Destination, destinationOf, isWrite } from "./sendable.ts";

/** A node that receives the requests of a recording; a handler is undefined if it does not serve that API. */
export interface Node {
  readonly handlers: Readonly<Record<Destination["api"], Handler | undefined>>;
  /** The node's names for recorded names that are known in advance. */
  readonly given: readonly (readonly [recorded: string, own: string])[];
}

export interface SendOptions {
  readonly spec: Spec;
  readonly nodes: readonly [first: Node, second?: Node];
  readonly areWritesAllowed: boolean;
  /** The token to send in place of a recorded one; undefined for none. */
  tokenFor(placeholder: string): string | undefined;
  /** Request headers that are sent as recorded, besides `Content-Type` and `Accept`. */
  readonly keptHeaders?: readonly string[];
  /** Whether a request with a missing name is sent with the recorded name: the nodes may know it from elsewhere. */
  readonly areDependentsSent?: boolean;
}

/** The result of a recorded request that was sent again. */
export type SentAgain = {
  /** Its number in the recording, from 1. */
  readonly number: number;
  readonly method: string;
  readonly target: string;
  /** The operation id; undefined if the spec has no such operation. */
  readonly operationId: string | undefined;
  /** Whether it overlapped with an earlier exchange in the recording. */
  readonly hasOverlapped: boolean;
} & (
  | { readonly type: "same" }
  | {
      readonly type: "different";
      /** The first differences; `oracle` is the recorded response, or that of the first node. */
      readonly differences: readonly Difference[];
      readonly request: Request;
      readonly api: Destination["api"];
      /** Earlier exchanges with the same names that were not sent, or had a different response. */
      readonly after: readonly number[];
    }
  | { readonly type: "not-sent"; readonly reason: string }
  | { readonly type: "not-compared"; readonly reason: string }
  | { readonly type: "dependent"; readonly on: readonly number[]; readonly names: readonly string[] }
);

const differencesMax = 100;
/** Limit of tracked names of requests that were not sent or had a different response. */
const touchedMax = 100_000;

/** A request to send, with its context. */
interface Sending {
  readonly number: number;
  readonly exchange: Exchange;
  readonly destination: Destination;
  readonly names: readonly Name[];
  /** The names that identify the subject of the request. */
  readonly subjects: readonly Name[];
  readonly isWrite: boolean;
}

/** Members whose names many requests share. */
const surroundings = /synchronizer|package|admin|actors/i;

type ResendOutcome = SentAgain extends infer Each
  ? Each extends SentAgain
    ? Omit<Each, keyof Heading>
    : never
  : never;
type Heading = Pick<SentAgain, "number" | "method" | "target" | "operationId" | "hasOverlapped">;

/** Sends recorded requests to one node or two. The requests of one world go through one sender, in recorded order. */
export class Sender {
  readonly #options: SendOptions;
  readonly #kinds: NameKinds;
  readonly #shapes: ShapeReader;
  readonly #tokens = new RecordedTokens();
  readonly #pseudonyms = new PseudonymReader();
  readonly #sides: readonly { readonly node: Node; readonly names: NodeNames }[];
  /** A one-to-one mapping between the names of the two nodes. */
  readonly #between = new Correspondence();
  readonly #touched = new Map<string, number>();
  #lastEndMs = Number.NEGATIVE_INFINITY;

  constructor(options: SendOptions) {
    this.#options = options;
    this.#kinds = new NameKinds(options.spec);
    this.#shapes = new ShapeReader(options.spec, this.#kinds);
    this.#sides = options.nodes.flatMap((node) =>
      node === undefined ? [] : [{ node, names: new NodeNames(node.given) }],
    );
  }

  async send(number: number, exchange: Exchange): Promise<SentAgain> {
    const { request } = exchange;
    const destination = destinationOf(this.#options.spec, request);
    const heading: Heading = {
      number,
      method: request.method,
      target: pathAndQuery(request.target),
      operationId: destination?.operationId,
      hasOverlapped: this.#hasOverlapped(exchange),
    };
    return { ...heading, ...(await this.#outcome(number, exchange, destination)) };
  }

  async #outcome(number: number, exchange: Exchange, destination: Destination | undefined): Promise<ResendOutcome> {
    const { request } = exchange;
    if (destination === undefined)
      return { type: "not-sent", reason: "it is not a request to the ledger or the registry" };
    const { leaves } = this.#shapes.read(request);
    const names = leaves.flatMap((leaf) => leaf.names);
    const subjects = leaves.filter(({ pointer }) => !surroundings.test(pointer)).flatMap((leaf) => leaf.names);
    const sending = { number, exchange, destination, names, subjects, isWrite: isWrite(request, destination) };
    const authorization = this.#authorizationFor(sending);
    const dependent = this.#dependence(names);
    const unmapped = this.#unmapped(names);
    const chosen = unmapped.length === 0 ? names : names.filter((name) => !this.#pseudonyms.isPseudonym(name.text));
    for (const side of this.#sides) side.names.bindOwn(chosen);
    for (const name of chosen) if (this.#sides.length > 1) this.#between.bindItself(keyOf(name));
    const unsent = dependent ?? this.#reasonNotSent(sending, authorization) ?? reasonNotMapped(unmapped);
    if (unsent !== undefined) {
      this.#touch(sending);
      this.#noteResponse(sending, false);
      return unsent;
    }
    return this.#compare(sending, await this.#responses(sending, authorization.headers));
  }

  #dependence(names: readonly Name[]): ResendOutcome | undefined {
    if (this.#options.areDependentsSent === true) return undefined;
    const missing = new Map(this.#sides.flatMap((side) => [...side.names.missing(names)]));
    if (missing.size === 0) return undefined;
    return { type: "dependent", on: [...new Set(missing.values())], names: [...missing.keys()] };
  }

  /** The pseudonyms among these names for which a node has no name. */
  #unmapped(names: readonly Name[]): readonly string[] {
    const isUnmapped = (name: Name) =>
      this.#sides.some((side) => !side.names.correspondence.isBound(keyOf(name))) &&
      this.#pseudonyms.isPseudonym(name.text);
    return names.flatMap((name, at) => {
      const before = names[at - 1];
      if (!isUnmapped(name)) return [];
      return [before?.space === idSpace ? `${before.text}::${name.text}` : name.text];
    });
  }

  #reasonNotSent({ destination, isWrite: writes }: Sending, { problem }: Authorization): ResendOutcome | undefined {
    const { api } = destination;
    if (this.#sides.some(({ node }) => node.handlers[api] === undefined))
      return { type: "not-sent", reason: `the target has no ${api === "control" ? "control API" : api}` };
    if (writes && !this.#options.areWritesAllowed) return { type: "not-sent", reason: "it may change the target" };
    return problem === undefined ? undefined : { type: "not-sent", reason: problem };
  }

  #authorizationFor({ exchange, isWrite: writes }: Sending): Authorization {
    const role = this.#tokens.roleOf(exchange.request);
    if (role === undefined) return { headers: [], problem: undefined };
    const status = exchange.response.type === "response" ? exchange.response.status : 0;
    if (writes && role.isRedacted && (status === 401 || status === 403))
      return { headers: [], problem: "it was refused, and the recording does not say with which token" };
    const token = this.#options.tokenFor(role.placeholder);
    if (token === undefined) return { headers: [], problem: `no token is given for ${role.placeholder}` };
    return { headers: [["Authorization", `Bearer ${token}`]], problem: undefined };
  }

  #responses(sending: Sending, authorization: HeaderList): Promise<readonly NodeExchange[]> {
    const { exchange, destination } = sending;
    const { headers, method, body } = exchange.request;
    const kept = ["Content-Type", "Accept", ...(this.#options.keptHeaders ?? [])].flatMap((name) => {
      const value = headerValues(headers, name)[0];
      return value === undefined ? [] : [[name, value] as const];
    });
    const request = { method, target: destination.target, body, headers: [...kept, ...authorization] };
    return Promise.all(
      this.#sides.map(async ({ node, names }) => {
        const renamed = rewriteRequest(request, {
          spec: this.#options.spec,
          kinds: this.#kinds,
          name: (part) => names.textOf(part),
          integer: (digits, path) => names.offsetOf(digits, path),
        });
        const handler = node.handlers[destination.api];
        if (handler === undefined) throw new Error("invariant: what no node serves is held back");
        return { request: renamed, response: await handler(renamed) };
      }),
    );
  }

  #compare(sending: Sending, responses: readonly NodeExchange[]): ResendOutcome {
    const { number, exchange, destination } = sending;
    const isControl = destination.api === "control";
    const isKept = isHeld(exchange.response);
    const step = { place: number, isControl, areIndependentNodes: true };
    const found = this.#sides.map(({ names }, at) => {
      const received = responses[at]?.response;
      return received === undefined || !isKept
        ? []
        : [...differencesBetween(exchange.response, received, step, names.correspondence)];
    });
    const [first, second] = responses;
    if (first === undefined) throw new Error("invariant: there is a node");
    const differences =
      second === undefined
        ? (found[0] ?? [])
        : [...differencesBetween(first.response, second.response, step, this.#between)];
    this.#noteResponse(sending, found.every((each) => each.length === 0) && isKept);
    const after = this.#touchedBefore(sending);
    if (differences.some(({ aspect }) => aspect === "status" || aspect === "response")) this.#touch(sending);
    if (second === undefined && !isKept)
      return { type: "not-compared", reason: "the recording does not contain its response" };
    if (differences.length === 0) return { type: "same" };
    return {
      type: "different",
      differences: differences.slice(0, differencesMax),
      request: (second ?? first).request,
      api: destination.api,
      after,
    };
  }

  #noteResponse({ number, exchange }: Sending, isSame: boolean): void {
    const { request, response } = exchange;
    const json = response.type === "response" ? jsonOf(response.body.text()) : undefined;
    if (response.type === "broken" || json === undefined || response.status >= 400) return;
    const operation = routeOf(this.#options.spec, request)?.operation;
    const given = namesGivenIn(json, this.#kinds.ofResponse(operation, response.status));
    for (const { names } of this.#sides) isSame ? names.accept(given) : names.note(given, number);
  }

  #touch({ number, subjects, isWrite: writes }: Sending): void {
    if (!writes) return;
    for (const name of subjects) {
      const key = keyOf(name);
      if (!this.#touched.has(key) && this.#touched.size < touchedMax) this.#touched.set(key, number);
    }
  }

  #touchedBefore({ subjects }: Sending): readonly number[] {
    return [...new Set(subjects.flatMap((name) => this.#touched.get(keyOf(name)) ?? []))];
  }

  #hasOverlapped({ startedAt, durationMs }: Exchange): boolean {
    const startMs = Date.parse(startedAt);
    const hasOverlapped = startMs < this.#lastEndMs;
    if (!Number.isNaN(startMs)) this.#lastEndMs = Math.max(this.#lastEndMs, startMs + durationMs);
    return hasOverlapped;
  }
}

function reasonNotMapped(unmapped: readonly string[]): ResendOutcome | undefined {
  const [first] = unmapped;
  if (first === undefined) return undefined;
  const ids = [...new Set(unmapped.filter((text) => !isMessage(text)))];
  const reason = unmapped.some(isMessage)
    ? "it contains a message in base64 with pseudonyms, which cannot be mapped"
    : `it has pseudonyms: ${ids.join(", ")}. Give the target's ids with --name ${first}=ID`;
  return { type: "not-sent", reason };
}

/** Whether a name is a message in base64, not an id. */
function isMessage(text: string): boolean {
  return !/^(?:[0-9a-f]+|.*::.*)$/.test(text) && !isUserPseudonym(text);
}

interface Authorization {
  readonly headers: HeaderList;
  /** Why the request cannot be sent. */
  readonly problem: string | undefined;
}

interface NodeExchange {
  readonly request: Request;
  readonly response: Response | FailedResponse;
}

/** Whether the recording contains the response, or how it failed. */
function isHeld(response: Response | FailedResponse): boolean {
  return response.type === "response" || (response.kind !== "unexplained" && response.kind !== "too-large");
}
