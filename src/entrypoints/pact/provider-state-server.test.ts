import { expect, test } from "vitest";
import { scenarioOf } from "../../../test/_scenario.ts";
import { Body } from "../../foundation/http/body.ts";
import { isJsonObject, type Json, jsonOf } from "../../foundation/json/json.ts";
import {
  type ProviderStateEvent,
  type ProviderStateOptions,
  ProviderStateServer,
  providerStatesPath,
} from "./provider-state-server.ts";

const profile = { ledger: "spec", registry: "spec" } as const;
const [rights, steps] = [scenarioOf("rights"), scenarioOf("reassignment-by-steps")];

function serving(options: Partial<ProviderStateOptions> = {}) {
  const events: ProviderStateEvent[] = [];
  const server = new ProviderStateServer({
    scenarios: [rights, steps].map((scenario) => ({ scenario, profile })),
    hooks: new Map(),
    providerUrl: undefined,
    wallNowMs: () => 0,
    onChange: (event) => events.push(event),
    ...options,
  });
  const send = async (method: string, target: string, body: string, headers: Readonly<Record<string, string>> = {}) => {
    const all = Object.entries({
      Host: "127.0.0.1",
      Authorization: "Bearer x",
      "Content-Type": "application/json",
      ...headers,
    });
    const response = await server.handler({ method, target, headers: all, body: new Body(body) });
    if (response.type === "broken") throw new Error(response.kind);
    return { status: response.status, json: jsonOf(response.body.text()), text: response.body.text() };
  };
  const change = (body: Json) => send("POST", providerStatesPath, JSON.stringify(body));
  const newlyGranted = async () => {
    const grant = '{"userId":"alice","rights":[{"kind":{"ParticipantAdmin":{"value":{}}}}]}';
    const { json } = await send("POST", "/v2/users/alice/rights", grant);
    const granted = isJsonObject(json) ? json["newlyGrantedRights"] : undefined;
    return Array.isArray(granted) ? granted.length : undefined;
  };
  return { server, events, send, change, newlyGranted };
}

test("reports a provider state replaced before its first request", async () => {
  const { change, newlyGranted, events } = serving();
  const [first, second] = ["alice is no administrator", "alice is an administrator"];
  for (const state of [first, first, second]) await change({ state, action: "setup" });
  await newlyGranted();
  await change({ state: first, action: "setup" });
  await change({ state: first, action: "teardown" });
  await change({ state: second, action: "setup" });
  expect(events.map(({ replaced }) => replaced)).toEqual([undefined, undefined, first, ...Array(3).fill(undefined)]);
});

test("refuses a step id that is not a string", async () => {
  const { change } = serving();
  const response = await change({ state: "rights", action: "setup", params: { afterStep: 1 } });
  expect([response.status, response.text]).toEqual([404, expect.stringContaining('has no step \\"1\\"')]);
});

test("responds from a new world in the provider state set last", async () => {
  const { change, newlyGranted } = serving();
  expect(await newlyGranted()).toBe(1);
  expect(await newlyGranted()).toBe(0);
  expect(await change({ state: "alice is no administrator", action: "setup", params: {} })).toMatchObject({
    status: 200,
  });
  expect(await newlyGranted()).toBe(1);
});

test("runs the steps up to the one named by the provider state or by its parameter", async () => {
  const { change, newlyGranted } = serving();
  await change({ state: "alice is an administrator", action: "setup" });
  expect(await newlyGranted()).toBe(0);
  await change({ state: "rights", action: "setup", params: { afterStep: "first" } });
  expect(await newlyGranted()).toBe(0);
});

test("a teardown restores the initial state", async () => {
  const { change, newlyGranted } = serving();
  await change({ state: "alice is an administrator", action: "setup" });
  await change({ state: "alice is an administrator", action: "teardown" });
  expect(await newlyGranted()).toBe(1);
});

test("returns the outputs of the steps, for Pact's generators", async () => {
  const { change } = serving();
  const { json } = await change({ state: "the factory is being reassigned", action: "setup" });
  expect(json).toEqual({ synchronizer: expect.stringContaining("global-domain::") });
});

test("accepts the requests of version 2: several states, or none", async () => {
  const { change, newlyGranted, events } = serving();
  await newlyGranted();
  expect(await change({ consumer: "wallet", state: null, states: ["alice is no administrator"] })).toMatchObject({
    status: 200,
  });
  expect(await newlyGranted()).toBe(1);
  expect(await change({ consumer: "wallet", state: "", action: "setup" })).toMatchObject({ status: 200 });
  expect(await newlyGranted()).toBe(1);
  expect(events.map(({ state, by }) => [state, by])).toEqual([
    ["alice is no administrator", "rights"],
    ["", "rights"],
  ]);
});

test("refuses an unknown provider state with a suggestion, and keeps the world", async () => {
  const { change, newlyGranted, events } = serving();
  await newlyGranted();
  expect(await change({ state: "alice is no adminstrator", action: "setup" })).toEqual({
    status: 404,
    text: expect.any(String),
    json: {
      error: 'Unknown provider state "alice is no adminstrator". Did you mean "alice is no administrator"?',
      known: expect.arrayContaining(["alice is no administrator", "rights", "the factory is being reassigned"]),
    },
  });
  expect(await newlyGranted()).toBe(0);
  expect(events).toMatchObject([{ isDone: false, state: "alice is no adminstrator" }]);
});

test("refuses an unknown step", async () => {
  const { json } = await serving().change({ state: "rights", params: { afterStep: "frst" } });
  expect(json).toMatchObject({ error: expect.stringContaining('has no step "frst". Did you mean "first"?') });
});

test.each([
  ["a body that is not an object", "[]", {}, 400],
  ["a body without state", "{}", {}, 400],
  ["an unknown action", '{"state":"rights","action":"reset"}', {}, 400],
  ["a page of another site", '{"state":"rights"}', { Origin: "https://example.com" }, 403],
  ["another name for this machine", '{"state":"rights"}', { Host: "rebound.example.com" }, 403],
])("refuses %s", async (_name, body, headers, status) => {
  expect(await serving().send("POST", providerStatesPath, body, headers)).toMatchObject({ status });
});

test("lists its provider states", async () => {
  const { json } = await serving({ scenarios: [{ scenario: rights, profile }] }).send("GET", providerStatesPath, "");
  expect(json).toEqual({ providerStates: ["alice is no administrator", "alice is an administrator", "rights"] });
});

test("runs a hook instead of a scenario, and reports why it failed", async () => {
  const requested: string[] = [];
  const hooks = new Map([
    [
      "rights",
      async ({ state, action, params }: { state: string; action: string; params: object }) => {
        requested.push(`${action} ${state} ${JSON.stringify(params)}`);
        return action === "setup" ? undefined : "it ended with exit code 3";
      },
    ],
  ]);
  const { change } = serving({ hooks });
  expect(await change({ state: "rights", action: "setup", params: { user: "alice" } })).toMatchObject({ status: 200 });
  expect(await change({ state: "rights", action: "teardown" })).toMatchObject({
    status: 500,
    json: { error: 'The hook of "rights" failed: it ended with exit code 3.' },
  });
  expect(requested).toEqual(['setup rights {"user":"alice"}', "teardown rights {}"]);
});

test("for a real node only hooks set states, and other requests get the URL of the node", async () => {
  const hooks = new Map([["alice may act", async () => undefined]]);
  const { change, send, server } = serving({ hooks, providerUrl: "http://node.example:7575", scenarios: [] });
  expect(server.names).toEqual(["alice may act"]);
  expect(await change({ state: "alice may act" })).toMatchObject({ status: 200 });
  expect(await change({ state: "" })).toMatchObject({ status: 200 });
  expect(await change({ state: "alice may read" })).toMatchObject({ status: 404 });
  expect(await send("GET", "/v2/users", "")).toMatchObject({
    status: 404,
    text: expect.stringContaining("node.example"),
  });
});
