import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { freePorts } from "../_free-ports.ts";
import { root, running, temporaryFolder } from "../acceptance/_command-line.ts";
import { addressOf, commandsOf } from "../acceptance/_followed-page.ts";
import { installedNginx } from "./_nginx.ts";
import { majorVersionOf, startPostgres } from "./_postgres.ts";

/** An older `pg_dump` refuses the server of the test. */
const serverVersion = 18;

/** Programs of the page that this machine has. */
function installed(): readonly string[] {
  const psql = majorVersionOf("psql") > 0 ? ["psql"] : [];
  const dump = majorVersionOf("pg_dump") >= serverVersion ? ["pg_dump"] : [];
  const sqlite = majorVersionOf("sqlite3") > 0 ? ["sqlite3"] : [];
  return [...psql, ...dump, ...sqlite];
}

test.for(["docs/shared-sandbox.md", "docs/replicas.md"])(
  "%s can be followed word by word, with a real nginx and a real PostgreSQL",
  async (page, { signal }) => {
    await startPostgres(addressOf(page));
    const followed = await commandsOf(page, signal, { available: ["nginx and PostgreSQL", ...installed()] });
    expect(followed.flatMap(({ problem }) => problem ?? [])).toEqual([]);
    expect(followed.length).toBeGreaterThan(6);
  },
);

/** Two replicas with one store behind the nginx of examples/deploy. */
async function sandbox() {
  const ports = await freePorts(4);
  const store = `sqlite:${join(temporaryFolder(), "worlds.db")}`;
  const startReplica = (index: 1 | 2) => running(["serve", "--port", String(ports[index]), "--store", store]);
  const replicas = { a: await startReplica(1), b: await startReplica(2) };
  const url = `http://127.0.0.1:${ports[0]}`;
  startNginx(["7575", "7576", "7577", "7578"].map((port, index) => [port, String(ports[index])]));
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { Authorization: "Bearer any", "Content-Type": "application/json" };
    const response = await fetch(url + path, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  };
  const fork = async () => {
    const { text } = await ask("POST", "/__understudy/worlds/default/fork", { from: "start" });
    return String(JSON.parse(text).path);
  };
  return { ...replicas, restartA: () => startReplica(1), ask, fork };
}

function startNginx(ports: readonly (readonly [string, string | undefined])[]): void {
  const folder = temporaryFolder();
  let text = readFileSync(join(root, "examples/deploy/nginx.conf"), "utf8");
  for (const [port, free = ""] of ports) text = text.replaceAll(port, free);
  writeFileSync(join(folder, "nginx.conf"), text);
  const nginx = installedNginx() ?? "nginx";
  execFileSync(nginx, ["-p", folder, "-c", "nginx.conf"], { stdio: "ignore" });
  onTestFinished(() => void spawnSync(nginx, ["-p", folder, "-c", "nginx.conf", "-s", "stop"], { stdio: "ignore" }));
}

test("behind nginx the planned faults of a shared world arrive as planned, and what they executed is not repeated", async () => {
  const { ask, fork } = await sandbox();
  const plan = [
    { on: "getV2Users", nth: 1, instead: { status: 503 } },
    { on: "getV2Users", nth: 2, instead: { reset: true } },
    { on: "postV2Users", nth: 1, after: { status: 503 } },
  ];
  for (let forks = 0; forks < 8; forks += 1) {
    const world = await fork();
    expect((await ask("POST", `/__understudy/worlds/${world.slice("/w/".length)}/plan`, { plan })).status).toBe(200);
    expect((await ask("GET", `${world}/v2/users`)).text).toContain("SERVICE_NOT_RUNNING");
    await expect(ask("GET", `${world}/v2/users`)).rejects.toThrow("fetch failed");
    expect((await ask("POST", `${world}/v2/users`, { user: { id: "zoe" } })).text).toContain("SERVICE_NOT_RUNNING");
    expect((await ask("GET", `${world}/v2/users/zo%65`)).status).toBe(200);
  }
});

test("behind nginx no request fails when a replica stops, and none when it is back while the other one serves its worlds", async () => {
  const { a, restartA, ask, fork } = await sandbox();
  const worlds = await Promise.all(Array.from({ length: 8 }, fork));
  const createIn = async (id: string) => {
    const statuses = worlds.map(async (world) => (await ask("POST", `${world}/v2/users`, { user: { id } })).status);
    expect(await Promise.all(statuses)).toEqual(worlds.map(() => 200));
  };
  await createIn("before");
  await a.end();
  await createIn("without-a");
  await restartA();
  for (const id of ["again-1", "again-2", "again-3"]) await createIn(id);
});
