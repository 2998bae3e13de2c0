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

test("a clock of the machine that is set back takes no virtual time back, and nothing lasts less than no time", async () => {
  const loaded = loadScenario(packagedFile(quickstartScenario), diskFiles);
  if (loaded.type === "mistaken") throw new Error("the quickstart has no mistakes");
  const day = 24 * 60 * 60 * 1000;
  let wallMs = Date.parse("2026-06-01T00:00:00Z");
  const hosting = hostScenario(loaded.scenario, {
    wallNowMs: () => wallMs,
    clockMode: { type: "running", speed: 1 },
    // While the request is answered the clock is set back by a day.
    fallback: async () => {
      wallMs -= day;
      return undefined;
    },
  });
  const hosted = hosting.worlds.get("default");
  const ask = () => hosting.handler({ method: "GET", target: "/elsewhere", headers: [], body: new Uint8Array() });
  wallMs += 1000;
  const beganMs = hosted?.world.state.nowMs ?? 0;
  await ask();
  expect(hosted?.world.state.nowMs).toBe(beganMs);
  wallMs += 5000;
  expect(hosted?.world.state.nowMs).toBe(beganMs + 5000);
  expect(hosted?.journal.exchanges.map(({ durationMs }) => durationMs)).toEqual([0]);
});
