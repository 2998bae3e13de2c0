import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { diskFiles } from "../../src/entrypoints/library/files.ts";
import { Body } from "../../src/foundation/http/body.ts";
import type { Request } from "../../src/foundation/http/request.ts";
import { impliedRegistryProfile } from "../../src/foundation/spec/spec.ts";
import type { Scenario } from "../../src/scenarios/files/load-scenario.ts";
import { World } from "../../src/simulator/world/world.ts";
import type { AuthenticationMode } from "../../src/stub/pipeline/claims.ts";
import { createStubs, type StubResponse, stubSpec } from "../../src/stub/pipeline/stub.ts";
import { hashOfState } from "../_hash-of-state.ts";
import { scenarioOf } from "../_scenario.ts";

interface HandlerResponse {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly text: string;
}

export interface Requested {
  readonly method?: string;
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly rawBody?: string | Uint8Array;
  readonly headers?: readonly (readonly [string, string])[];
}

export type PlayedProfile = "spec" | "canton-3.6" | "canton-3.5" | "canton-3.4.12" | "canton-3.4.11";

export interface RequestedStub {
  readonly world: World;
  ask(target: string, requested?: Requested): HandlerResponse;
  /** The header Understudy-Reason of the response. */
  reasonOf(target: string, requested?: Requested): string | undefined;
  fork(): RequestedStub;
  /** A fork whose stub has no caches of earlier requests. */
  forkWithoutCaches(): RequestedStub;
}

/** A stub over a bundled scenario, and a function that sends it requests. */
export function stubOf(
  scenario: string,
  profile: PlayedProfile,
  auth: AuthenticationMode = "bearer",
  registryProfile?: string,
): RequestedStub {
  return stubFrom(scenarioOf(scenario), profile, auth, false, registryProfile);
}

export interface GivenTexts {
  readonly ledger: string;
  readonly registry?: string;
  /** Further lines of `x-understudy`. */
  readonly extension?: string;
  readonly registryProfile?: string;
}

/** A stub over fixtures given as text; the default registry is `fixtures/registries/amulet.yaml`. */
export function stubOver(
  { ledger, registry, extension = "", registryProfile }: GivenTexts,
  profile: PlayedProfile,
  auth: AuthenticationMode = "bearer",
  isVerifying = false,
): RequestedStub {
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
  return stubFrom(scenarioOf("scenario", { profile }, files), profile, auth, isVerifying, registryProfile);
}

/** A hash over the state of a world, except its number of requests. */
export function hashOfWorld(world: World): string {
  return hashOfState(world.state);
}

function stubFrom(
  scenario: Scenario,
  profile: PlayedProfile,
  auth: AuthenticationMode,
  areSignaturesVerified = false,
  registryProfile: string = impliedRegistryProfile(profile),
): RequestedStub {
  const world = new World(scenario.initial, { type: "frozen" }, () => 0);
  const spec = stubSpec({ ledger: profile, registry: registryProfile }, { hasAdditionalOperations: true });
  return stubIn(world, () => createStubs({ spec, auth, areSignaturesVerified }));
}

function stubIn(world: World, create: () => Stubs, stubs: Stubs = create()): RequestedStub {
  const stub = stubs(world);
  const respond = (target: string, requested: Requested = {}) =>
    responseOf(stub(requestOf(target, requested)).response);
  return {
    world,
    ask: (target, requested) => respond(target, requested).response,
    reasonOf: (target, requested) => respond(target, requested).reason,
    fork: () => stubIn(world.fork(), create, stubs),
    forkWithoutCaches: () => stubIn(world.fork(), create),
  };
}

type Stubs = ReturnType<typeof createStubs>;

function requestOf(target: string, { method, token = "any", body, rawBody, headers = [] }: Requested): Request {
  const content = rawBody ?? (body === undefined ? "" : JSON.stringify(body));
  const bearer = token === "" ? [] : [["Authorization", `Bearer ${token}`] as const];
  return {
    method: method ?? (content === "" ? "GET" : "POST"),
    target,
    headers: [...bearer, ...headers],
    body: new Body(content),
  };
}

function responseOf(response: StubResponse["response"]): {
  readonly response: HandlerResponse;
  readonly reason: string | undefined;
} {
  if (response.type === "broken") throw new Error(`broken: ${response.kind}`);
  const header = (wanted: string) => response.headers.find(([name]) => name === wanted)?.[1];
  const text = response.body.text();
  return {
    response: { status: response.status, contentType: header("Content-Type"), text },
    reason: header("Understudy-Reason"),
  };
}

/** Expects a refusal that changes nothing: 400 is text in profile spec, and so is a body that cannot be read, without a code. */
export function expectRefused(
  profile: PlayedProfile,
  { world, send }: { readonly world: World; send(): HandlerResponse },
  status: number,
  code: string | undefined,
): void {
  const before = hashOfWorld(world);
  const response = send();
  expect([response.status, response.text]).toEqual([status, expect.any(String)]);
  if (status === 400 && profile === "spec") expect(response.contentType).toBe("text/plain; charset=UTF-8");
  if (code === undefined) expect(response.text).toMatch(/^Invalid value for: body/);
  else if (status === 400 && profile === "spec") expect(response.text).toMatch(new RegExp(`^${code}: `));
  else expect(JSON.parse(response.text).code).toBe(code);
  expect(hashOfWorld(world)).toBe(before);
}
