import { loopbackHosts, withControl } from "../control/control.ts";
import { defaultWorldId, type Hosting } from "../hosting/hosting.ts";
import { clockModeOf, loadScenario } from "../scenario/load-scenario.ts";
import { formatMistake } from "../scenario/mistake.ts";
import { advise } from "../scenario/suggestion.ts";
import { bodyBytesMaxDefault, startServer } from "../server/http-server.ts";
import { impliedRegistryProfile, profileNamesOf } from "../spec/spec.ts";
import { type AuthenticationMode, authenticationModes } from "../stub/claims.ts";
import { audienceOf, createTokenVerifier, scopeDefault } from "../tokens/verify-token.ts";
import { diskFiles, packagedFile, quickstartScenario } from "./files.ts";
import { hostScenario } from "./host-scenario.ts";
import { Understudy } from "./understudy.ts";

/** What a stand-in starts from and speaks like; everything has a default. */
export interface UnderstudySettings {
  /** Path of a scenario file. The built-in quickstart when left out. */
  readonly scenario?: string;
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
  /** Whether the operations outside the document are left out; false when left out. */
  readonly onlyDocumented?: boolean;
}

/** A stand-in without a socket: `fetch` answers. Throws an Error that lists the mistakes of the scenario, with file and line. */
export function createUnderstudy(settings: UnderstudySettings = {}): Understudy {
  return new Understudy(hostingOf(settings), defaultWorldId, "http://understudy.invalid", async () => undefined);
}

/**
 * A stand-in that listens on loopback, on a free port unless `port` names one.
 * Rejects with an Error that lists the mistakes of the scenario, or with the system's when the port is taken.
 */
export async function startUnderstudy(
  settings: UnderstudySettings & { readonly port?: number } = {},
): Promise<Understudy> {
  const hosting = hostingOf(settings);
  const server = await startServer({
    handler: withControl(hosting, loopbackHosts),
    host: "127.0.0.1",
    port: settings.port ?? 0,
    bodyBytesMax: bodyBytesMaxDefault,
    isCorsAllowed: false,
    onFault: (fault) => process.emitWarning(fault instanceof Error ? fault : String(fault)),
  });
  return new Understudy(hosting, defaultWorldId, server.url, () => server.close());
}

const settingNames: readonly string[] = [
  "authentication",
  "clock",
  "jwtSecret",
  "onlyDocumented",
  "port",
  "profile",
  "registryProfile",
  "scenario",
  "seed",
  "startAt",
  "verifySignatures",
];

function hostingOf(settings: UnderstudySettings): Hosting {
  const { scenario: file = packagedFile(quickstartScenario), seed, authentication = "bearer" } = settings;
  const unknown = Object.keys(settings).find((name) => !settingNames.includes(name));
  if (unknown !== undefined)
    throw new RangeError(`there is no setting ${JSON.stringify(unknown)}. ${advise(unknown, settingNames)}`);
  if (seed !== undefined && !(Number.isSafeInteger(seed) && seed >= 0))
    throw new RangeError(`the seed ${seed} is no whole number from 0 on`);
  if (!authenticationModes.includes(authentication))
    throw new RangeError(
      `there is no authentication ${JSON.stringify(authentication)}. ${advise(authentication, authenticationModes)}`,
    );
  const asked = settings.profile === undefined ? undefined : knownProfile("ledger", settings.profile);
  const result = loadScenario(file, diskFiles, { seed, profile: asked, startMs: settings.startAt?.getTime() });
  if (result.type === "mistaken") throw new Error(result.mistakes.map(formatMistake).join("\n"));
  const ledger = result.scenario.profile;
  const registry = knownProfile("registry", settings.registryProfile ?? impliedRegistryProfile(ledger));
  return hostScenario(result.scenario, {
    profile: { ledger, registry },
    authentication,
    verifyToken: createTokenVerifier({
      key: { type: "secret", secret: settings.jwtSecret ?? "unsafe" },
      audiences: [audienceOf(result.scenario.initial.ledger.participantId)],
      scopes: [scopeDefault],
    }),
    ...(settings.clock === undefined ? {} : { clockMode: clockModeOf(settings.clock) }),
    areSignaturesVerified: settings.verifySignatures === true,
    hasNeighbours: settings.onlyDocumented !== true,
    wallNowMs: Date.now,
  });
}

function knownProfile(api: "ledger" | "registry", name: string): string {
  const known = profileNamesOf(api);
  if (known.includes(name)) return name;
  throw new RangeError(`there is no ${api} profile ${JSON.stringify(name)}. ${advise(name, known)}`);
}
