import { expect } from "vitest";
import type { Exchange } from "../../src/foundation/http/exchange.ts";
import type { Handler } from "../../src/foundation/http/handler.ts";
import { writeHar } from "../../src/recordings/har/write-har.ts";
import type { Scenario } from "../../src/scenarios/files/load-scenario.ts";
import {
  type InferenceOptions,
  type InferredScenario,
  inferScenario,
} from "../../src/scenarios/inference/infer-scenario.ts";
import { ResponseComparison } from "../../src/scenarios/inference/response-comparison.ts";
import { exchangeOf } from "../_exchange.ts";
import { exchangesIn } from "../_recorded-exchanges.ts";
import { controlled, hostingOf, scenarioOf, stepsOf } from "../_scenario.ts";

/** A stub in process that returns its own control API too. */
export function playing(scenario: Scenario, ledger: string = scenario.profile): Handler {
  return controlled(hostingOf(scenario, ledger));
}

/** What a run of a scenario's steps leaves, through the text of a HAR. Each step takes five seconds. */
export async function recordingOf(scenario: Scenario, profile: string): Promise<readonly Exchange[]> {
  let nowMs = Date.parse("2026-01-01T00:05:00Z");
  const results = await stepsOf(scenario, playing(scenario, profile), () => {
    nowMs += 2500;
    return nowMs;
  });
  const exchanges = results.flatMap(({ exchange }) => exchange ?? []);
  return exchangesIn(writeHar(exchanges, "0.0.0"));
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
  const type = typeof response === "string" ? "text/plain" : "application/json";
  const sent = body === undefined ? [] : [["Content-Type", "application/json"] as const];
  return exchangeOf({
    startedAt: new Date(Date.parse("2026-03-01T12:00:00Z") + after * 1000).toISOString(),
    ...(method === undefined ? {} : { method }),
    target,
    headers: [["Authorization", token], ...sent],
    body,
    status,
    responseHeaders: [["Content-Type", type]],
    responseBody: response,
  });
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
  return scenarioOf("scenario", {}, reader);
}

/** Plays a scenario that was inferred from exchanges. Fails unless it gives the recorded responses. */
export async function expectPlayed(made: InferredScenario, recording: readonly Exchange[]): Promise<void> {
  const results = await stepsOf(loadedFrom(made));
  expect(results.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
  expect(results.length).toBe(recording.length);
  const comparison = new ResponseComparison();
  for (const [place, { exchange }] of results.entries()) {
    const [again, before] = [exchange?.response, recording[place]?.response];
    if (again === undefined || before === undefined) throw new Error("a response is missing");
    const isControl = recording[place]?.request.target.includes("__understudy") === true;
    expect(comparison.difference(before, again, isControl)).toBeUndefined();
  }
}
