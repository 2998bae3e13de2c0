import { fileURLToPath } from "node:url";
import { diskFiles } from "../../src/entrypoints/library/files.ts";
import type { Request } from "../../src/foundation/http/request.ts";
import { loadScenario, type ScenarioResult } from "../../src/scenarios/files/load-scenario.ts";
import { World } from "../../src/simulator/world/world.ts";
import type { AuthenticationMode } from "../../src/stub/pipeline/claims.ts";
import { createStubs, type StubAnswer, stubSpec } from "../../src/stub/pipeline/stub.ts";
import { hashOfState } from "../_hash-of-state.ts";

export interface Answer {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly text: string;
}

export interface Asked {
  readonly method?: string;
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly rawBody?: string;
  readonly headers?: readonly (readonly [string, string])[];
}

export type PlayedProfile = "document" | "canton-3.5" | "canton-3.4.12" | "canton-3.4.11";

export interface AskedStub {
  readonly world: World;
  ask(target: string, asked?: Asked): Answer;
}

/** A stub over a scenario of ours, and a way to ask it. */
export function stubOf(
  scenario: string,
  profile: PlayedProfile,
  authentication: AuthenticationMode = "bearer",
): AskedStub {
  const file = fileURLToPath(new URL(`../../scenarios/${scenario}.arazzo.yaml`, import.meta.url));
  return stubFrom(loadScenario(file, diskFiles), profile, authentication);
}

export interface GivenTexts {
  readonly ledger: string;
  readonly registry?: string;
  /** Further lines of `x-understudy`. */
  readonly extension?: string;
}

/** A stub over fixtures that stand in the test itself; the registry is the one in the manner of Amulet unless given. */
export function stubOver(
  { ledger, registry, extension = "" }: GivenTexts,
  profile: PlayedProfile,
  authentication: AuthenticationMode = "bearer",
  isVerifying = false,
): AskedStub {
  const amulet = fileURLToPath(new URL("../../fixtures/registries/amulet.yaml", import.meta.url));
  const texts: Readonly<Record<string, string>> = {
    scenario: `workflows:
  - workflowId: w
    x-understudy:
      given: { ledger: ledger, registry: ${registry === undefined ? amulet : "registry"} }
${extension.replaceAll(/^/gm, "      ")}
    steps: []
`,
    ledger,
    registry: registry ?? "",
  };
  const files = {
    read: (path: string) => texts[path] ?? diskFiles.read(path),
    resolve: (_: string, path: string) => path,
  };
  return stubFrom(loadScenario("scenario", files, { profile }), profile, authentication, isVerifying);
}

/** A hash over everything that a world holds, its count of requests apart. */
export function hashOfWorld(world: World): string {
  return hashOfState(world.state);
}

function stubFrom(
  result: ScenarioResult,
  profile: PlayedProfile,
  authentication: AuthenticationMode,
  areSignaturesVerified = false,
): AskedStub {
  if (result.type === "mistaken") throw new Error(JSON.stringify(result.mistakes));
  const world = new World(result.scenario.initial, { type: "frozen" }, () => 0);
  const stub = createStubs({
    spec: stubSpec(
      { ledger: profile, registry: profile === "document" ? "document" : "splice-0.7" },
      { hasNeighbours: true },
    ),
    authentication,
    areSignaturesVerified,
  })(world);
  return { world, ask: (target, asked = {}) => answerOf(stub(requestOf(target, asked)).answer) };
}

function requestOf(target: string, { method, token = "any", body, rawBody, headers = [] }: Asked): Request {
  const text = rawBody ?? (body === undefined ? "" : JSON.stringify(body));
  const bearer = token === "" ? [] : [["Authorization", `Bearer ${token}`] as const];
  return {
    method: method ?? (text === "" ? "GET" : "POST"),
    target,
    headers: [...bearer, ...headers],
    body: new TextEncoder().encode(text),
  };
}

function answerOf(answer: StubAnswer["answer"]): Answer {
  if (answer.type === "broken") throw new Error(`broken: ${answer.kind}`);
  const contentType = answer.headers.find(([name]) => name === "Content-Type")?.[1];
  return { status: answer.status, contentType, text: new TextDecoder().decode(answer.body) };
}
