import { impliedRegistryProfile, type ProfileNames } from "../../foundation/spec/spec.ts";
import type { Scenario } from "../../scenarios/files/load-scenario.ts";
import { type ClockMode, World } from "../../simulator/world/world.ts";
import { Hosting, type HostingSettings } from "../../stub/hosting/hosting.ts";

/** What may differ from what the scenario says. */
export interface HostScenarioSettings {
  readonly profile?: ProfileNames;
  readonly authentication?: HostingSettings["authentication"];
  readonly verifyToken?: HostingSettings["verifyToken"];
  readonly fallback?: HostingSettings["fallback"];
  readonly areSignaturesVerified?: boolean;
  readonly hasNeighbours?: boolean;
  readonly clockMode?: ClockMode;
  readonly limits?: HostingSettings["limits"];
  readonly wallNowMs: () => number;
  readonly sleep?: HostingSettings["sleep"];
  readonly later?: HostingSettings["later"];
  readonly forkPrefix?: HostingSettings["forkPrefix"];
  readonly createConduct?: HostingSettings["createConduct"];
  readonly sharedStubs?: HostingSettings["sharedStubs"];
}

/** A fresh world of a scenario behind a hosting. The same scenario, settings and requests give the same bytes. */
export function hostScenario(scenario: Scenario, settings: HostScenarioSettings): Hosting {
  const {
    profile,
    authentication = "bearer",
    hasNeighbours = true,
    areSignaturesVerified = false,
    clockMode = scenario.clockMode,
    wallNowMs,
  } = settings;
  return new Hosting({
    scenario: String(scenario.workflow["workflowId"] ?? ""),
    world: new World(scenario.initial, clockMode, wallNowMs),
    profile: profile ?? { ledger: scenario.profile, registry: impliedRegistryProfile(scenario.profile) },
    authentication,
    verifyToken: settings.verifyToken,
    fallback: settings.fallback,
    areSignaturesVerified,
    hasNeighbours,
    limits: settings.limits,
    wallNowMs,
    sleep: settings.sleep ?? sleep,
    later: settings.later ?? queueMicrotask,
    forkPrefix: settings.forkPrefix,
    createConduct: settings.createConduct,
    sharedStubs: settings.sharedStubs,
  });
}

function sleep(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}
