import { expect, test } from "vitest";
import { hostScenario } from "../../src/entrypoints/library/host-scenario.ts";
import { emptyBody } from "../../src/foundation/http/body.ts";
import type { HeaderList } from "../../src/foundation/http/header.ts";
import type { Request } from "../../src/foundation/http/request.ts";
import { planFromNow } from "../../src/scenarios/files/plan/plan-from-now.ts";
import { accessBy } from "../../src/stub/control/access.ts";
import { withControl } from "../../src/stub/control/control.ts";
import { scenarioOf } from "../_scenario.ts";

const listUsers: Request = {
  method: "GET",
  target: "/v2/users",
  headers: [["Authorization", "Bearer a.b.c"]],
  body: emptyBody,
};

test("a failure of the stub is in the journal as a 500", async () => {
  const scenario = scenarioOf("quickstart");
  const hosting = hostScenario(scenario, {
    auth: "jwt",
    verifyToken: () => Promise.reject(new Error("the keys are gone")),
    wallNowMs: () => 0,
  });
  await expect(hosting.handler(listUsers)).rejects.toThrow("the keys are gone");
  const [exchange] = hosting.worlds.get("default")?.journal.exchanges ?? [];
  expect(exchange).toMatchObject({ request: { target: "/v2/users" }, response: { type: "response", status: 500 } });
});

test("a system clock that is set back sets neither virtual time nor a duration back", async () => {
  const scenario = scenarioOf("quickstart");
  const day = 24 * 60 * 60 * 1000;
  let wallMs = Date.parse("2026-06-01T00:00:00Z");
  const hosting = hostScenario(scenario, {
    wallNowMs: () => wallMs,
    steadyNowMs: () => 0,
    clockMode: { type: "running", speed: 1 },
    // The clock is set back by a day while the request is handled.
    auth: "jwt",
    verifyToken: async () => {
      wallMs -= day;
      return { type: "invalid", reason: "expired" };
    },
  });
  const hosted = hosting.worlds.get("default");
  const ask = () => hosting.handler(listUsers);
  wallMs += 1000;
  const beganMs = hosted?.world.elapse().nowMs ?? 0;
  await ask();
  expect(hosted?.world.state.nowMs).toBe(beganMs);
  wallMs += 5000;
  expect(hosted?.world.elapse().nowMs).toBe(beganMs + 5000);
  expect(hosted?.journal.exchanges.map(({ durationMs }) => durationMs)).toEqual([0]);
});

test("a world that starts now starts at the time of each reset, and its plan moves along", () => {
  const scenario = scenarioOf("autodetect-synchronizer");
  let wallMs = Date.parse("2026-06-01T00:00:00Z");
  const hosted = (startsNow: boolean) => {
    const clockMode = { type: "running", speed: 1 } as const;
    const hosting = hostScenario(scenario, { wallNowMs: () => wallMs, clockMode, startsNow });
    const world = hosting.worlds.get("default")?.world;
    if (world === undefined) throw new Error("the default world does not exist");
    return { world, fork: () => hosting.worlds.get(hosting.fork("default", "start") ?? "")?.world.state.nowMs };
  };
  const [now, fixed] = [hosted(true), hosted(false)];
  const fixedStartMs = fixed.world.state.nowMs;
  wallMs += 3_600_000;
  now.world.reset();
  fixed.world.reset();
  expect([now.world.state.nowMs, now.fork(), fixed.world.state.nowMs]).toEqual([wallMs, wallMs, fixedStartMs]);
  expect(now.world.state.plan.timed.map(({ atMs }) => atMs)).toEqual([wallMs + 60_000]);
  wallMs += 5000;
  expect(now.world.elapse().nowMs).toBe(wallMs);
});

/** A stub that delays its first list of users until `letGo` is called, and its journal. */
function heldBack(nowMs: () => number) {
  const scenario = scenarioOf("quickstart");
  const { promise, resolve: letGo } = Promise.withResolvers<void>();
  const hosting = hostScenario(scenario, { wallNowMs: nowMs, steadyNowMs: () => 0, sleep: () => promise });
  const hosted = hosting.worlds.get("default");
  if (hosted === undefined) throw new Error("the default world does not exist");
  const planned = planFromNow([{ on: "getV2Users", after: { delay: "PT1S" } }], hosted.world.state);
  if (planned.type === "invalid") throw new Error(planned.problems.join());
  hosted.world.plan(planned.events);
  const headers = [["Authorization", "Bearer any"]] as const;
  const ask = () => hosting.handler({ method: "GET", target: "/v2/users", headers, body: emptyBody });
  return { hosting, hosted, ask, letGo };
}

test("an exchange has no negative duration if the system clock is set back meanwhile", async () => {
  let nowMs = 5000;
  const { hosted, ask, letGo } = heldBack(() => nowMs);
  const response = ask();
  nowMs = 1000;
  letGo();
  await response;
  expect(hosted.journal.exchanges).toMatchObject([{ durationMs: 0, startedAt: "1970-01-01T00:00:05.000Z" }]);
});

test("a delayed response is sent after a reset, but is not in the journal of the reset world", async () => {
  const { hosting, hosted, ask, letGo } = heldBack(() => 0);
  const response = ask();
  const control = withControl(hosting, accessBy("h"));
  const headers = [["Host", "h"]] as const;
  await control({ method: "POST", target: "/__understudy/worlds/default/reset", headers, body: emptyBody });
  letGo();
  expect(await response).toMatchObject({ type: "response", status: 200 });
  expect(hosted.journal.exchanges).toEqual([]);
});

test("each look at a world with a running clock shows its time as of now", async () => {
  let wallMs = Date.parse("2026-06-01T00:00:00Z");
  const clockMode = { type: "running", speed: 1 } as const;
  const hosting = hostScenario(scenarioOf("quickstart"), { wallNowMs: () => wallMs, clockMode, startsNow: true });
  hosting.reset("default");
  const control = withControl(hosting, accessBy("h"));
  const seenAfter = async (target: string, headers: HeaderList = [["Host", "h"]]) => {
    wallMs += 1000;
    const response = await control({ method: "GET", target, headers, body: emptyBody });
    return response.type === "response" ? response.body.text() : response.kind;
  };
  expect(await seenAfter("/__understudy/worlds")).toContain('"now":"2026-06-01T00:00:01.000Z"');
  expect(await seenAfter("/__understudy/worlds/default")).toContain('"now":"2026-06-01T00:00:02.000Z"');
  await seenAfter("/v2/version");
  const [exchange] = hosting.worlds.get("default")?.journal.exchanges ?? [];
  expect(exchange?.virtualAt).toBe("2026-06-01T00:00:03.000Z");
});
