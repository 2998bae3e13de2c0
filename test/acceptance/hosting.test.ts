import { expect, test } from "vitest";
import { diskFiles, packagedFile, quickstartScenario } from "../../src/entrypoints/library/files.ts";
import { hostScenario } from "../../src/entrypoints/library/host-scenario.ts";
import { loadScenario } from "../../src/scenarios/files/load-scenario.ts";
import { planFromNow } from "../../src/scenarios/files/plan-from-now.ts";
import { accessBy } from "../../src/stub/control/access.ts";
import { withControl } from "../../src/stub/control/control.ts";

test("what made the stub fail is in the journal, as a 500", async () => {
  const loaded = loadScenario(packagedFile(quickstartScenario), diskFiles);
  if (loaded.type === "invalid") throw new Error("the quickstart has no problems");
  const hosting = hostScenario(loaded.scenario, {
    fallback: () => Promise.reject(new Error("the description is gone")),
    wallNowMs: () => 0,
  });
  const request = { method: "GET", target: "/elsewhere", headers: [], body: new Uint8Array() };
  await expect(hosting.handler(request)).rejects.toThrow("the description is gone");
  const [exchange] = hosting.worlds.get("default")?.journal.exchanges ?? [];
  expect(exchange).toMatchObject({ request: { target: "/elsewhere" }, response: { type: "response", status: 500 } });
});

test("a clock of the machine that is set back takes no virtual time back, and nothing lasts less than no time", async () => {
  const loaded = loadScenario(packagedFile(quickstartScenario), diskFiles);
  if (loaded.type === "invalid") throw new Error("the quickstart has no problems");
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

/** A stub whose first list of users is held back until somebody lets it go, and its journal. */
function heldBack(nowMs: () => number) {
  const loaded = loadScenario(packagedFile(quickstartScenario), diskFiles);
  if (loaded.type === "invalid") throw new Error("the quickstart has no problems");
  const { promise, resolve: letGo } = Promise.withResolvers<void>();
  const hosting = hostScenario(loaded.scenario, { wallNowMs: nowMs, sleep: () => promise });
  const hosted = hosting.worlds.get("default");
  if (hosted === undefined) throw new Error("the default world is always there");
  const planned = planFromNow([{ on: "getV2Users", after: { delay: "PT1S" } }], hosted.world.state);
  if (planned.type === "invalid") throw new Error(planned.problems.join());
  hosted.world.plan(planned.events);
  const headers = [["Authorization", "Bearer any"]] as const;
  const ask = () => hosting.handler({ method: "GET", target: "/v2/users", headers, body: new Uint8Array() });
  return { hosting, hosted, ask, letGo };
}

test("no exchange takes less than no time, though the clock of the machine is set back meanwhile", async () => {
  let nowMs = 5000;
  const { hosted, ask, letGo } = heldBack(() => nowMs);
  const response = ask();
  nowMs = 1000;
  letGo();
  await response;
  expect(hosted.journal.exchanges).toMatchObject([{ durationMs: 0, startedAt: "1970-01-01T00:00:05.000Z" }]);
});

test("a response that was held back is none of the world's that was reset meanwhile, and still goes out", async () => {
  const { hosting, hosted, ask, letGo } = heldBack(() => 0);
  const response = ask();
  const control = withControl(hosting, accessBy("h"));
  const headers = [["Host", "h"]] as const;
  await control({ method: "POST", target: "/__understudy/worlds/default/reset", headers, body: new Uint8Array() });
  letGo();
  expect(await response).toMatchObject({ type: "response", status: 200 });
  expect(hosted.journal.exchanges).toEqual([]);
});
