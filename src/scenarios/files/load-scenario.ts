import { isSameJson, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { listOf, objectOf, objectsOf, textOf, textsOf } from "../../foundation/json/members.ts";
import { operationIds } from "../../foundation/spec/generated/names.ts";
import { profileNamesOf } from "../../foundation/spec/spec.ts";
import { tableOf } from "../../foundation/table/table.ts";
import { advise, suggestion } from "../../foundation/text/suggestion.ts";
import { asLedgerContract } from "../../simulator/daml/registry-contract.ts";
import type { LedgerContract, LedgerState } from "../../simulator/ledger/ledger-state.ts";
import type { Plan } from "../../simulator/world/plan.ts";
import type { ClockMode } from "../../simulator/world/world.ts";
import type { WorldState } from "../../simulator/world/world-state.ts";
import { number, string } from "./_reader.ts";
import { checkSchema } from "./check-schema.ts";
import { checkStepParticipants } from "./check-steps.ts";
import { workflowProblems } from "./check-workflows.ts";
import { type FileReader, fixtureRefusal, readSource } from "./file-reader.ts";
import { checkFixtures, type Fixtures, fixtureList } from "./fixtures/check-fixtures.ts";
import { ledgerFrom } from "./fixtures/ledger-fixture.ts";
import { placeholderFor } from "./fixtures/placeholder-fixture.ts";
import { checkFixture, type Fixture, type FixtureKind, fixtureKindOf, readFixture } from "./fixtures/read-fixture.ts";
import { holdingsFrom, registryFrom } from "./fixtures/registry-fixture.ts";
import { instantAdvice, instantOf } from "./instant.ts";
import { operationIdOf } from "./operation-id.ts";
import { compilePlan } from "./plan/compile-plan.ts";
import { isPlanEntry, planWorldOf } from "./plan/plan-world.ts";
import { firstOf, inOrder, type Problem, pathText, problemAt, withoutFollowing } from "./problem.ts";
import { checkProviderStates } from "./provider-states.ts";
import type { SourceFile, ValuePath } from "./source-file.ts";
import { type ArazzoDocument, documentsOf, loneWorkflow, readWorkflows, type Workflow } from "./workflow.ts";

/** A loaded and checked scenario: the initial state and profile of a stub, and the workflow. */
export interface Scenario {
  readonly file: string;
  /** The files that were read: the scenario and its fixtures. */
  readonly files: readonly string[];
  /** The workflow with `x-understudy`, with resolved references. Its document has the others. */
  readonly main: Workflow;
  /** Values for the inputs of workflows. */
  readonly inputs: JsonObject;
  readonly initial: WorldState;
  /** The initial state with another start of virtual time, in milliseconds since the epoch. */
  readonly initialAt: (startMs: number) => WorldState;
  readonly profile: string;
  readonly profiles: readonly string[];
  readonly clockMode: ClockMode;
  /** The fixture that is a placeholder, because the file is the other fixture; undefined for a scenario. */
  readonly placeholder: FixtureKind | undefined;
}

export type ScenarioResult =
  | { readonly type: "loaded"; readonly scenario: Scenario }
  | { readonly type: "invalid"; readonly problems: readonly Problem[] };

const startDefault = "2026-01-01T00:00:00Z";

/** Values that override those of the scenario. */
export interface ScenarioOverrides {
  readonly seed?: number | undefined;
  /** Release of the ledger. */
  readonly profile?: string | undefined;
  /** Start of virtual time, in milliseconds since the epoch. */
  readonly startMs?: number | undefined;
}

/**
 * Reads a scenario with its fixtures, and returns the problems of all of them. A fixture alone is a scenario without steps,
 * with a placeholder for the other fixture.
 */
export function loadScenario(file: string, files: FileReader, overrides: ScenarioOverrides = {}): ScenarioResult {
  const read = readSource(file, files);
  if (read.type === "invalid") return read;
  const kind = fixtureKindOf(read.source);
  return kind === undefined
    ? fromScenario(read.source, files, overrides)
    : fromFixture(kind, read.source, files, overrides);
}

function fromScenario(source: SourceFile, files: FileReader, overrides: ScenarioOverrides): ScenarioResult {
  const foreign = otherKind(source);
  if (foreign !== undefined) return invalid([foreign]);
  const outline = checkSchema("arazzo", source);
  const { document, problems } = readWorkflows(source, files);
  const main = document.workflows.find(({ value }) => value["x-understudy"] !== undefined) ?? document.workflows[0];
  const extension = main === undefined ? undefined : extensionOf(main);
  const steps = source.isChecked === true ? [] : [...problems, ...documentsOf(document).flatMap(workflowProblems)];
  if (main === undefined || extension === undefined) {
    const found = outline.length > 0 ? outline : [withoutExtension(source, objectOf(main?.value))];
    return invalid(inOrder(withoutFollowing(found, firstOf(steps, itself))));
  }
  const shape = checkSchema("scenario", extension);
  const { missing, ...fixtures } = fixturesOf(extension, files);
  const values = [
    ...checkProfiles(extension),
    ...withoutStart(extension),
    ...firstOf(steps, itself),
    ...otherWorlds(document, main),
    ...document.workflows.flatMap((workflow) => checkStepParticipants(workflow, extension)),
    ...firstOf(checkProviderStates(extension, main.value), itself),
    ...missing,
  ];
  const own = withoutFollowing([...outline, ...shape], values);
  return compiled({ extension, isShaped: shape.length === 0, main, ...fixtures, overrides }, own);
}

/** Problems of workflows with another world: all workflows of a file run in one. */
function otherWorlds({ source, workflows }: ArazzoDocument, main: Workflow): readonly Problem[] {
  const world = main.value["x-understudy"];
  const other = workflows.find(
    ({ value }) => value["x-understudy"] !== undefined && !isSameJson(value["x-understudy"], world),
  );
  const problem = `the workflow ${JSON.stringify(other?.id)} has another x-understudy than ${JSON.stringify(main.id)}`;
  const advice = "All workflows of a file run in one world: keep one x-understudy, or use two files.";
  return other === undefined ? [] : [problemAt(source, [...other.path, "x-understudy"], problem, advice)];
}

function withoutExtension(source: SourceFile, workflow: JsonObject): Problem {
  const near = suggestion("x-understudy", Object.keys(workflow));
  const advice =
    near === undefined
      ? "Add the fixtures that the stub starts from: x-understudy: { given: { ledger: …, registry: … } }."
      : `Rename ${JSON.stringify(near)} to x-understudy.`;
  return problemAt(source, ["workflows", 0], "the workflow has no x-understudy", advice);
}

/** A fixture as a scenario without steps, with the name of the file. */
function fromFixture(
  kind: FixtureKind,
  source: SourceFile,
  files: FileReader,
  overrides: ScenarioOverrides,
): ScenarioResult {
  const fixture = checkFixture(kind, source, files);
  const placeholder = placeholderFor(kind, source);
  const other: Fixture = { source: placeholder, problems: [] };
  const [ledger, registry] = kind === "ledger" ? [fixture, other] : [other, fixture];
  const workflow = { workflowId: source.name.replace(/^.*[\\/]/, "").replace(/\.\w+$/, ""), steps: [] };
  const extension = { ...source, value: {} };
  const main = loneWorkflow(extension, workflow);
  return compiled({ extension, isShaped: true, main, ledger, registry, participants: [], placeholder, overrides }, []);
}

/** Reads the fixtures that a scenario names. Those that cannot be read are problems of the scenario. */
function fixturesOf(extension: SourceFile, files: FileReader): Fixtures & { readonly missing: readonly Problem[] } {
  const given = objectOf(objectOf(extension.value)["given"]);
  const missing: Problem[] = [];
  const read = (kind: FixtureKind, path: ValuePath, name: Json | undefined): Fixture => {
    if (typeof name !== "string") return unread;
    const at = ["given", ...path];
    const refusal = fixtureRefusal(extension.name, name, files);
    if (refusal === undefined) return readFixture(kind, files.resolve(extension.name, name), files);
    missing.push(problemAt(extension, at, `${pathText(extension, at)}: ${refusal.problem}`, refusal.advice));
    return unread;
  };
  return {
    ledger: read("ledger", ["ledger"], given["ledger"]),
    registry: read("registry", ["registry"], given["registry"]),
    participants: Object.entries(objectOf(given["participants"])).map(
      ([name, path]) => [name, read("ledger", ["participants", name], path)] as const,
    ),
    missing,
  };
}

const unread: Fixture = { source: undefined, problems: [] };

/** What a scenario is compiled from; each part may have problems. */
interface Parts extends Fixtures {
  readonly extension: SourceFile;
  /** Whether the extension has no problem of its schema. */
  readonly isShaped: boolean;
  readonly main: Workflow;
  /** The placeholder for the other fixture, if the file is a fixture. */
  readonly placeholder?: SourceFile;
  readonly overrides: ScenarioOverrides;
}

type CompiledWorld = Pick<WorldState, "ledger" | "registry" | "participants">;

/** The scenario, or the problems of all its parts, those of their references to each other and of the plan included. */
function compiled(parts: Parts, own: readonly Problem[]): ScenarioResult {
  const { extension, overrides } = parts;
  const options = objectOf(extension.value);
  const profile = overrides.profile ?? string(options["profile"], "spec");
  const seed = overrides.seed ?? number(options["seed"], 1);
  const startMs = overrides.startMs ?? instantOf(string(objectOf(options["clock"])["start"], startDefault)) ?? 0;
  const across = checkFixtures(extension, parts, profile);
  const world = worldOf(parts, seed, startMs);
  const { plan, problems } = planOf(parts, world, startMs);
  const isOfScenario = ({ file }: Problem) => file === extension.name;
  const ofFixtures = [...new Set(fixtureList(parts).flatMap((fixture) => fixture.problems))];
  const all = [
    ...inOrder([...withoutFollowing(own, problems), ...across.filter(isOfScenario)]),
    ...withoutFollowing(
      ofFixtures,
      across.filter((problem) => !isOfScenario(problem)),
    ),
  ];
  if (all.length > 0 || world === undefined) return invalid(all);
  return { type: "loaded", scenario: scenarioOf(parts, { ...world, nowMs: startMs, seed }, { plan, profile }) };
}

/** The ledgers and the registry; undefined if a fixture has a problem. */
function worldOf(parts: Parts, seed: number, startMs: number): CompiledWorld | undefined {
  const [ledger, registry] = [parts.ledger.source, parts.registry.source];
  const isFlawed = fixtureList(parts).some(({ source, problems }) => source === undefined || problems.length > 0);
  if (isFlawed || ledger === undefined || registry === undefined) return undefined;
  const state = registryFrom(registry, seed);
  const holdings = holdingsFrom(registry, state, seed, startMs);
  const participants = parts.participants.flatMap(([name, { source }]) =>
    source === undefined ? [] : [[name, ledgerFrom(source)] as const],
  );
  const elsewhere = new Set(
    participants.flatMap(([, each]) => holdings.filter((holding) => isHostedFor(holding, each))),
  );
  const here = holdings.filter((holding) => !elsewhere.has(holding));
  return {
    ledger: withContracts(ledgerFrom(ledger), [...[...state.contracts.values()].map(asLedgerContract), ...here]),
    registry: state,
    participants: new Map(
      participants.map(([name, each]) => [
        name,
        withContracts(
          each,
          holdings.filter((holding) => isHostedFor(holding, each)),
        ),
      ]),
    ),
  };
}

function withContracts(ledger: LedgerState, contracts: readonly LedgerContract[]): LedgerState {
  return { ...ledger, contracts: tableOf(contracts.map((contract) => [contract.contractId, contract])) };
}

/** Whether a participant hosts the owner of a holding. */
function isHostedFor({ signatories }: LedgerContract, { parties, participantId }: LedgerState): boolean {
  return signatories.some((party) => parties.get(party)?.hostedBy.includes(participantId) === true);
}

/** Compiles the plan, over what the fixtures define if there is no world. Entries without the shape of the schema are skipped. */
function planOf(
  { extension, isShaped, ledger, registry }: Parts,
  world: CompiledWorld | undefined,
  startMs: number,
): ReturnType<typeof compilePlan> {
  const { plan } = objectOf(extension.value);
  const entries = isShaped ? plan : listOf(plan).map((entry) => (isPlanEntry(entry) ? entry : null));
  return compilePlan(entries, {
    ...(world ?? planWorldOf(ledger, registry)),
    source: extension,
    path: ["plan"],
    startMs,
  });
}

function scenarioOf(
  parts: Parts,
  world: CompiledWorld & Pick<WorldState, "nowMs" | "seed">,
  { plan, profile }: { readonly plan: Omit<Plan, "expected">; readonly profile: string },
): Scenario {
  const { extension, main } = parts;
  const options = objectOf(extension.value);
  const isLoud = options["onUnplannedRequest"] === "error";
  const { ledger, participants, registry, nowMs, seed } = world;
  // Copies of a state have the layout of the first one: every member of a literal is in the object itself.
  const initial: WorldState = {
    ledger,
    participants,
    registry,
    nowMs,
    seed,
    counter: 0,
    plan: { ...plan, expected: isLoud ? expectedOperations(main.document, options["plan"]) : undefined },
    timedDone: 0,
    callCounts: new Map(),
    responseCounts: [],
  };
  const sources = [
    extension,
    ...documentsOf(main.document).map(({ source }) => source),
    ...fixtureList(parts).map(({ source }) => source),
  ];
  return {
    file: extension.name,
    files: [...new Set(sources.flatMap((source) => (source === undefined ? [] : [source.name])))],
    main,
    inputs: objectOf(options["inputs"]),
    initial,
    initialAt: (startMs) => initialAt(parts, startMs),
    profile,
    profiles: textsOf(options["profiles"]),
    placeholder: (["ledger", "registry"] as const).find((kind) => parts[kind].source === parts.placeholder),
    clockMode: clockModeOf(string(objectOf(options["clock"])["mode"], "frozen")),
  };
}

/** The initial state with another start. Only that differs from sources that were compiled without a problem. */
function initialAt(parts: Parts, startMs: number): WorldState {
  const result = compiled({ ...parts, overrides: { ...parts.overrides, startMs } }, []);
  if (result.type === "invalid") throw new Error("invariant: a scenario is valid with every start");
  return result.scenario.initial;
}

/** A problem for a file of another kind, recognized by its members. */
function otherKind(source: SourceFile): Problem | undefined {
  const kinds = [
    ["log", "is a recording (HAR), not a scenario"],
    ["openapi", "is an API description, not a scenario"],
  ] as const;
  const root = objectOf(source.value);
  const found = kinds.find(([member]) => root[member] !== undefined);
  const isScenario = root["workflows"] !== undefined;
  const problem = isScenario
    ? undefined
    : (found?.[1] ?? (source.value === null || source.value === "" ? "is empty" : "has no workflows"));
  if (problem === undefined) return undefined;
  const advice =
    "A scenario is an Arazzo document with workflows; scenarios/quickstart.arazzo.yaml of the package is a short one.";
  return { file: source.name, line: 1, column: 1, problem: `the file ${problem}`, advice };
}

/** The operations that the steps call or the plan names. */
function expectedOperations(document: ArazzoDocument, plan: Json | undefined): ReadonlySet<string> {
  const workflows = documentsOf(document).flatMap((each) => each.workflows);
  const called = workflows.flatMap(({ value }) => objectsOf(value["steps"]).map(operationIdOf));
  const planned = objectsOf(plan).map((entry) => textOf(entry["on"]));
  return new Set([...called, ...planned]).intersection(new Set<string>(operationIds));
}

/** Whether a profile supports a ledger: profile `spec` requires an identity provider. */
export function isPlayable(ledger: LedgerState, profile: string): boolean {
  return profile !== "spec" || ledger.identityProviders.size > 0;
}

/** The schema allows a leap second and times before 1970, which blobs of contracts cannot have. */
function withoutStart(extension: SourceFile): readonly Problem[] {
  const { start } = objectOf(objectOf(extension.value)["clock"]);
  if (typeof start !== "string" || instantOf(start) !== undefined) return [];
  const advice = instantAdvice;
  const path = ["clock", "start"];
  return [problemAt(extension, path, `${pathText(extension, path)} is not a valid timestamp`, advice)];
}

export function clockModeOf(name: string): ClockMode {
  if (name === "frozen") return { type: "frozen" };
  return { type: "running", speed: name === "x60" ? 60 : 1 };
}

function checkProfiles(extension: SourceFile): readonly Problem[] {
  const known = profileNamesOf("ledger");
  const options = objectOf(extension.value);
  const named: readonly (readonly [path: ValuePath, name: string])[] = [
    ...(options["profile"] === undefined ? [] : [[["profile"], textOf(options["profile"])] as const]),
    ...textsOf(options["profiles"]).map((name, index) => [["profiles", index], name] as const),
  ];
  return named
    .filter(([, name]) => !known.some((profile) => profile === name))
    .map(([path, name]) => {
      const problem = `${pathText(extension, path)} names the unknown profile ${JSON.stringify(name)}`;
      return problemAt(extension, path, problem, advise(name, known));
    });
}

function itself(found: Problem): Problem {
  return found;
}

function invalid(problems: readonly Problem[]): ScenarioResult {
  return { type: "invalid", problems };
}

/** The extension of the workflow with the places of the whole file. */
function extensionOf({ value: workflow, document: { source }, path: around }: Workflow): SourceFile | undefined {
  const part = "x-understudy";
  const value = workflow[part];
  if (value === undefined) return undefined;
  return { ...source, value, part, placeOf: (path, of) => source.placeOf([...around, part, ...path], of) };
}
