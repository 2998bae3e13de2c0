import { Body } from "../../src/foundation/http/body.ts";
import type { Exchange } from "../../src/foundation/http/exchange.ts";
import type { FailedResponse } from "../../src/foundation/http/failed-response.ts";
import type { Handler } from "../../src/foundation/http/handler.ts";
import type { Request } from "../../src/foundation/http/request.ts";
import type { Response } from "../../src/foundation/http/response.ts";
import { loadSpec, type Spec } from "../../src/foundation/spec/spec.ts";
import { readRecording } from "../../src/recordings/har/read-recording.ts";
import { writeHar } from "../../src/recordings/har/write-har.ts";
import { indexRecording } from "../../src/recordings/replay/index-recording.ts";
import type { Replayed } from "../../src/recordings/replay/replay-events.ts";
import { Replayer, type ReplayerOptions } from "../../src/recordings/replay/replayer.ts";
import type { Scenario } from "../../src/scenarios/files/load-scenario.ts";
import { exchangeOf as exchangeWith } from "../_exchange.ts";
import { chunksOf } from "../_recorded-exchanges.ts";
import { scenarioFiles, scenarioOf, stepsOf } from "../_scenario.ts";
import { playing } from "./_inferred.ts";

const spec: Spec = loadSpec({ ledger: "canton-3.5", registry: "splice-0.7" }, { hasAdditionalOperations: true });

/** The names of all scenarios of the repository. */
export const scenarioNames: readonly string[] = scenarioFiles.map((file) => file.replace(".arazzo.yaml", ""));

/** A release in which a scenario holds. */
export function releaseFor({ profiles }: Scenario): string {
  return profiles.length === 0 || profiles.includes("canton-3.5") ? "canton-3.5" : (profiles[0] ?? "spec");
}

/** The exchanges of a scenario's steps with a stub. */
export async function recordedFrom(name: string): Promise<readonly Exchange[]> {
  const scenario = scenarioOf(name);
  const steps = await stepsOf(scenario, playing(scenario, releaseFor(scenario)));
  return steps.flatMap(({ exchange }) => exchange ?? []);
}

export function harOf(exchanges: readonly Exchange[]): Uint8Array {
  return new TextEncoder().encode(writeHar(exchanges, "test"));
}

export interface RunningReplay {
  readonly replayer: Replayer;
  readonly events: readonly Replayed[];
  readonly send: Handler;
  /** The text of the response to a request; empty for a failed response. */
  textOf(...request: Parameters<typeof json>): Promise<string>;
  /** Its status; 0 for a failed response. */
  statusOf(...request: Parameters<typeof json>): Promise<number>;
}

/** Replays a recording in this process. */
export async function replaying(
  har: Uint8Array,
  options: Partial<Pick<ReplayerOptions, "match" | "continueWith" | "wait" | "read">> = {},
): Promise<RunningReplay> {
  const { index } = await indexRecording(readRecording(chunksOf(har)), spec);
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
  const { handler: send } = replayer;
  const textOf = async (...request: Parameters<typeof json>) => textIn(await send(json(...request)));
  const statusOf = async (...request: Parameters<typeof json>) => {
    const response = await send(json(...request));
    return response.type === "response" ? response.status : 0;
  };
  return { replayer, events, send, textOf, statusOf };
}

/** The text of a response; empty for a failed one. */
export function textIn(response: Response | FailedResponse): string {
  return response.type === "response" ? response.body.text() : "";
}

/** The parts of a response that a client sees. */
export function shownResponse(response: Response | FailedResponse): unknown {
  if (response.type === "broken") return { broken: response.kind };
  const type = response.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1];
  return { status: response.status, type, text: response.body.text() };
}

/** The request with other names in its target and body. */
export function renamed(request: Request, names: Readonly<Record<string, string>>): Request {
  const body = new Body(withNames(request.body.text(), names));
  return { ...request, target: withNames(request.target, names), body };
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

export function exchangeOf(request: Request, status: number, responseBody: unknown): Exchange {
  const type = typeof responseBody === "string" ? "text/plain" : "application/json";
  const response = { status, responseHeaders: [["Content-Type", type]], responseBody } as const;
  return { ...exchangeWith({ durationMs: 5, ...response }), request };
}
