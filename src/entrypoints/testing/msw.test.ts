import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createUnderstudy } from "../library/start-understudy.ts";
import { understudyHandlers } from "./msw.ts";

const network = setupServer();
const headers = { Authorization: "Bearer any", "Content-Type": "application/json" };

beforeAll(() => network.listen());
afterEach(() => {
  network.resetHandlers();
  vi.unstubAllGlobals();
});
afterAll(() => network.close());

test("a stub responses what an application asks at the base URLs that it is configured with", async () => {
  const understudy = createUnderstudy({ profile: "canton-3.5" });
  const ledgerUrl = "https://ledger.example.com/api/json/";
  network.use(...understudyHandlers(understudy, { ledgerUrl, registryUrl: "https://registry.example.com" }));
  const page = await fetch(`${ledgerUrl}v2/users?pageSize=1`, { headers });
  expect([page.status, (await page.text()).slice(0, 21)]).toEqual([200, '{"users":[{"id":"alic']);
  const body = JSON.stringify({ userId: "alice", rights: [{ kind: { ParticipantAdmin: { value: {} } } }] });
  const granted = await fetch(`${ledgerUrl}v2/users/alice/rights`, { method: "POST", headers, body });
  expect(JSON.parse(await granted.text()).newlyGrantedRights).toHaveLength(1);
  const lookup = "https://registry.example.com/registry/transfer-instruction/v2/transfer-factory";
  expect((await fetch(lookup, { method: "POST", headers, body: "{" })).status).toBe(400);
  expect(understudy.journal.map(({ operationId }) => operationId)).toEqual([
    "getV2Users",
    "postV2UsersUser-idRights",
    "getTransferFactory",
  ]);
});

test("a response that is cut off is a network error, and the next request works", async () => {
  const understudy = createUnderstudy();
  network.use(...understudyHandlers(understudy));
  understudy.fault("getV2Users", { instead: { reset: true } });
  await expect(fetch(`${understudy.ledgerUrl}/v2/users`, { headers })).rejects.toThrow("fetch failed");
  expect((await fetch(`${understudy.ledgerUrl}/v2/users`, { headers })).status).toBe(200);
  expect(understudy.journal).toHaveLength(2);
});

test("handlers of a fork send requests to the fork", async () => {
  const understudy = createUnderstudy();
  const fork = understudy.fork();
  network.use(...understudyHandlers(fork, { ledgerUrl: "https://ledger.example.com" }));
  await fetch("https://ledger.example.com/v2/idps", { headers });
  expect([understudy.journal.length, fork.journal.length]).toEqual([0, 1]);
});

test.each([
  ["https://node.example.com/ledger", "https://node.example.com/ledger/registry"],
  ["https://node.example.com/all/ledger", "https://node.example.com/all"],
])("distinguishes the ledger at %s from the registry at %s", async (ledgerUrl, registryUrl) => {
  const understudy = createUnderstudy();
  network.use(...understudyHandlers(understudy, { ledgerUrl, registryUrl }));
  const users = await fetch(`${ledgerUrl}/v2/users`, { headers });
  const info = await fetch(`${registryUrl}/registry/metadata/v1/info`);
  expect([users.status, info.status]).toEqual([200, 200]);
});

test("a base URL can be a path on the page's own origin", async () => {
  vi.stubGlobal("location", new URL("https://app.example.com/page"));
  const understudy = createUnderstudy();
  network.use(...understudyHandlers(understudy, { ledgerUrl: "/api/json" }));
  expect((await fetch("https://app.example.com/api/json/v2/users", { headers })).status).toBe(200);
});

test.each(["ledger.example.com", "", "//ledger.example.com", "https:///v2"])(
  "refuses %j as a base URL",
  (ledgerUrl) => {
    expect(() => understudyHandlers(createUnderstudy(), { ledgerUrl })).toThrow("is not a base URL. Use https://");
  },
);
