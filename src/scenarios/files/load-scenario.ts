import type { Json, JsonObject } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf, textsOf } from "../../foundation/json/members.ts";
import { loadSpec, profileNamesOf } from "../../foundation/spec/spec.ts";
import { tableOf } from "../../foundation/table/table.ts";
import { advise } from "../../foundation/text/suggestion.ts";
import { asLedgerContract } from "../../simulator/daml/registry-contract.ts";
import type { LedgerState } from "../../simulator/ledger/ledger-state.ts";
import type { ParticipantLedgers } from "../../simulator/world/participants.ts";
import type { ClockMode } from "../../simulator/world/world.ts";
import type { WorldState } from "../../simulator/world/world-state.ts";
import { number, string } from "./_reader.ts";
import { checkSchema } from "./check-schema.ts";
import { checkStepParticipants, checkSteps } from "./check-steps.ts";
import { compilePlan } from "./compile-plan.ts";
import { checkLedgerFixture, ledgerFrom } from "./ledger-fixture.ts";
import { operationIdOf } from "./operation-id.ts";
import { firstOf, missingFile, type Problem, problemAt } from "./problem.ts";
import { checkProviderStates } from "./provider-states.ts";
import { readYaml, type SourceResult } from "./read-yaml.ts";
import { checkRegistryFixture, holdingsFrom, registryFrom } from "./registry-fixture.ts";
import type { SourceFile } from "./source-file.ts";
import { stepOperations } from "./step-operations.ts";

/** A loaded and checked scenario: the initial state and profile of a stub, and the workflow. */
export interface Scenario {
  readonly file: string;
  /** The files that were read: the scenario and its fixtures. */
  readonly files: readonly string[];
  readonly workflow: JsonObject;
  readonly initial: WorldState;
  /** The initial state with another start of virtual time, in milliseconds since the epoch. */
  readonly initialAt: (startMs: number) => WorldState;
  readonly profile: string;
  readonly profiles: readonly string[];
  readonly clockMode: ClockMode;
}

export type ScenarioResult =
  | { readonly type: "loaded"; readonly scenario: Scenario }
  | { readonly type: "invalid"; readonly problems: readonly Problem[] };

/** Reads files. Names are relative to the file that contains them; the text of a missing file is undefined. */
export interface FileReader {
  read(path: string): string | undefined;
  resolve(from: string, relative: string): string;
  /** Why a file may not be read; undefined if it may, or if the files are texts in memory. */
  refusal?(from: string, relative: string): NameRefusal | undefined;
  /** Why a file is not readable, such as `does not exist`; undefined if it is readable. Readers of texts in memory omit it. */
  unreadable?(path: string): string | undefined;
  /** The name, in the folder of a missing file, that resembles it; written like the given name. */
  similar?(name: string): string | undefined;
}

/** The problem of a file name, to be written after its member, and advice. */
export interface NameRefusal {
  readonly problem: string;
  readonly advice: string;
}

const startDefault = "2026-01-01T00:00:00Z";

/** Values that override those of the scenario. */
export interface ScenarioOverrides {
  readonly seed?: number | undefined;
  /** Release of the ledger. */
  readonly profile?: string | undefined;
  /** Start of virtual time, in milliseconds since the epoch. */
  readonly startMs?: number | undefined;
}

/** Reads a scenario with its fixtures. Returns the problems of all of them; the plan is checked when the fixtures can be read. */
export function loadScenario(file: string, files: FileReader, overrides: ScenarioOverrides = {}): ScenarioResult {
  const read = readSource(file, files);
  if (read.type === "invalid") return read;
  const foreign = otherKind(read.source);
  if (foreign !== undefined) return { type: "invalid", problems: [foreign] };
  const outline = checkSchema("arazzo", read.source);
  const workflows = objectsOf(objectOf(read.source.value)["workflows"]);
  const extension = part(read.source, ["workflows", 0, "x-understudy"], objectOf(workflows[0])["x-understudy"]);
  if (extension === undefined && outline.length > 0) return { type: "invalid", problems: outline };
  if (extension === undefined)
    return {
      type: "invalid",
      problems: [
        problemAt(
          read.source,
          ["workflows", 0],
          "the workflow has no x-understudy",
          "Add the fixtures that the stub starts from: x-understudy: { given: { ledger: …, registry: … } }.",
        ),
      ],
    };
  const called = stepOperations.map(({ operationId }) => operationId);
  const shape = checkSchema("scenario", extension);
  // Steps without their members would have the same problem twice.
  const steps = outline.length > 0 ? [] : checkSteps(read.source, objectOf(workflows[0]), called);
  const problems = [
    ...outline,
    ...shape,
    ...checkProfiles(extension),
    ...firstOf(steps, itself),
    ...checkStepParticipants(read.source, objectOf(workflows[0])),
    ...firstOf(checkProviderStates(extension, objectOf(workflows[0])), itself),
  ];
  if (shape.length > 0) return { type: "invalid", problems };
  const result = withFixtures(file, files, extension, objectOf(workflows[0]), overrides);
  if (problems.length === 0) return result;
  return { type: "invalid", problems: [...problems, ...problemsOf(result)] };
}

function withFixtures(
  file: string,
  files: FileReader,
  extension: SourceFile,
  workflow: JsonObject,
  overrides: ScenarioOverrides,
): ScenarioResult {
  const given = objectOf(objectOf(extension.value)["given"]);
  const further = Object.entries(objectOf(given["participants"]));
  const named = [
    ...(["ledger", "registry"] as const).map((kind) => [["given", kind], given[kind]] as const),
    ...further.map(([name, path]) => [["given", "participants", name], path] as const),
  ];
  const refused = named.flatMap(([path, value]) => {
    const name = textOf(value);
    const refusal = files.refusal?.(file, name) ?? missingFixture(file, name, files);
    if (refusal === undefined) return [];
    return [problemAt(extension, path, `${path.join(".")} ${name} ${refusal.problem}`, refusal.advice)];
  });
  if (refused.length > 0) return { type: "invalid", problems: refused };
  const ledger = readFixture("ledger", files.resolve(file, textOf(given["ledger"])), files);
  const registry = readFixture("registry", files.resolve(file, textOf(given["registry"])), files);
  const others = further.map(
    ([name, path]) => [name, readFixture("ledger", files.resolve(file, textOf(path)), files)] as const,
  );
  const unread = [ledger, registry, ...others.map(([, result]) => result)].flatMap(problemsOf);
  if (unread.length > 0 || ledger.type === "invalid" || registry.type === "invalid")
    return { type: "invalid", problems: unread };
  return compile({
    file,
    extension,
    workflow,
    ledgerSource: ledger.source,
    registrySource: registry.source,
    participantSources: others.flatMap(([name, result]) => (result.type === "read" ? [[name, result.source]] : [])),
    overrides,
  });
}

/** The problem of a fixture that cannot be read, for the line that names it. */
function missingFixture(file: string, name: string, files: FileReader): NameRefusal | undefined {
  const path = files.resolve(file, name);
  const reason = files.unreadable?.(path);
  if (reason === undefined) return undefined;
  const near = files.similar?.(path)?.split("/").at(-1);
  const folder = name.slice(0, name.lastIndexOf("/") + 1);
  return {
    problem: reason,
    advice:
      near === undefined
        ? "Check the path; it is relative to the scenario."
        : `Did you mean ${JSON.stringify(`${folder}${near}`)}?`,
  };
}

interface CheckedSources {
  readonly file: string;
  readonly extension: SourceFile;
  readonly workflow: JsonObject;
  readonly ledgerSource: SourceFile;
  readonly registrySource: SourceFile;
  /** The further participants by name. */
  readonly participantSources: readonly (readonly [name: string, source: SourceFile])[];
  readonly overrides: ScenarioOverrides;
}

function compile(sources: CheckedSources): ScenarioResult {
  const { file, extension, workflow, ledgerSource, registrySource, participantSources, overrides } = sources;
  const options = objectOf(extension.value);
  const clock = objectOf(options["clock"]);
  const seed = overrides.seed ?? number(options["seed"], 1);
  const startMs = overrides.startMs ?? Date.parse(string(clock["start"], startDefault));
  const registry = registryFrom(registrySource, seed);
  const contracts = [
    ...[...registry.contracts.values()].map(asLedgerContract),
    ...holdingsFrom(registrySource, registry, seed, Number.isNaN(startMs) ? 0 : startMs),
  ];
  const ledger = {
    ...ledgerFrom(ledgerSource),
    contracts: tableOf(contracts.map((contract) => [contract.contractId, contract])),
  };
  const participants = new Map(participantSources.map(([name, source]) => [name, ledgerFrom(source)]));
  const state = { ledger, registry, participants };
  const profile = overrides.profile ?? string(options["profile"], "spec");
  const { operations } = loadSpec({ ledger: "spec", registry: "spec" }, { hasAdditionalOperations: true });
  const operationIds = operations.map(({ operationId }) => operationId);
  const registryOperationIds = operations.filter(({ api }) => api === "registry").map(({ operationId }) => operationId);
  const { plan, problems } = compilePlan(options["plan"], {
    ...state,
    source: extension,
    path: ["plan"],
    startMs,
    operationIds,
    registryOperationIds,
  });
  const unfit = [
    ...(isPlayable(state.ledger, profile) ? [] : [withoutProvider(ledgerSource)]),
    ...participantSources.flatMap(([name, source]) => {
      const own = participants.get(name);
      return own === undefined || isPlayable(own, profile) ? [] : [withoutProvider(source)];
    }),
    ...sameParticipant(extension, state),
    ...(Number.isNaN(startMs) ? [withoutStart(extension)] : []),
  ];
  if (problems.length + unfit.length > 0)
    return { type: "invalid", problems: firstOf([...problems, ...unfit], itself) };
  const isLoud = options["onUnplannedRequest"] === "error";
  const expected = isLoud ? expectedOperations(workflow, options["plan"], operationIds) : undefined;
  const initial: WorldState = {
    ...state,
    nowMs: startMs,
    seed,
    counter: 0,
    plan: { ...plan, expected },
    timedDone: 0,
    callCounts: new Map(),
    responseCounts: [],
  };
  return {
    type: "loaded",
    scenario: {
      file,
      files: [file, ledgerSource.name, registrySource.name, ...participantSources.map(([, source]) => source.name)],
      workflow,
      initial,
      initialAt: (atMs) => initialAt(sources, atMs),
      profile,
      profiles: textsOf(options["profiles"]),
      clockMode: clockModeOf(string(clock["mode"], "frozen")),
    },
  };
}

/** The initial state with another start. Only that differs from sources that were compiled without a problem. */
function initialAt(sources: CheckedSources, startMs: number): WorldState {
  const result = compile({ ...sources, overrides: { ...sources.overrides, startMs } });
  if (result.type === "invalid") throw new Error("invariant: a scenario is valid with every start");
  return result.scenario.initial;
}

/** A problem for a file of another kind, recognized by its members. */
function otherKind(source: SourceFile): Problem | undefined {
  const kinds = [
    ["participantId", "is a ledger fixture, not a scenario"],
    ["factory", "is a registry fixture, not a scenario"],
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
    "A scenario is an Arazzo document with one workflow; scenarios/quickstart.arazzo.yaml is the shortest.";
  return { file: source.name, line: 1, problem: `the file ${problem}`, advice };
}

/** The operations that the steps call or the plan names. */
function expectedOperations(
  workflow: JsonObject,
  plan: Json | undefined,
  operationIds: readonly string[],
): ReadonlySet<string> {
  const called = objectsOf(workflow["steps"]).map(operationIdOf);
  const planned = objectsOf(plan).map((entry) => textOf(entry["on"]));
  return new Set([...called, ...planned].filter((name) => operationIds.includes(name)));
}

/** Whether a profile supports a ledger: profile `spec` requires an identity provider. */
export function isPlayable(ledger: LedgerState, profile: string): boolean {
  return profile !== "spec" || ledger.identityProviders.size > 0;
}

/** The problem of a participant whose id another participant has. */
function sameParticipant(extension: SourceFile, { ledger, participants }: ParticipantLedgers): readonly Problem[] {
  const ids = [ledger, ...participants.values()].map(({ participantId }) => participantId);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice === undefined) return [];
  const advice = "Give each participant a ledger fixture with its own participantId.";
  return [problemAt(extension, ["given", "participants"], `two participants have the id ${twice}`, advice)];
}

/** The problem of a ledger without an identity provider. Its list is never empty (spec §8). */
function withoutProvider(source: SourceFile): Problem {
  const advice = "Add one under identityProviders, or use a release's profile.";
  return problemAt(source, ["identityProviders"], "a ledger in profile spec needs an identity provider", advice);
}

/** The schema allows a leap second, but Date does not. */
function withoutStart(extension: SourceFile): Problem {
  const advice = "Write it as 2026-01-01T00:00:00Z.";
  return problemAt(extension, ["clock", "start"], "clock.start is not a valid timestamp", advice);
}

export function clockModeOf(name: string): ClockMode {
  if (name === "frozen") return { type: "frozen" };
  return { type: "running", speed: name === "x60" ? 60 : 1 };
}

function checkProfiles(extension: SourceFile): readonly Problem[] {
  const known = profileNamesOf("ledger");
  const options = objectOf(extension.value);
  const named = [
    ...(options["profile"] === undefined ? [] : [textOf(options["profile"])]),
    ...textsOf(options["profiles"]),
  ];
  return named
    .filter((name) => !known.includes(name))
    .map((name) => problemAt(extension, ["profile"], `unknown profile ${JSON.stringify(name)}`, advise(name, known)));
}

function readSource(file: string, files: FileReader): SourceResult {
  const text = files.read(file);
  if (text !== undefined) return readYaml(file, text, () => files.read(file) ?? "");
  return { type: "invalid", problems: [{ file, line: undefined, ...unreadableProblem(file, files) }] };
}

/** The problem of a file that cannot be read, with its name, and advice. */
function unreadableProblem(file: string, files: FileReader): NameRefusal {
  const reason = files.unreadable?.(file) ?? "does not exist";
  if (reason === "is a folder")
    return { problem: `${file} is a folder`, advice: "Name the files in it, such as scenarios/*.yaml." };
  if (reason !== "does not exist") return { problem: `${file} ${reason}`, advice: "Check its permissions." };
  return missingFile(file, files.similar?.(file));
}

/** Reads and checks a fixture of that kind. */
export function readFixture(kind: "ledger" | "registry", file: string, files: FileReader): SourceResult {
  const read = readSource(file, files);
  if (read.type === "invalid" || read.source.isChecked === true) return read;
  const problems = checkSchema(kind, read.source);
  if (problems.length > 0) return { type: "invalid", problems };
  const deeper = kind === "ledger" ? checkLedgerFixture(read.source) : checkRegistryFixture(read.source);
  return deeper.length > 0 ? { type: "invalid", problems: firstOf(deeper, itself) } : read;
}

function itself(found: Problem): Problem {
  return found;
}

function problemsOf(result: SourceResult | ScenarioResult): readonly Problem[] {
  return result.type === "invalid" ? result.problems : [];
}

/** A part of a file with the lines of the whole file. */
function part(source: SourceFile, path: readonly (string | number)[], value: Json | undefined): SourceFile | undefined {
  return value === undefined ? undefined : { ...source, value, lineOf: (inner) => source.lineOf([...path, ...inner]) };
}
