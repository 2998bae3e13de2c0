import { join } from "node:path";
import { expect, test } from "vitest";
import { serving, temporaryFolder } from "./_command-line.ts";

const headers = { Authorization: "Bearer any" };

async function received(url: string): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(url);
  return { status: response.status, text: await response.text() };
}

/** The value of each sample, by name and labels. */
async function metricsOf(url: string): Promise<ReadonlyMap<string, number>> {
  const { text } = await received(`${url}/__understudy/metrics`);
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("# "));
  for (const line of lines) expect(line).toMatch(/^[a-z_]+(?:\{[a-z]+="[^"]*"(?:,[a-z]+="[^"]*")*\})? [-+.e\d]+$/);
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
  );
}

test("metrics count requests by operation and status, and their durations", async () => {
  const { url } = await serving([]);
  for (const target of ["/v2/users", "/v2/users", "/v2/users?pageSize=-1", "/unknown", "/w/unknown/v2/users"])
    await fetch(`${url}${target}`, { headers });
  await fetch(`${url}/__understudy/worlds/default/fork`, { method: "POST" });
  const metrics = await metricsOf(url);
  const requests = [...metrics].filter(([name]) => name.startsWith("understudy_requests_total"));
  expect(requests).toEqual([
    ['understudy_requests_total{operation="getV2Users",status="200"}', 2],
    ['understudy_requests_total{operation="getV2Users",status="400"}', 1],
    ['understudy_requests_total{operation="none",status="404"}', 1],
  ]);
  const duration = 'understudy_request_duration_seconds_bucket{operation="getV2Users",le=';
  const classes = [...metrics].filter(([name]) => name.startsWith(duration)).map(([, value]) => value);
  expect(classes.at(-1)).toBe(3);
  expect(classes).toEqual(classes.toSorted((left, right) => left - right));
  expect(metrics.get('understudy_request_duration_seconds_count{operation="getV2Users"}')).toBe(3);
  expect([metrics.get("understudy_worlds"), metrics.get("understudy_worlds_created_total")]).toEqual([2, 1]);
  expect(metrics.get("understudy_journal_exchanges")).toBe(4);
  expect(metrics.get("process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
  expect(metrics.get("process_start_time_seconds")).toBeGreaterThan(1_700_000_000);
  expect([...metrics.keys()].filter((name) => /store|lease/.test(name))).toEqual([]);
});

test("metrics have the media type of Prometheus, and count what a limit refuses", async () => {
  const { url } = await serving(["--limit", "worldsMax=1"]);
  await fetch(`${url}/__understudy/worlds/default/fork`, { method: "POST" });
  expect((await metricsOf(url)).get('understudy_limit_exceeded_total{limit="worldsMax"}')).toBe(1);
  const response = await fetch(`${url}/__understudy/metrics`);
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect((await fetch(`${url}/__understudy/metrics`, { method: "POST" })).status).toBe(405);
});

test("metrics of a store count commits, changes and owned worlds", async () => {
  const { url } = await serving(["--store", `sqlite:${join(temporaryFolder(), "store.db")}`]);
  const body = JSON.stringify({ user: { id: "zoe" } });
  const json = { ...headers, "Content-Type": "application/json" };
  expect((await fetch(`${url}/v2/users`, { method: "POST", headers: json, body })).status).toBe(200);
  const metrics = await metricsOf(url);
  const names = ["changes_total", "commit_duration_seconds_count", "faults_total", "up"];
  expect(names.map((name) => metrics.get(`understudy_store_${name}`))).toEqual([1, 1, 0, 1]);
  const leases = ["valid", "worlds", "worlds_lost_total"];
  expect(leases.map((name) => metrics.get(`understudy_lease_${name}`))).toEqual([1, 1, 0]);
});

test("a stub that is stopping is live and not ready, and serves requests until it has drained", async () => {
  const stub = await serving(["--drain", "2"]);
  const live = `${stub.url}/__understudy/live`;
  const ready = `${stub.url}/__understudy/ready`;
  expect(await received(live)).toEqual({ status: 200, text: '{"live":true}' });
  expect(await received(ready)).toEqual({ status: 200, text: '{"ready":true,"reasons":[]}' });
  stub.stop();
  expect(await received(ready)).toEqual({ status: 503, text: '{"ready":false,"reasons":["The stub is stopping."]}' });
  expect((await received(live)).status).toBe(200);
  expect((await fetch(`${stub.url}/v2/users`, { headers })).status).toBe(200);
  expect(await stub.ended()).toMatchObject({ exitCode: 0, error: "" });
});
