import { diskFiles } from "../../src/entrypoints/library/files.ts";
import { hostScenario } from "../../src/entrypoints/library/host-scenario.ts";
import { type WrittenPact, writePact } from "../../src/entrypoints/pact/write-pact.ts";
import { loadSpec } from "../../src/foundation/spec/spec.ts";
import { loadScenario } from "../../src/scenarios/files/load-scenario.ts";
import { runScenario } from "../../src/scenarios/files/run-scenario.ts";
import { accessBy, asLoopback } from "../../src/stub/control/access.ts";
import { withControl } from "../../src/stub/control/control.ts";

const spec = loadSpec({ ledger: "spec", registry: "spec" }, { hasAdditionalOperations: true });

/** What `understudy pact write` writes of a scenario, without a process for each. */
export async function pactOf(file: string): Promise<WrittenPact> {
  const result = loadScenario(file, diskFiles);
  if (result.type === "invalid") throw new Error(JSON.stringify(result.problems));
  const { scenario } = result;
  const handler = withControl(hostScenario(scenario, { wallNowMs: () => 0 }), accessBy("127.0.0.1"));
  const steps = await runScenario(scenario, { handler: asLoopback(handler), hasControl: true, nowMs: () => 0 });
  return writePact({ scenario, steps, spec, consumer: "wallet", provider: "canton", version: "1" });
}
