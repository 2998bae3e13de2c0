import { diskFiles, packagedFile, quickstartScenario } from "../../src/entrypoints/library/files.ts";
import { hostScenario } from "../../src/entrypoints/library/host-scenario.ts";
import type { Handler } from "../../src/foundation/http/handler.ts";
import { impliedRegistryProfile } from "../../src/foundation/spec/spec.ts";
import { type Exploration, explore } from "../../src/scenarios/exploration/explore.ts";
import { loadFastCheck } from "../../src/scenarios/exploration/fast-check.ts";
import { inputsOf } from "../../src/scenarios/exploration/inputs.ts";
import type { SequenceRun, Side } from "../../src/scenarios/exploration/run-sequence.ts";
import { sequencesOver } from "../../src/scenarios/exploration/steps.ts";
import { writeScenario } from "../../src/scenarios/exploration/write-scenario.ts";
import type { Scenario } from "../../src/scenarios/files/load-scenario.ts";
import { runScenario, type StepResult } from "../../src/scenarios/files/run-scenario.ts";
import { accessBy } from "../../src/stub/control/access.ts";
import { withControl } from "../../src/stub/control/control.ts";
import type { AuthenticationMode } from "../../src/stub/pipeline/claims.ts";
import { scenarioOf } from "../_scenario.ts";

/** Wraps a handler with one fault; called once per world. */
export type Fault = (inner: Handler) => Handler;

export interface Explored {
  readonly profile?: string;
  readonly scenario?: string;
  readonly authentication?: AuthenticationMode;
  readonly fault?: Fault | undefined;
  readonly steps?: number;
  readonly seed?: number;
  readonly path?: string;
}

/** Explores a stub with the stub as oracle. Their ids come from different seeds. */
export async function exploring(given: Explored): Promise<Exploration> {
  const { steps: stepsMax = 10_000, seed = 1, path, fault = (inner) => inner } = given;
  const fastCheck = await loadFastCheck();
  return explore(
    {
      sequences: sequencesOver(fastCheck, inputsOf(load(given)), "world"),
      openOracle: opener(given, undefined, (inner) => inner),
      openTarget: opener(given, 4711, fault),
      stepsMax,
      runLength: 20,
      seed,
      path,
      prefixOf: () => "walker",
      onRun: () => undefined,
      isStopped: () => false,
    },
    fastCheck,
  );
}

const tokens = { administrator: "participant_admin", plain: "alice", unknown: "unknown-user" };

/** Plays the scenario of a difference in a stub with the fault and the ids of the target. */
export async function played(run: SequenceRun, given: Explored): Promise<readonly StepResult[]> {
  const begun = load(given);
  const [, ledger = "", registry = ""] = begun.files;
  const text = writeScenario(run, {
    workflow: begun.workflow,
    given: { ledger, registry },
    sources: { ledger: "l.yaml", registry: "r.yaml", additionalOperations: "n.yaml", control: "c.yaml" },
    profile: given.profile ?? "spec",
    tokens,
    repeat: "understudy explore",
  });
  const files = { ...diskFiles, read: (path: string) => (path === "/found.yaml" ? text : diskFiles.read(path)) };
  const scenario = scenarioOf("/found.yaml", {}, files);
  const side = await opener(given, 4711, given.fault ?? ((inner) => inner))();
  return runScenario(scenario, { handler: side.handler, hasControl: true, nowMs: () => 0 });
}

function load({ scenario = packagedFile(quickstartScenario), profile }: Explored, seed?: number): Scenario {
  return scenarioOf(scenario, { seed, profile });
}

function opener(given: Explored, seed: number | undefined, fault: Fault): () => Promise<Side> {
  const { profile: ledger = "spec", authentication = "bearer" } = given;
  const profile = { ledger, registry: impliedRegistryProfile(ledger) };
  const hosting = hostScenario(load(given, seed), { profile, auth: authentication, wallNowMs: () => 0 });
  const handler = withControl(hosting, accessBy("h"));
  return async () => {
    const id = hosting.fork("default", "start") ?? "";
    return {
      tokens,
      handler: fault((request) =>
        handler({
          ...request,
          target: request.target.replace("/worlds/default", `/worlds/${id}`),
          headers: [...request.headers, ["Host", "h"], ["Understudy-World", id]],
        }),
      ),
      end: async () => {
        hosting.remove(id);
      },
    };
  };
}
