import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { controlled, hostingOf, scenarioFiles, scenarioOf, stepsOf } from "../_scenario.ts";

/** A hash over the statuses, headers and bodies of a scenario's responses. */
async function hashOf(file: string, ledger: string, seed: number, wallNowMs: () => number): Promise<string> {
  const scenario = scenarioOf(file, { seed });
  const handler = controlled(hostingOf(scenario, ledger, { wallNowMs }));
  const results = await stepsOf(scenario, handler, wallNowMs);
  const hash = createHash("sha256");
  for (const { exchange } of results) {
    if (exchange?.response.type !== "response") throw new Error("a response is missing");
    hash
      .update(JSON.stringify([exchange.response.status, exchange.response.headers]))
      .update(exchange.response.body.bytes());
  }
  return hash.digest("hex");
}

test.each(scenarioFiles.flatMap((file) => ["spec", "canton-3.5"].map((profile) => [file, profile] as const)))(
  "%s in %s gives the same bytes for the same seed at any wall clock time",
  async (file, profile) => {
    const first = await hashOf(file, profile, 7, () => 0);
    const second = await hashOf(file, profile, 7, Date.now);
    expect(second).toBe(first);
  },
);

test("another seed gives other ids", async () => {
  const file = "reassignment-by-steps.arazzo.yaml";
  expect(await hashOf(file, "spec", 7, () => 0)).not.toBe(await hashOf(file, "spec", 8, () => 0));
});
