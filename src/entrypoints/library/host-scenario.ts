import { type GivenProfileNames, impliedRegistryProfile, knownProfiles } from "../../foundation/spec/spec.ts";
import type { Scenario } from "../../scenarios/files/load-scenario.ts";
import { type ClockMode, World } from "../../simulator/world/world.ts";
import { Hosting } from "../../stub/hosting/hosting.ts";
import type { HostingOptions } from "../../stub/hosting/hosting-options.ts";

/** Options of a hosting. The defaults come from the scenario, or are constants. */
export interface HostScenarioOptions {
  readonly profile?: GivenProfileNames;
  readonly auth?: HostingOptions["auth"];
  readonly verifyToken?: HostingOptions["verifyToken"];
  readonly areSignaturesVerified?: boolean;
  readonly hasAdditionalOperations?: boolean;
  readonly clockMode?: ClockMode;
  /** Whether the world starts at the time of the wall clock, after a reset too. */
  readonly startsNow?: boolean;
  readonly limits?: HostingOptions["limits"];
  readonly wallNowMs: () => number;
  readonly steadyNowMs?: HostingOptions["steadyNowMs"];
  readonly sleep?: HostingOptions["sleep"];
  readonly later?: HostingOptions["later"];
  readonly forkPrefix?: HostingOptions["forkPrefix"];
  readonly createClientRules?: HostingOptions["createClientRules"];
  readonly coverage?: HostingOptions["coverage"];
  readonly sharedStubs?: HostingOptions["sharedStubs"];
  readonly keeper?: HostingOptions["keeper"];
  readonly journals?: HostingOptions["journals"];
  readonly newForkId?: HostingOptions["newForkId"];
  readonly quotas?: HostingOptions["quotas"];
}

/** Creates a hosting with a new world from a scenario. The same scenario, options and requests give the same bytes. */
export function hostScenario(scenario: Scenario, options: HostScenarioOptions): Hosting {
  const {
    profile,
    auth = "bearer",
    hasAdditionalOperations = true,
    areSignaturesVerified = false,
    clockMode = scenario.clockMode,
    wallNowMs,
  } = options;
  const restart = options.startsNow === true ? () => scenario.initialAt(wallNowMs()) : undefined;
  return new Hosting({
    scenario: scenario.main.id,
    // Virtual time that starts now is wall time, also if loading took long.
    world: new World(
      scenario.initial,
      clockMode,
      wallNowMs,
      restart,
      options.startsNow === true ? scenario.initial.nowMs : wallNowMs(),
    ),
    profile: knownProfiles(profile ?? { ledger: scenario.profile, registry: impliedRegistryProfile(scenario.profile) }),
    auth,
    verifyToken: options.verifyToken,
    areSignaturesVerified,
    hasAdditionalOperations,
    limits: options.limits,
    wallNowMs,
    steadyNowMs: options.steadyNowMs,
    sleep: options.sleep ?? sleep,
    later: options.later ?? queueMicrotask,
    forkPrefix: options.forkPrefix,
    createClientRules: options.createClientRules,
    coverage: options.coverage,
    sharedStubs: options.sharedStubs,
    keeper: options.keeper,
    journals: options.journals,
    newForkId: options.newForkId,
    quotas: options.quotas,
  });
}

function sleep(durationMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, durationMs);
    signal.addEventListener("abort", end, { once: true });
  });
}
