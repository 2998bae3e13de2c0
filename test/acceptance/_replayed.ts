import { readdirSync } from "node:fs";
import { join } from "node:path";
import { diskFiles } from "../../src/entrypoints/library/files.ts";
import { hostScenario } from "../../src/entrypoints/library/host-scenario.ts";
import { Body } from "../../src/foundation/http/body.ts";
import type { Exchange } from "../../src/foundation/http/exchange.ts";
import type { FailedResponse } from "../../src/foundation/http/failed-response.ts";
import type { Handler } from "../../src/foundation/http/handler.ts";
import type { Request } from "../../src/foundation/http/request.ts";
import { type Response, textResponse } from "../../src/foundation/http/response.ts";
import { impliedRegistryProfile, loadSpec, type Spec } from "../../src/foundation/spec/spec.ts";
import { readRecording } from "../../src/recordings/har/read-recording.ts";
import { writeHar } from "../../src/recordings/har/write-har.ts";
import { indexRecording } from "../../src/recordings/replay/index-recording.ts";
import type { Replayed } from "../../src/recordings/replay/replay-events.ts";
import { Replayer, type ReplayOptions } from "../../src/recordings/replay/replayer.ts";
import { type SendOptions, type SentAgain, sendAgain } from "../../src/recordings/replay/send-again.ts";
import { loadScenario, type Scenario } from "../../src/scenarios/files/load-scenario.ts";
import { runScenario } from "../../src/scenarios/files/run-scenario.ts";
import { accessBy } from "../../src/stub/control/access.ts";
import { withControl } from "../../src/stub/control/control.ts";
import { root } from "./_command-line.ts";

const spec: Spec = loadSpec({ ledger: "canton-3.5", registry: "splice-0.7" }, { hasAdditionalOperations: true });

/** The names of all scenarios of the repository. */
export const scenarioNames: readonly string[] = readdirSync(join(root, "scenarios"))
  .filter((file) => file.endsWith(".arazzo.yaml"))
  .map((file) => file.replace(".arazzo.yaml", ""));

/** The scenarios with one ledger: a recording of two is replayed and inferred as if it were one. */
export const oneLedgerNames: readonly string[] = scenarioNames.filter((name) => name !== "two-participants");

/** A scenario of the repository, with another seed if one is given. */
export function scenarioCalled(name: string, seed?: number): Scenario {
  const file = join(root, "scenarios", `${name}.arazzo.yaml`);
  const loaded = loadScenario(file, diskFiles, { seed });
  if (loaded.type === "invalid") throw new Error(JSON.stringify(loaded.problems));
  return loaded.scenario;
}

/** A stub over a scenario, its control API included. */
export function stubHandler(scenario: Scenario, ledger = "canton-3.5"): Handler {
  const profile = { ledger, registry: impliedRegistryProfile(ledger) };
  const hosting = hostScenario(scenario, { profile, wallNowMs: () => 0, sleep: async () => undefined });
  const handler = withControl(hosting, accessBy("127.0.0.1"));
  return (request) => {
    const headers = request.headers.filter(([name]) => name.toLowerCase() !== "host");
    return handler({ ...request, headers: [...headers, ["Host", "127.0.0.1"]] });
  };
}

/** A release in which a scenario holds. */
export function releaseFor({ profiles }: Scenario): string {
  return profiles.length === 0 || profiles.includes("canton-3.5") ? "canton-3.5" : (profiles[0] ?? "spec");
}

/** The exchanges of a scenario's steps with a stub. */
export async function recordedFrom(name: string): Promise<readonly Exchange[]> {
  const scenario = scenarioCalled(name);
  const handler = stubHandler(scenario, releaseFor(scenario));
  const steps = await runScenario(scenario, { handler, hasControl: true, nowMs: () => 0 });
  return steps.flatMap(({ exchange }) => exchange ?? []);
}

export function harOf(exchanges: readonly Exchange[]): Uint8Array {
  return new TextEncoder().encode(writeHar(exchanges, "test"));
}

export interface RunningReplay {
  readonly replayer: Replayer;
  readonly events: readonly Replayed[];
  readonly send: Handler;
}

/** Replays a recording in this process. */
export async function replaying(
  har: Uint8Array,
  options: Partial<Pick<ReplayOptions, "match" | "continueWith" | "wait" | "read">> = {},
): Promise<RunningReplay> {
  const { index } = await indexRecording(recordingIn(har), spec);
  const events: Replayed[] = [];
  const replayer = new Replayer({
    name: "x.har",
    index,
    read: async ({ byte, length }) => har.subarray(byte, byte + length),
    spec,
    match: "loose",
    continueWith: undefined,
    wait: undefined,
    onReplayed: (replayed) => events.push(replayed),
    ...options,
  });
  return { replayer, events, send: replayer.handler };
}

export async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function recordingIn(har: Uint8Array): ReturnType<typeof readRecording> {
  return readRecording(chunksOf(har));
}

/** A node where ledger, registry and control API are one. */
export function nodeOf(handler: Handler): SendOptions["nodes"][0] {
  return { handlers: { ledger: handler, registry: handler, control: handler }, given: [] };
}

/** Sends the requests of a recording to one node or two, and returns the results. */
export async function sentAgain(
  har: Uint8Array,
  nodes: SendOptions["nodes"],
  options: Partial<SendOptions> = {},
): Promise<readonly SentAgain[]> {
  const sent: SentAgain[] = [];
  const all: SendOptions = {
    spec,
    nodes,
    areWritesAllowed: true,
    tokenFor: () => "any",
    isStopped: () => false,
    ...options,
  };
  for await (const item of sendAgain(recordingIn(har), all)) {
    if (item.type === "invalid" || item.type === "skipped") throw new Error(item.problem);
    sent.push(item);
  }
  return sent;
}

/** The parts of a response that a client sees. */
export function shownResponse(response: Response | FailedResponse): unknown {
  if (response.type === "broken") return { broken: response.kind };
  const type = response.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1];
  return { status: response.status, type, text: response.body.text() };
}

/** The request with other names in its target and body. */
export function renamed(request: Request, names: Readonly<Record<string, string>>): Request {
  const { method, headers } = request;
  const body = request.body.text();
  return {
    method,
    headers,
    target: withNames(request.target, names),
    body: new Body(withNames(body, names)),
  };
}

/** The text with whole words replaced. */
export function withNames(text: string, names: Readonly<Record<string, string>>): string {
  return Object.entries(names).reduce(
    (changed, [from, to]) => changed.replaceAll(new RegExp(`(?<![\\w-])${from}(?![\\w-])`, "g"), to),
    text,
  );
}

export function json(method: string, target: string, body?: unknown, token = "any"): Request {
  return {
    method,
    target,
    headers: [
      ...(token === "" ? [] : [["Authorization", `Bearer ${token}`] as const]),
      ["Content-Type", "application/json"],
    ],
    body: new Body(body === undefined ? "" : JSON.stringify(body)),
  };
}

export function exchangeOf(request: Request, status: number, body: unknown): Exchange {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const type = typeof body === "string" ? "text/plain" : "application/json";
  return {
    startedAt: "2026-01-01T00:00:00.000Z",
    durationMs: 5,
    request,
    response: { type: "response", status, headers: [["Content-Type", type]], body: new Body(text) },
  };
}

export function textResponseOf(status: number, text: string): Response {
  return textResponse(status, "application/json", text);
}
