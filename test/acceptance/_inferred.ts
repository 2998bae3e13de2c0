import { diskFiles } from "../../src/entrypoints/library/files.ts";
import { hostScenario } from "../../src/entrypoints/library/host-scenario.ts";
import { Body } from "../../src/foundation/http/body.ts";
import type { Exchange } from "../../src/foundation/http/exchange.ts";
import type { Handler } from "../../src/foundation/http/handler.ts";
import { textResponse } from "../../src/foundation/http/response.ts";
import { impliedRegistryProfile } from "../../src/foundation/spec/spec.ts";
import { readRecording } from "../../src/recordings/har/read-recording.ts";
import { writeHar } from "../../src/recordings/har/write-har.ts";
import { loadScenario, type Scenario } from "../../src/scenarios/files/load-scenario.ts";
import { runScenario } from "../../src/scenarios/files/run-scenario.ts";
import {
  type InferenceOptions,
  type InferredScenario,
  inferScenario,
} from "../../src/scenarios/inference/infer-scenario.ts";
import { accessBy } from "../../src/stub/control/access.ts";
import { withControl } from "../../src/stub/control/control.ts";
import { root } from "./_command-line.ts";

export function scenarioOf(name: string): Scenario {
  const result = loadScenario(`${root}scenarios/${name}`, diskFiles);
  if (result.type === "invalid") throw new Error(JSON.stringify(result.problems));
  return result.scenario;
}

/** A stub in process that returns its own control API too. */
export function playing(scenario: Scenario, ledger: string = scenario.profile): Handler {
  const profile = { ledger, registry: impliedRegistryProfile(ledger) };
  const handler = withControl(hostScenario(scenario, { profile, wallNowMs: () => 0 }), accessBy("127.0.0.1"));
  return (request) => handler({ ...request, headers: [...request.headers, ["Host", "127.0.0.1"]] });
}

/** What a run of a scenario's steps leaves, through the text of a HAR. */
export async function recordingOf(scenario: Scenario, profile: string): Promise<readonly Exchange[]> {
  const target = {
    handler: playing(scenario, profile),
    hasControl: true,
    nowMs: () => Date.parse("2026-01-01T00:05:00Z"),
  };
  const results = await runScenario(scenario, target);
  return readHar(
    writeHar(
      results.flatMap(({ exchange }) => exchange ?? []),
      "0.0.0",
    ),
  );
}

async function readHar(text: string): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = [];
  for await (const item of readRecording(oneChunk(text))) {
    if (item.type === "invalid" || item.type === "skipped") throw new Error(item.problem);
    exchanges.push(item.exchange);
  }
  return exchanges;
}

async function* oneChunk(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

export interface Noted {
  readonly method?: string;
  readonly target: string;
  readonly body?: object;
  readonly token?: string;
  readonly status: number;
  readonly response: unknown;
  /** Seconds after the first one. */
  readonly after?: number;
}

/** An exchange in short form. A string as response is the response text. */
export function noted({ method, target, body, token = "Bearer x", status, response, after = 0 }: Noted): Exchange {
  const text = body === undefined ? "" : JSON.stringify(body);
  const type = typeof response === "string" ? "text/plain" : "application/json";
  return {
    startedAt: new Date(Date.parse("2026-03-01T12:00:00Z") + after * 1000).toISOString(),
    durationMs: 1,
    request: {
      method: method ?? (body === undefined ? "GET" : "POST"),
      target,
      headers: [["Authorization", token], ...(text === "" ? [] : [["Content-Type", "application/json"] as const])],
      body: new Body(text),
    },
    response: textResponse(status, type, typeof response === "string" ? response : JSON.stringify(response)),
  };
}

const paths = {
  given: { ledger: "ledger.yaml", registry: "registry.yaml" },
  sources: { ledger: "l.yaml", registry: "r.yaml", additionalOperations: "n.yaml", control: "c.yaml" },
};

export function inferred(
  exchanges: readonly Exchange[],
  { stepsMax = 1000, profile, world }: Partial<Pick<InferenceOptions, "stepsMax" | "profile" | "world">> = {},
): Promise<InferredScenario> {
  const options = {
    name: "recorded",
    origin: "x.har",
    paths,
    stepsMax,
    profile,
    world,
    createStub: (made: Scenario) => playing(made),
  };
  return inferScenario(exchanges, options);
}

/** The scenario in the texts that were written. */
export function loadedFrom({ files }: InferredScenario): Scenario {
  const texts: Readonly<Record<string, string>> = {
    scenario: files.scenario,
    "ledger.yaml": files.ledger,
    "registry.yaml": files.registry,
  };
  const reader = { read: (path: string) => texts[path], resolve: (_: string, path: string) => path };
  const result = loadScenario("scenario", reader);
  if (result.type === "invalid") throw new Error(JSON.stringify(result.problems));
  return result.scenario;
}
