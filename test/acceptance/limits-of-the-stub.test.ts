import { expect, test } from "vitest";
import { recording, serving, temporaryFolder, understudy } from "./_command-line.ts";

const headers = { Authorization: "Bearer any", "Content-Type": "application/json" };
const right = (index: number) => ({ kind: { CanActAs: { value: { party: `p${index}::1220ab` } } } });
const grantOf = (rights: number) =>
  JSON.stringify({ userId: "alice", rights: Array.from({ length: rights }, (_, index) => right(index)) });

test("a recorded refusal by a limit of the stub is not checked, and counts as no violation", async () => {
  const folder = temporaryFolder();
  const served = await serving(["--profile", "canton-3.5"]);
  const recorder = await recording(["--ledger", served.url, "--out", "stub.har"], { folder });
  const grant = (rights: number) =>
    fetch(`${recorder.url}/v2/users/alice/rights`, { method: "POST", headers, body: grantOf(rights) });
  expect((await grant(2)).status).toBe(200);
  const refused = await grant(9000);
  expect([refused.status, refused.headers.get("understudy-limit")]).toEqual([400, "jsonValuesMax"]);
  expect((await recorder.end()).exitCode).toBe(0);
  const { exitCode, out } = await understudy("check stub.har", { folder });
  expect([exitCode, out]).toEqual([
    0,
    expect.stringContaining("2 exchanges: 1 passed, 0 with known divergences only, 0 failed, 1 not checked."),
  ]);
  expect(out).toContain("postV2UsersUser-idRights 1 time: the response comes from a limit of the stub (jsonValuesMax)");
});

test.each([
  ["nestingMax", 1000, (url: string) => post(url, `{"rights":${"[".repeat(2000)}${"]".repeat(2000)}}`)],
  ["jsonValuesMax", 1000, (url: string) => post(url, grantOf(500))],
  ["targetBytesMax", 1024, (url: string) => fetch(`${url}/v2/users?pageToken=${"x".repeat(2000)}`)],
  ["headersMax", 20, (url: string) => fetch(`${url}/v2/users`, { headers: many })],
] as const)("a response because of %s names the limit", async (limit, value, send) => {
  const { url } = await serving(["--limit", `${limit}=${value}`]);
  const response = await send(url);
  expect([response.status >= 400, response.headers.get("understudy-limit")]).toEqual([true, limit]);
});

test("a response for a world that does not exist names the limit; one of a node does not", async () => {
  const { url } = await serving([]);
  expect((await fetch(`${url}/w/nowhere/v2/users`, { headers })).headers.get("understudy-limit")).toBe("worlds");
  expect((await fetch(`${url}/v2/users?pageSize=-1`, { headers })).headers.get("understudy-limit")).toBeNull();
});

const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`X-${index}`, "1"]));

function post(url: string, body: string): Promise<Response> {
  return fetch(`${url}/v2/users/alice/rights`, { method: "POST", headers, body });
}
