import { expect, test } from "vitest";
import { diskFiles, packagedFile, quickstartScenario } from "../../src/library/files.ts";
import { hostScenario } from "../../src/library/host-scenario.ts";
import { loadScenario } from "../../src/scenario/load-scenario.ts";

test("what made the stub fail is in the journal, as a 500", async () => {
  const loaded = loadScenario(packagedFile(quickstartScenario), diskFiles);
  if (loaded.type === "mistaken") throw new Error("the quickstart has no mistakes");
  const hosting = hostScenario(loaded.scenario, {
    fallback: () => Promise.reject(new Error("the description is gone")),
    wallNowMs: () => 0,
  });
  const request = { method: "GET", target: "/elsewhere", headers: [], body: new Uint8Array() };
  await expect(hosting.handler(request)).rejects.toThrow("the description is gone");
  const [exchange] = hosting.worlds.get("default")?.journal.exchanges ?? [];
  expect(exchange).toMatchObject({ request: { target: "/elsewhere" }, answer: { type: "response", status: 500 } });
});
