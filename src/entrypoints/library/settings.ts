import { CountedLimits } from "../../foundation/limits/counted-limits.ts";
import {
  type LimitName,
  type LimitValues,
  limitList,
  limitValues,
  problemOfLimits,
} from "../../foundation/limits/limits.ts";
import { impliedRegistryProfile, profileNamesOf } from "../../foundation/spec/spec.ts";
import { advise } from "../../foundation/text/suggestion.ts";
import { clockModeOf, type FileReader, loadScenario, type Scenario } from "../../scenarios/files/load-scenario.ts";
import { formatProblem } from "../../scenarios/files/problem.ts";
import type { Hosting } from "../../stub/hosting/hosting.ts";
import { type AuthenticationMode, authenticationModes } from "../../stub/pipeline/claims.ts";
import { audienceOf, createTokenVerifier, scopeDefault } from "../../stub/tokens/verify-token.ts";
import { hostScenario } from "./host-scenario.ts";

/** What a stub starts from and speaks like; everything has a default. */
export interface UnderstudyOptions {
  /** Path of a scenario file, or its `file:` URL. The built-in quickstart when left out. */
  readonly scenario?: string | URL;
  /** Texts of files by path: the scenario and its fixtures are read from these rather than from disk. */
  readonly files?: Readonly<Record<string, string>>;
  /** Release of the ledger to play, such as `canton-3.5`. The scenario's own when left out. */
  readonly profile?: string;
  /** Release of the registry. What the ledger's profile implies when left out. */
  readonly registryProfile?: string;
  /** Seed of all ids, a whole number. The scenario's own when left out. */
  readonly seed?: number;
  /** `bearer` (default) takes any token, `user` takes it as a user id, `jwt` verifies it, `none` asks for none. */
  readonly authentication?: AuthenticationMode;
  /** The secret with which tokens of `jwt` are signed (HS256); `unsafe` when left out. */
  readonly jwtSecret?: string;
  /** Where virtual time begins. The scenario's own moment when left out; clients that look at their own clock want now. */
  readonly startAt?: Date;
  /** `frozen` stands still until it is advanced, `real` and `x60` run. The scenario's own when left out. */
  readonly clock?: "frozen" | "real" | "x60";
  /** Whether signatures are verified with the keys of their parties; false when left out. */
  readonly verifySignatures?: boolean;
  /** How much there may be of everything, by name, such as `{ worldsMax: 100 }`; what is left out is as `docs/limits.md` says. */
  readonly limits?: Partial<LimitValues>;
  /** Whether the operations outside the spec are left out; false when left out. */
  readonly onlyDocumented?: boolean;
}

/** Where scenarios come from, and the one to take where none is named. */
export interface ScenarioSource {
  readonly files: FileReader;
  readonly path: string;
}

/** The hosting that the settings ask for. Throws RangeError for a setting that cannot be, and an Error that lists the scenario's problems. */
export function hostingOf(options: UnderstudyOptions, source: ScenarioSource): Hosting {
  checkOptions(options);
  const scenario = scenarioOf(options, source);
  const registry = options.registryProfile ?? impliedRegistryProfile(scenario.profile);
  return hostScenario(scenario, {
    profile: { ledger: scenario.profile, registry: knownProfile("registry", registry) },
    authentication: options.authentication ?? "bearer",
    verifyToken: createTokenVerifier({
      key: { type: "secret", secret: options.jwtSecret ?? "unsafe" },
      audiences: [audienceOf(scenario.initial.ledger.participantId)],
      scopes: [scopeDefault],
    }),
    ...(options.clock === undefined ? {} : { clockMode: clockModeOf(options.clock) }),
    areSignaturesVerified: options.verifySignatures === true,
    hasAdditionalOperations: options.onlyDocumented !== true,
    limits: new CountedLimits(limitValues(options.limits)),
    wallNowMs: Date.now,
  });
}

/** Programs in JavaScript have no compiler to tell them of a slip. */
function checkOptions(options: UnderstudyOptions): void {
  for (const [name, value] of Object.entries(options)) {
    const problemOf = optionsForms.get(name);
    if (problemOf === undefined)
      throw new RangeError(`there is no setting ${JSON.stringify(name)}. ${advise(name, optionsForms.keys())}`);
    const problem = value === undefined ? undefined : problemOf(name, value);
    if (problem !== undefined) throw new RangeError(problem);
  }
}

/** What is wrong with the value of a setting; undefined where nothing is. */
type OptionsForm = (name: string, value: unknown) => string | undefined;

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const isTimestamp = (value: unknown): boolean => value instanceof Date && !Number.isNaN(value.getTime());
// A test environment may have a URL of its own, so its class says nothing.
const isUrl = (value: unknown): boolean => typeof value === "object" && value !== null && "protocol" in value;
const flag = form("neither true nor false", (value) => typeof value === "boolean");
const text = form("no text, or an empty one", isText);

const optionsForms: ReadonlyMap<string, OptionsForm> = new Map([
  ["authentication", oneOf(authenticationModes)],
  ["clock", oneOf(["frozen", "real", "x60"])],
  ["files", form("no object of texts by path", (value) => typeof value === "object" && value !== null)],
  ["jwtSecret", text],
  ["limits", (_name, value) => problemOfGivenLimits(value)],
  ["onlyDocumented", flag],
  ["port", form("no whole number from 0 to 65535", (value) => isWhole(value) && value <= 65_535)],
  ["profile", text],
  ["registryProfile", text],
  ["scenario", form("neither a path nor a URL", (value) => isText(value) || isUrl(value))],
  ["seed", form("no whole number from 0 on", isWhole)],
  ["startAt", form("no Date of a moment", isTimestamp)],
  ["verifySignatures", flag],
]);

function problemOfGivenLimits(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return `the limits ${shown(value)} are no object of numbers by name`;
  const known = limitList.map(({ name }) => name);
  const given: { [Name in LimitName]?: number } = {};
  for (const [name, number] of Object.entries(value)) {
    const limit = known.find((candidate) => candidate === name);
    if (limit === undefined) return `there is no limit ${JSON.stringify(name)}. ${advise(name, known)}`;
    if (number === undefined) continue;
    if (typeof number !== "number") return `the limit ${name} ${shown(number)} is no number`;
    given[limit] = number;
  }
  const found = problemOfLimits(limitValues(given));
  return found === undefined ? undefined : `the limit ${found.name} ${given[found.name]} ${found.problem}`;
}

function form(whatItIs: string, isMet: (value: unknown) => boolean): OptionsForm {
  return (name, value) => (isMet(value) ? undefined : `the ${name} ${shown(value)} is ${whatItIs}`);
}

function oneOf(known: readonly string[]): OptionsForm {
  return (name, value) =>
    isText(value) && known.includes(value)
      ? undefined
      : `there is no ${name} ${shown(value)}. ${advise(String(value), known)}`;
}

function shown(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

function scenarioOf(
  { scenario, seed, profile, startAt }: UnderstudyOptions,
  { files, path }: ScenarioSource,
): Scenario {
  const file = scenario === undefined ? path : pathOf(scenario);
  const requested = profile === undefined ? undefined : knownProfile("ledger", profile);
  const result = loadScenario(file, files, { seed, profile: requested, startMs: startAt?.getTime() });
  if (result.type === "loaded") return result.scenario;
  throw new Error(result.problems.map(formatProblem).join("\n"));
}

function pathOf(scenario: string | URL): string {
  if (typeof scenario === "string") return scenario;
  if (scenario.protocol !== "file:")
    throw new RangeError(`the scenario ${scenario.href} is no file; scenarios are read from disk only`);
  return decodeURIComponent(scenario.pathname.replace(/^\/(?=[A-Za-z]:\/)/, ""));
}

/** The name of a profile, once it is known to be one. Throws RangeError with the nearest. */
export function knownProfile(api: "ledger" | "registry", name: string): string {
  const known = profileNamesOf(api);
  if (known.includes(name)) return name;
  throw new RangeError(`there is no ${api} profile ${JSON.stringify(name)}. ${advise(name, known)}`);
}
