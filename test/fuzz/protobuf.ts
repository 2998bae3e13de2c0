import { Body, emptyBody } from "../../src/foundation/http/body.ts";
import { formatJson, isJsonObject, type Json, jsonOf } from "../../src/foundation/json/json.ts";
import { decodeCreatedEventBlob, encodeCreatedEventBlob } from "../../src/foundation/protobuf/created-event-blob.ts";
import {
  decodePreparedTransaction,
  encodePreparedTransaction,
  type PreparedTransaction,
} from "../../src/foundation/protobuf/prepared-transaction.ts";
import { decodeTopologyTransaction } from "../../src/foundation/protobuf/topology-transaction.ts";
import { type HashingScheme, preparedTransactionHash } from "../../src/foundation/protobuf/transaction-hash.ts";
import { base64OfBytes, bytesOfBase64 } from "../../src/foundation/text/base64.ts";
import { createRedactor } from "../../src/recordings/redaction/redactor.ts";
import { World } from "../../src/simulator/world/world.ts";
import { Hosting } from "../../src/stub/hosting/hosting.ts";
import { disclosedSamples } from "../_sample-responses.ts";
import { watchBusy } from "./_busy.ts";
import { below, garbage, isDrawn, oneOf, type Random } from "./_draw.ts";
import type { FuzzKind } from "./_fuzz-kind.ts";
import { garbageBytes } from "./_mutate-bytes.ts";
import { crowdedProtobuf, mutatedProtobuf } from "./_mutate-protobuf.ts";
import { base64NearLimit } from "./_near-limits.ts";
import { type Fault, limitsWith } from "./_planted.ts";
import { type Played, playedIn } from "./_played.ts";
import { targetOf } from "./_target-of.ts";

/** What the ledger carries as bytes, read by the library's functions and in requests that carry it. */
export const KIND: FuzzKind = {
  name: "protobuf",
  open: async ({ fault, largeShare = largeShareDefault } = {}) => {
    const played = (await playedIn("canton-3.5")).filter(
      ({ request }) => textsIn(jsonOf(request.body.text()) ?? null).length > 0,
    );
    const good = [
      ...new Set([...played.flatMap(bytesIn), ...disclosedSamples.map(({ createdEventBlob }) => createdEventBlob)]),
    ];
    const hosting = hostingOf(played, fault);
    return targetOf({
      draw: (random) => drawn({ good, played, largeShare, times: fault === "uncounted-fields" ? 5 : 1 }, random),
      check: (input) =>
        decodingProblem(input.base64) ?? redactionProblem(input.base64) ?? requestProblem(hosting, input),
      show: ({ base64, played: { request } }) => `${request.method} ${request.target}\n${base64}`,
    });
  },
};

/** Share of messages with as many fields as a body may have, or more. */
const largeShareDefault = 0.005;

interface Input {
  readonly base64: string;
  /** A request that carries such texts, one of which is replaced. */
  readonly played: Played;
  readonly place: number;
}

const base64Form = /^[A-Za-z0-9+/]{16,}={0,2}$/;

/** The texts in base64 that a value holds. */
function textsIn(value: Json): readonly string[] {
  if (typeof value === "string") return base64Form.test(value) && value.length % 4 === 0 ? [value] : [];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

function bytesIn({ exchange, request }: Played): readonly string[] {
  const { response } = exchange;
  return [request.body, response.type === "response" ? response.body : emptyBody].flatMap((body) =>
    textsIn(jsonOf(body.text()) ?? null),
  );
}

function hostingOf([first]: readonly Played[], fault: Fault | undefined): Hosting {
  if (first === undefined) throw new Error("invariant: scenarios send what is prepared");
  return new Hosting({
    scenario: "fuzz",
    world: new World(first.before, { type: "frozen" }, () => 0),
    profile: { ledger: "canton-3.5", registry: "splice-0.7" },
    auth: "bearer",
    areSignaturesVerified: false,
    hasAdditionalOperations: true,
    wallNowMs: () => 0,
    sleep: async () => {},
    later: (run) => run(),
    limits: limitsWith(fault),
  });
}

interface Materials {
  readonly good: readonly string[];
  readonly played: readonly Played[];
  readonly largeShare: number;
  /** Large messages have so many times the fields that a body may have: a fast machine decodes fewer in time, though they are not counted. */
  readonly times: number;
}

function drawn({ good, played, largeShare, times }: Materials, random: Random): Input {
  const text = oneOf(random, good);
  const isLarge = isDrawn(random, largeShare);
  return {
    base64: isLarge ? crowdedFrom(text, random, times) : base64From(text, random),
    played: oneOf(random, played),
    place: below(random, 100),
  };
}

function crowdedFrom(good: string, random: Random, times: number): string {
  return base64OfBytes(crowdedProtobuf(bytesOfBase64(good) ?? new Uint8Array(), random, times));
}

function base64From(good: string, random: Random): string {
  if (isDrawn(random, 0.03)) return garbage(random, 100);
  if (isDrawn(random, 0.002)) return base64NearLimit(random);
  if (isDrawn(random, 0.03)) return base64OfBytes(garbageBytes(random, 300));
  const text = base64OfBytes(mutatedProtobuf(bytesOfBase64(good) ?? new Uint8Array(), random));
  if (!isDrawn(random, 0.05)) return text;
  const at = below(random, text.length);
  return `${text.slice(0, at)}${oneOf(random, ["=", "-", "_", " ", "\n", "é", ""])}${text.slice(at + 1)}`;
}

/** What was decoded can be written and read again; it is hashed, or refused, as the types say. */
function decodingProblem(base64: string): string | undefined {
  const event = decodeCreatedEventBlob(base64);
  decodeTopologyTransaction(base64);
  const prepared = decodePreparedTransaction(base64);
  if (prepared !== undefined) {
    const again = decodePreparedTransaction(encodePreparedTransaction(prepared));
    if (again === undefined) return "a prepared transaction that was read cannot be read again";
    for (const scheme of ["V2", "V3"] as const) hash(prepared, scheme);
  }
  if (event === undefined) return undefined;
  const again = decodeCreatedEventBlob(encodeCreatedEventBlob(event));
  return again?.contractId === event.contractId ? undefined : "an event that was read cannot be read again";
}

/** A transaction that is not whole has no hash, which is a RangeError. */
function hash(prepared: PreparedTransaction, scheme: HashingScheme): void {
  try {
    preparedTransactionHash(prepared, scheme);
  } catch (error) {
    if (!(error instanceof RangeError) || /call stack/.test(error.message)) throw error;
  }
}

const longLength = 1_000_000;

/** A redactor renames ids within bytes. */
function redactionProblem(base64: string): string | undefined {
  // A text that fills a body is there once.
  const isLong = base64.length > longLength;
  const members = { preparedTransaction: base64, ...(isLong ? {} : { createdEventBlob: base64 }) };
  const body = new Body(formatJson(members));
  const headers = [["Content-Type", "application/json"]] as const;
  const response = { type: "response", status: 200, headers, body: isLong ? emptyBody : body } as const;
  const request = { method: "POST", target: "/v2/interactive-submission/prepare", headers: [], body };
  createRedactor().redact({ startedAt: "", durationMs: 0, request, response });
  return undefined;
}

async function requestProblem(hosting: Hosting, { base64, played, place }: Input): Promise<string | undefined> {
  const body = jsonOf(played.request.body.text()) ?? null;
  const old = textsIn(body);
  const text = formatJson(replaced(body, old[place % old.length] ?? "", base64));
  const id = hosting.fork("default", played.before);
  const world = id === undefined ? undefined : hosting.worlds.get(id)?.world;
  if (id === undefined || world === undefined) throw new Error("invariant: forks are removed again");
  try {
    const before = world.state;
    const headers = [...played.request.headers, ["Understudy-World", id] as const];
    const request = { ...played.request, headers, body: new Body(text) };
    const { result: response, problem } = await watchBusy(() => hosting.handler(request));
    if (problem !== undefined) return problem;
    if (response.type === "broken") return `the response is broken: ${response.kind}`;
    const isSame = before.ledger === world.state.ledger && before.registry === world.state.registry;
    if (response.status >= 500) return `the response to ${played.operationId} is ${response.status}`;
    return response.status < 400 || isSame ? undefined : `a refused request to ${played.operationId} changes the world`;
  } finally {
    hosting.remove(id);
  }
}

function replaced(value: Json, old: string, base64: string): Json {
  if (value === old) return base64;
  if (Array.isArray(value)) return value.map((element) => replaced(element, old, base64));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replaced(inner, old, base64)]));
}
