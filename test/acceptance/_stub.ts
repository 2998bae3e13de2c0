import { fileURLToPath } from "node:url";
import type { Request } from "../../src/http/request.ts";
import { diskFiles } from "../../src/library/files.ts";
import { loadScenario } from "../../src/scenario/load-scenario.ts";
import type { AuthenticationMode } from "../../src/stub/claims.ts";
import { createStub } from "../../src/stub/stub.ts";
import { World } from "../../src/world/world.ts";

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

/** A stub over a scenario of ours, and a way to ask it. */
export function stubOf(
  scenario: string,
  profile: "document" | "canton-3.5",
  authentication: AuthenticationMode = "bearer",
): { readonly world: World; ask(target: string, asked?: Asked): Answer } {
  const file = fileURLToPath(new URL(`../../scenarios/${scenario}.arazzo.yaml`, import.meta.url));
  const result = loadScenario(file, diskFiles);
  if (result.type === "mistaken") throw new Error(JSON.stringify(result.mistakes));
  const world = new World(result.scenario.initial, { type: "frozen" }, () => 0);
  const stub = createStub({
    world,
    profile: { ledger: profile, registry: profile === "document" ? "document" : "splice-0.7" },
    authentication,
  });
  return { world, ask: (target, asked = {}) => answerOf(stub(requestOf(target, asked))) };
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

function answerOf(answer: ReturnType<ReturnType<typeof createStub>>): Answer {
  if (answer.type === "broken") throw new Error(`broken: ${answer.kind}`);
  const contentType = answer.headers.find(([name]) => name === "Content-Type")?.[1];
  return { status: answer.status, contentType, text: new TextDecoder().decode(answer.body) };
}
