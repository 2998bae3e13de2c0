import type { JSONWebKeySet } from "jose";
import { CountedLimits } from "../../foundation/limits/counted-limits.ts";
import {
  findLimitProblem,
  type LimitName,
  type LimitValues,
  limitList,
  limitValues,
} from "../../foundation/limits/limits.ts";
import type { Api } from "../../foundation/spec/contracts.ts";
import type { LedgerProfile, RegistryProfile } from "../../foundation/spec/generated/names.ts";
import {
  bodyBytesMaxOf,
  impliedRegistryProfile,
  knownProfiles,
  type ProfileNames,
  profileNamesOf,
} from "../../foundation/spec/spec.ts";
import { advise } from "../../foundation/text/suggestion.ts";
import type { FileReader } from "../../scenarios/files/file-reader.ts";
import {
  clockModeOf,
  loadScenario,
  type Scenario,
  type ScenarioOverrides,
} from "../../scenarios/files/load-scenario.ts";
import type { Hosting } from "../../stub/hosting/hosting.ts";
import type { HostingOptions } from "../../stub/hosting/hosting-options.ts";
import { type AuthenticationMode, authenticationModes } from "../../stub/pipeline/claims.ts";
import { createTokenVerifier, scopeDefault, type TokenTrust } from "../../stub/tokens/verify-token.ts";
import type { StoredHosting } from "../stores/open-keeper.ts";
import { type HostScenarioOptions, hostScenario } from "./host-scenario.ts";
import { localnetAudience } from "./localnet-names.ts";
import {
  form,
  isText,
  isWhole,
  type OptionCheck,
  type OptionChecks,
  oneOf,
  optionProblem,
  shown,
  text,
  yesOrNo,
} from "./option-checks.ts";
import { steadyNowMs } from "./steady-now-ms.ts";
import { errorOfProblems } from "./understudy-error.ts";

/** Options of a stub; each has a default. */
export interface UnderstudyOptions {
  /** Path of a scenario or of a fixture alone, or its `file:` URL. Default: the built-in quickstart. */
  readonly scenario?: string | URL;
  /** Contents of files by path. The scenario and its fixtures are then read from here, not from disk. */
  readonly files?: Readonly<Record<string, string>>;
  /** Release of the ledger, such as `canton-3.5`, or `spec`. Default: the scenario's profile. */
  readonly profile?: LedgerProfile;
  /** Release of the registry, such as `splice-0.7`. Default: the one that goes with the ledger's profile. */
  readonly registryProfile?: RegistryProfile;
  /** Seed of all generated ids, a non-negative integer. Default: the scenario's seed. */
  readonly seed?: number;
  /** `bearer` (default) accepts any token, `user` reads the token as a user id, `jwt` verifies it, `none` requires no token. */
  readonly auth?: AuthenticationMode;
  /** Secret of the tokens (HS256) for `auth: "jwt"`. Default: `unsafe`. */
  readonly jwtSecret?: string;
  /** Fixed token of the node's console, which has every right, for `auth: "jwt"`. Default: none. */
  readonly adminToken?: string;
  /**
   * Start of virtual time. Default: the scenario's start. Use `now` for clients that compare with their own clock; a reset
   * then starts at the time of the reset.
   */
  readonly start?: Date | "now";
  /** `frozen` changes only with `clock.advance`; `real` runs, `x60` runs 60 times as fast. Default: the scenario's mode. */
  readonly clock?: "frozen" | "real" | "x60";
  /** Whether signatures are verified with the keys of their parties. Default: false. */
  readonly verifySignatures?: boolean;
  /** Limits by name, such as `{ worldsMax: 100 }`. Names and defaults: `docs/limits.md`. */
  readonly limits?: Partial<LimitValues>;
  /**
   * Whether the stub plays a LocalNet: its participants, users, parties, registry and tokens (HS256 with the secret `unsafe`),
   * in real time, with signatures verified. Other options take precedence. Default: false.
   */
  readonly localnet?: boolean;
  /** Whether only the operations of the spec are served, without the additional ones. Default: false. */
  readonly specOnly?: boolean;
}

/** Options of a stub that listens. */
export interface StartOptions extends UnderstudyOptions {
  /** Port to listen on. Default: a free one; with `localnet`, all ports of a LocalNet. */
  readonly port?: number;
  /** Address to listen on, such as `0.0.0.0` for clients in containers or on other machines. Default: `127.0.0.1`. */
  readonly host?: string;
  /** Host name by which clients reach the stub, without a port; it stands in `ledgerUrl`. Default: the address. */
  readonly hostName?: string;
  /** Whether pages of other origins may send requests, such as tests of components in jsdom and happy-dom. Default: false. */
  readonly cors?: boolean;
  /**
   * Where worlds are kept: `memory:` (default), `sqlite:FILE` or `postgres://USER:PASSWORD@HOST:PORT/DATABASE`. In a file or a
   * database they outlive the process.
   */
  readonly store?: string;
  /** `strict` (default) stores a change before its response is sent; `relaxed` does not wait, and a crash may lose the newest changes. */
  readonly durability?: "strict" | "relaxed";
  /** Token that the control API and the inspector require, 16 to 256 characters. Required if other machines can reach the address. */
  readonly controlToken?: string;
}

/** A reader of scenario files, and the path of the default scenario. */
export interface ScenarioSource {
  readonly files: FileReader;
  readonly path: string;
}

/** Throws RangeError for the first name or value that is not an option. */
export function checkOptions(options: UnderstudyOptions): void {
  const problem = optionProblem(options, optionChecks, "UnderstudyOptions");
  if (problem !== undefined) throw new RangeError(problem);
}

/** The options with what a LocalNet has by default, if they ask for one. */
export function withLocalnet<Given extends UnderstudyOptions>(options: Given): Given {
  if (options.localnet !== true) return options;
  return { auth: "jwt", clock: "real", start: "now", verifySignatures: true, ...options };
}

/** The tokens that the stub accepts; `keys` are those of its authorization server. */
function trustOf(options: UnderstudyOptions, keys: JSONWebKeySet | undefined): TokenTrust {
  const [secret, { adminToken }] = [jwtSecretOf(options), options];
  if (options.localnet !== true)
    return { key: { type: "secret", secret }, audiences: "participant", scopes: [scopeDefault], adminToken };
  const key =
    keys === undefined ? ({ type: "secret", secret } as const) : ({ type: "secret-or-jwks", secret, keys } as const);
  return { key, audiences: [localnetAudience], scopes: [], adminToken };
}

/** Creates the hosting for the options; `watch` watches its clients, `stored` keeps its worlds. Throws RangeError for an invalid option, and an UnderstudyError that lists the scenario's problems. */
export function hostingOf(
  options: UnderstudyOptions,
  source: ScenarioSource,
  watch: (profile: ProfileNames) => Pick<HostingOptions, "coverage" | "createClientRules"> = () => ({}),
  stored?: StoredHosting,
  keys?: JSONWebKeySet,
): Hosting {
  const scenario = scenarioOf(options, source);
  const registry = options.registryProfile ?? impliedRegistryProfile(scenario.profile);
  const profile = knownProfiles({ ledger: scenario.profile, registry: knownProfile("registry", registry) });
  return hostScenario(scenario, {
    ...hostingSettings(options),
    ...watch(profile),
    ...stored,
    profile,
    verifyToken: createTokenVerifier(trustOf(options, keys)),
    limits: new CountedLimits(limitValues(options.limits, bodyBytesMaxOf(scenario.profile))),
  });
}

/** Options of a stub that need neither its scenario nor its tokens. */
export type StubOptions = {
  readonly [Name in "profile" | "seed" | "auth" | "start" | "clock" | "verifySignatures" | "specOnly"]?:
    | UnderstudyOptions[Name]
    | undefined;
};

/** What these options set in a scenario. */
export function scenarioOverrides({ seed, profile, start }: StubOptions): ScenarioOverrides {
  return { seed, profile, startMs: start === "now" ? Date.now() : start?.getTime() };
}

/** What these options set in a hosting. */
export function hostingSettings(options: StubOptions): HostScenarioOptions {
  return {
    auth: options.auth ?? "bearer",
    ...(options.clock === undefined ? {} : { clockMode: clockModeOf(options.clock) }),
    startsNow: options.start === "now",
    areSignaturesVerified: options.verifySignatures === true,
    hasAdditionalOperations: options.specOnly !== true,
    wallNowMs: Date.now,
    steadyNowMs,
  };
}

/** The secret that signs tokens with `auth: "jwt"`. */
export function jwtSecretOf({ jwtSecret = "unsafe" }: UnderstudyOptions): string {
  return jwtSecret;
}

export const clockModes = ["frozen", "real", "x60"] as const;

const isStart = (value: unknown): boolean => value === "now" || (value instanceof Date && value.getTime() >= 0);
// Test environments can replace the class URL, so instanceof does not work.
const isUrl = (value: unknown): boolean => typeof value === "object" && value !== null && "protocol" in value;

/** A port, or 0 for a free one. */
export const portCheck: OptionCheck = form(
  "not a valid port. Use an integer from 0 to 65535.",
  (value) => isWhole(value) && value <= 65_535,
);

/** Checks at run time, for callers without TypeScript. */
const optionChecks: OptionChecks<StartOptions> = {
  adminToken: text,
  auth: oneOf(authenticationModes),
  clock: oneOf(clockModes),
  controlToken: text,
  cors: yesOrNo,
  files: form(
    'not an object. Use texts by path, such as { "a.yaml": "…" }.',
    (value) => typeof value === "object" && value !== null,
  ),
  host: text,
  hostName: text,
  durability: oneOf(["strict", "relaxed"]),
  jwtSecret: text,
  localnet: yesOrNo,
  limits: (_name, value) => limitsProblem(value),
  port: portCheck,
  profile: text,
  registryProfile: text,
  scenario: form("neither a path nor a URL.", (value) => isText(value) || isUrl(value)),
  seed: form("not a valid seed. Use an integer from 0.", isWhole),
  specOnly: yesOrNo,
  start: form(
    'not a valid Date. Use "now" or new Date("2026-01-01T00:00:00Z"), for example, not before 1970.',
    isStart,
  ),
  store: text,
  verifySignatures: yesOrNo,
};

function limitsProblem(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null)
    return `option limits: ${shown(value)} is not an object. Use numbers by name, such as { worldsMax: 100 }.`;
  const known = limitList.map(({ name }) => name);
  const given: { [Name in LimitName]?: number } = {};
  for (const [name, number] of Object.entries(value)) {
    const limit = known.find((candidate) => candidate === name);
    if (limit === undefined)
      return `option limits: unknown limit ${JSON.stringify(name)}. ${advise(name, known, "docs/limits.md lists all.")}`;
    if (number === undefined) continue;
    if (typeof number !== "number") return `option limits.${name}: ${shown(number)} is not a number.`;
    given[limit] = number;
  }
  const found = findLimitProblem(limitValues(given));
  return found === undefined ? undefined : `option limits.${found.name}: ${given[found.name]} is ${found.problem}`;
}

function scenarioOf(options: UnderstudyOptions, { files, path }: ScenarioSource): Scenario {
  const { scenario, profile } = options;
  const requested = profile === undefined ? undefined : knownProfile("ledger", profile);
  const overrides = scenarioOverrides({ ...options, profile: requested });
  const result = loadScenario(scenario === undefined ? path : pathOf(scenario), files, overrides);
  if (result.type === "loaded") return result.scenario;
  throw errorOfProblems(result.problems);
}

function pathOf(scenario: string | URL): string {
  if (typeof scenario === "string") return scenario;
  if (scenario.protocol !== "file:")
    throw new RangeError(`option scenario: ${scenario.href} is not a file: URL. Scenarios are read from disk only.`);
  return decodeURIComponent(scenario.pathname.replace(/^\/(?=[A-Za-z]:\/)/, ""));
}

/** Checks the name of a profile. Throws RangeError with the nearest known name. */
export function knownProfile<Of extends Api>(api: Of, name: string): ProfileNames[Of] {
  const known = profileNamesOf(api);
  const found = known.find((candidate) => candidate === name);
  if (found !== undefined) return found;
  throw new RangeError(`unknown ${api} profile ${JSON.stringify(name)}. ${advise(name, known)}`);
}
