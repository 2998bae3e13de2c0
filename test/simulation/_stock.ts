import { readdirSync } from "node:fs";
import * as fc from "fast-check";
import { packagedFile } from "../../src/entrypoints/library/files.ts";
import {
  defaultProfileOf,
  impliedRegistryProfile,
  knownProfiles,
  loadSpec,
  type ProfileNames,
  type Spec,
} from "../../src/foundation/spec/spec.ts";
import type { Scenario } from "../../src/scenarios/files/load-scenario.ts";
import { type Fake, loadFaker } from "../../src/scenarios/generation/faker.ts";
import { type GeneratedRequest, generateRequests } from "../../src/scenarios/generation/generate-requests.ts";
import { identifierFormats } from "../../src/scenarios/generation/request-meaning.ts";
import { holdingsOf } from "../../src/simulator/daml/token-contracts.ts";
import type { SharedStubs } from "../../src/stub/hosting/hosting-options.ts";
import { type AuthenticationMode, authenticationModes } from "../../src/stub/pipeline/claims.ts";
import { createStubs, stubSpec } from "../../src/stub/pipeline/stub.ts";
import { scenarioOf } from "../_scenario.ts";
import { type GeneratedTexts, generated, loaded } from "../acceptance/_generated.ts";
import type { Beginning } from "./_event.ts";
import { inputsOf, type WalkInputs } from "./steps/_inputs.ts";
import type { Step } from "./steps/_step.ts";
import { type StepSequence, sequencesOver } from "./steps/_steps.ts";

/** What walks are drawn from and checked by; made once, and shared by all walks of a process. */
export interface Stock {
  readonly scenarios: readonly string[];
  scenario(beginning: Pick<Beginning, "scenario" | "profile" | "seed">): Scenario;
  names(beginning: Pick<Beginning, "scenario" | "profile">): Names;
  /** `count` meaningful sequences, drawn from a seed. */
  passages(beginning: Pick<Beginning, "scenario" | "profile">, seed: number, count: number): readonly StepSequence[];
  /** Generated requests of all operations, valid ones and ones with one fault. */
  generated(profile: string): readonly Step[];
  /** The spec for checking the responses of a profile. */
  spec(profile: string): Spec;
  /** What stubs of that kind have in common. */
  stubs(beginning: Pick<Beginning, "profile" | "authentication">): SharedStubs;
}

/** The names of entities in a scenario, for drawn requests. */
export interface Names extends WalkInputs {
  readonly holdings: readonly { readonly contractId: string; readonly owner: string }[];
  readonly notUploaded: readonly string[];
  /** Names of the registry's contracts, all of them. */
  readonly allContracts: readonly string[];
}

/** Fixtures are generated from these seeds. */
const generatedSeeds = [11, 12, 13, 14];

export async function openStock(): Promise<Stock> {
  const fakeWith = await loadFaker();
  const fixtures = new Map<string, GeneratedTexts>();
  for (const seed of generatedSeeds) fixtures.set(`generated-${seed}`, await generated(seed));
  const load = once(([file = "", profile = ""]) => loadOne(fixtures.get(file), file, profile));
  const names = once(([file = "", profile = ""]) => namesOf(load(file, profile)));
  const drawing = once(([file = "", profile = ""]) => sequencesOver(names(file, profile)));
  const fake = fakeWith(identifierFormats("simulated"));
  const requests = once(([profile = ""]) => generatedSteps(profile, fake));
  const specOf = once(([profile = ""]) => stubSpec(namesOfProfile(profile), { hasAdditionalOperations: true }));
  // A release is checked by its own schemas; the spec by the open schemas of its text.
  const documented = loadSpec(namesOfProfile("spec"), { hasAdditionalOperations: true });
  const stubs = once(([profile = "", authentication = ""]) => {
    const options = { auth: modeNamed(authentication), areSignaturesVerified: false };
    return { spec: specOf(profile), stubOver: createStubs({ ...options, spec: specOf(profile) }) };
  });
  return {
    scenarios: [...readdirSync(packagedFile("scenarios")).sort(), ...fixtures.keys()],
    scenario: ({ scenario, profile, seed }) => seeded(load(scenario, profile), seed),
    names: ({ scenario, profile }) => names(scenario, profile),
    passages: ({ scenario, profile }, seed, count) => sample(drawing(scenario, profile), seed, count),
    generated: requests,
    spec: (profile) => (profile === "spec" ? documented : specOf(profile)),
    stubs: ({ profile, authentication }) => stubs(profile, authentication),
  };
}

export function namesOfProfile(profile: string): ProfileNames {
  return knownProfiles({ ledger: profile, registry: impliedRegistryProfile(profile) });
}

/** Memoized by its arguments. */
function once<Value>(make: (parts: readonly string[]) => Value): (...parts: readonly string[]) => Value {
  const made = new Map<string, { readonly value: Value }>();
  return (...parts) => {
    const key = parts.join("\n");
    const found = made.get(key) ?? { value: make(parts) };
    made.set(key, found);
    return found.value;
  };
}

function modeNamed(name: string): AuthenticationMode {
  const mode = authenticationModes.find((candidate) => candidate === name);
  if (mode === undefined) throw new Error(`invariant: there is no mode ${name}`);
  return mode;
}

function loadOne(fixture: GeneratedTexts | undefined, file: string, profile: string): Scenario {
  if (fixture !== undefined) return loaded(fixture, { profile });
  return scenarioOf(file, { profile });
}

function seeded(scenario: Scenario, seed: number): Scenario {
  return { ...scenario, initial: { ...scenario.initial, seed } };
}

function namesOf(scenario: Scenario): Names {
  const { ledger, registry } = scenario.initial;
  const holdings = holdingsOf(ledger.contracts.values(), registry);
  return {
    ...inputsOf(scenario),
    holdings: holdings.map(({ contract, holding }) => ({ contractId: contract.contractId, owner: holding.owner })),
    notUploaded: [...ledger.packages.values()].flatMap(({ id, isUploaded }) => (isUploaded ? [] : [id])),
    allContracts: [...registry.contracts.entries()].map(([name]) => name),
  };
}

function sample(passages: ReturnType<typeof sequencesOver>, seed: number, count: number): readonly StepSequence[] {
  return fc.sample(passages, { seed, numRuns: count });
}

/** Of each operation and of each kind. */
const requestsPerOperation = 4;

function generatedSteps(profile: string, fake: Fake): readonly Step[] {
  const whole = profile === "spec" ? defaultProfileOf("ledger") : profile;
  const spec = loadSpec(namesOfProfile(profile), { hasAdditionalOperations: true, schemasOf: namesOfProfile(whole) });
  return spec.operations.flatMap(({ operationId }) => {
    const { valid, invalid } = generateRequests(operationId, { fake, spec, seed: 1, count: requestsPerOperation });
    return [...valid, ...invalid].map(stepOf);
  });
}

function stepOf({ operationId, path, query, body }: GeneratedRequest): Step {
  return { operationId, path, query, body, rawBody: undefined, token: "administrator" };
}
