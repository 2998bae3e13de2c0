import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { diskFiles } from "../../src/entrypoints/library/files.ts";
import { hostScenario } from "../../src/entrypoints/library/host-scenario.ts";
import { impliedRegistryProfile } from "../../src/foundation/spec/spec.ts";
import { loadScenario } from "../../src/scenarios/files/load-scenario.ts";
import { runScenario } from "../../src/scenarios/files/run-scenario.ts";
import { accessBy } from "../../src/stub/control/access.ts";
import { withControl } from "../../src/stub/control/control.ts";
import { root } from "./_command-line.ts";

/** A hash over the statuses, headers and bodies of a scenario's responses. */
async function hashOf(file: string, ledger: string, seed: number, wallNowMs: () => number): Promise<string> {
  const result = loadScenario(join(root, "scenarios", file), diskFiles, { seed });
  if (result.type === "invalid") throw new Error(JSON.stringify(result.problems));
  const profile = { ledger, registry: impliedRegistryProfile(ledger) };
  const handler = withControl(hostScenario(result.scenario, { profile, wallNowMs }), accessBy("h"));
  const results = await runScenario(result.scenario, {
    handler: (request) => handler({ ...request, headers: [...request.headers, ["Host", "h"]] }),
    hasControl: true,
    nowMs: wallNowMs,
  });
  const hash = createHash("sha256");
  for (const { exchange } of results) {
    if (exchange?.response.type !== "response") throw new Error("a response is missing");
    hash
      .update(JSON.stringify([exchange.response.status, exchange.response.headers]))
      .update(exchange.response.body.bytes());
  }
  return hash.digest("hex");
}

test.each(
  readdirSync(join(root, "scenarios")).flatMap((file) =>
    ["spec", "canton-3.5"].map((profile) => [file, profile] as const),
  ),
)("%s in %s gives the same bytes for the same seed at any wall clock time", async (file, profile) => {
  const first = await hashOf(file, profile, 7, () => 0);
  const second = await hashOf(file, profile, 7, Date.now);
  expect(second).toBe(first);
});

test("another seed gives other ids", async () => {
  const file = "reassignment-by-steps.arazzo.yaml";
  expect(await hashOf(file, "spec", 7, () => 0)).not.toBe(await hashOf(file, "spec", 8, () => 0));
});
