import { accessBy, asLoopback } from "../../src/control/access.ts";
import { withControl } from "../../src/control/control.ts";
import { diskFiles } from "../../src/library/files.ts";
import { hostScenario } from "../../src/library/host-scenario.ts";
import { type WrittenPact, writePact } from "../../src/pact/write-pact.ts";
import { loadScenario } from "../../src/scenario/load-scenario.ts";
import { runScenario } from "../../src/scenario/run-scenario.ts";
import { loadSpec } from "../../src/spec/spec.ts";

const spec = loadSpec({ ledger: "document", registry: "document" }, { hasNeighbours: true });

/** What `understudy pact write` writes of a scenario, without a process for each. */
export async function pactOf(file: string): Promise<WrittenPact> {
  const result = loadScenario(file, diskFiles);
  if (result.type === "mistaken") throw new Error(JSON.stringify(result.mistakes));
  const { scenario } = result;
  const handler = withControl(hostScenario(scenario, { wallNowMs: () => 0 }), accessBy("127.0.0.1"));
  const steps = await runScenario(scenario, { handler: asLoopback(handler), hasControl: true, nowMs: () => 0 });
  return writePact({ scenario, steps, spec, consumer: "wallet", provider: "canton", version: "1" });
}
