import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { storeLog } from "../../src/entrypoints/cli/serve/store-log.ts";
import { hostScenario } from "../../src/entrypoints/library/host-scenario.ts";
import { Body } from "../../src/foundation/http/body.ts";
import { loopbackAccess } from "../../src/stub/control/access.ts";
import { withControl } from "../../src/stub/control/control.ts";
import { scenarioOf } from "../_scenario.ts";
import { eventsIn, inProcess, serving } from "./_command-line.ts";

const headers = { Authorization: "Bearer any" };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Two seconds pass, in which the clock of the machine is set back by an hour. */
function setBack(): void {
  vi.advanceTimersByTime(2000);
  vi.setSystemTime(Date.now() - 3_600_000);
}

test("serve prints requests after the clock is set back", async () => {
  const stub = await serving("--log json");
  for (let count = 0; count < 110; count += 1) await fetch(`${stub.url}/v2/users?n=${count}`, { headers });
  setBack();
  await fetch(`${stub.url}/v2/users?last`, { headers });
  const events = eventsIn(await stub.printed(/"target":"\/v2\/users\?last"/));
  expect(events.find(({ event }) => event === "requests-omitted")).toMatchObject({ count: 10 });
  await stub.end();
});

test("a store's faults are printed after the clock is set back", () => {
  const printed: string[] = [];
  const options = { flag: () => false };
  const { onFault } = storeLog(options, { ...inProcess, printError: (text) => printed.push(text) });
  for (let count = 0; count < 12; count += 1) onFault(new Error(`fault ${count}`));
  setBack();
  onFault(new Error("the last"));
  expect(printed.slice(10)).toEqual(["store: 2 more faults", "store: the last"]);
});

/** A stub in the process whose delays take the time that `passed` says, with the clocks of the machine. */
function sandbox(passed: (clock: { wallMs: number; steadyMs: number }) => void) {
  const clock = { wallMs: Date.parse("2026-01-01T12:00:00Z"), steadyMs: Date.parse("2026-01-01T12:00:00Z") };
  const hosting = hostScenario(scenarioOf("quickstart"), {
    wallNowMs: () => clock.wallMs,
    steadyNowMs: () => clock.steadyMs,
    sleep: async () => passed(clock),
  });
  const handler = withControl(hosting, loopbackAccess);
  const send = async (line: string, body: object = {}) => {
    const [method = "", target = ""] = line.split(" ");
    const response = await handler({
      method,
      target,
      headers: [
        ["Host", "localhost"],
        ["Authorization", "Bearer any"],
        ["Content-Type", "application/json"],
      ],
      body: new Body(method === "GET" ? "" : JSON.stringify(body)),
    });
    return response.type === "response" ? { status: response.status, text: response.body.text() } : {};
  };
  return { clock, hosting, send };
}

test.each([
  ["back", -3_600_000],
  ["forward", 3_600_000],
])("the duration of an exchange is the time that passed, whether the clock is set %s", async (_, changeMs) => {
  const { hosting, send } = sandbox((clock) => {
    clock.wallMs += changeMs;
    clock.steadyMs += 1500.4;
  });
  const plan = [{ on: "getV2Users", after: { delay: "PT1.5S" } }];
  expect(await send("POST /__understudy/worlds/default/plan", { plan })).toMatchObject({ status: 200 });
  await send("GET /v2/users");
  expect(hosting.worlds.get("default")?.journal.exchanges.map(({ durationMs }) => durationMs)).toEqual([1500]);
});

test("a fork lives as long as it was given, whichever way the clock is set", async () => {
  const { clock, send } = sandbox(() => undefined);
  const { text = "" } = await send("POST /__understudy/worlds/default/fork", { ttl: "PT10M" });
  const { id } = JSON.parse(text);
  const statusAfter = async (changeMs: number, passedMs: number) => {
    clock.wallMs += changeMs;
    clock.steadyMs += passedMs;
    return (await send(`GET /w/${id}/v2/version`)).status;
  };
  expect(await statusAfter(3_600_000, 1)).toBe(200);
  expect(await statusAfter(-7_200_000, 599_998)).toBe(200);
  expect(await statusAfter(0, 1)).toBe(404);
});
