import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { freePorts } from "../_free-ports.ts";
import { root, serving, temporaryFolder } from "../acceptance/_command-line.ts";
import { follow, stepsOf } from "../acceptance/_guide.ts";
import { overOneConnection, requestText } from "../acceptance/_raw-client.ts";
import { installedNginx } from "./_nginx.ts";

const nginx = installedNginx() ?? "nginx";
const page = readFileSync(join(root, "docs/scale.md"), "utf8");
const configuration = readFileSync(join(root, "examples/scale/nginx.conf"), "utf8");

/** What has ended, or is about to, cannot be stopped, and need not be. */
function stopNginx(folder: string): void {
  spawnSync(nginx, ["-p", folder, "-c", "nginx.conf", "-s", "stop"], { stdio: "ignore" });
}

/** A folder with `understudy` and `nginx`, as they are where both are installed. */
function commands(): string {
  const folder = join(temporaryFolder(), "bin");
  mkdirSync(folder);
  const understudy = join(folder, "understudy");
  writeFileSync(understudy, `#!/bin/sh\nexec ${process.execPath} ${join(root, "src/entrypoints/cli/main.ts")} "$@"\n`);
  chmodSync(understudy, 0o755);
  symlinkSync(nginx, join(folder, "nginx"));
  return folder;
}

/** A text that speaks of these ports instead of those that it names. */
function atPorts(text: string, [outside, a, b]: readonly (number | string)[]): string {
  return text.replaceAll("7575", String(outside)).replaceAll("7576", String(a)).replaceAll("7577", String(b));
}

test("docs/scale.md can be followed word by word, at other ports", { timeout: 120_000 }, async () => {
  const folder = temporaryFolder();
  onTestFinished(() => stopNginx(folder));
  const env = { ...process.env, PATH: `${commands()}:${process.env["PATH"]}` };
  const steps = stepsOf(atPorts(page, await freePorts(3)), ["nginx"]);
  const followed = await follow(steps, folder, { packed: "", env });
  expect(followed.flatMap(({ problem }) => problem ?? [])).toEqual([]);
  expect(followed).toHaveLength(8);
});

/** Two replicas behind nginx, with a plan that breaks answers off. */
async function replicas() {
  const scenario = join(temporaryFolder(), "planned.arazzo.yaml");
  const text = readFileSync(join(root, "scenarios/quickstart.arazzo.yaml"), "utf8").replaceAll("../", root);
  const plan =
    "[{ on: getV2Idps, nth: 1, instead: { reset: true } }, { on: getV2Idps, nth: 2, after: { truncate: 5 } }]";
  writeFileSync(
    scenario,
    text.replace(/^( +)seed: .*$/m, (line, indent) => `${line}\n${indent}plan: ${plan}`),
  );
  const [a, b] = [await serving([scenario, "--world-prefix", "a"]), await serving([scenario, "--world-prefix", "b"])];
  const [outside] = await freePorts(1);
  const folder = temporaryFolder();
  const ports = [outside ?? 0, new URL(a.url).port, new URL(b.url).port];
  writeFileSync(join(folder, "nginx.conf"), atPorts(configuration, ports));
  execFileSync(nginx, ["-p", folder, "-c", "nginx.conf"], { stdio: "ignore" });
  onTestFinished(() => stopNginx(folder));
  return `http://127.0.0.1:${outside}`;
}

test("behind nginx each world is reached at its replica, by all ways and on one connection", async () => {
  const url = await replicas();
  const ids: string[] = [];
  for (let forks = 0; forks < 4; forks += 1) {
    const made = await fetch(`${url}/__understudy/worlds/default/fork`, { method: "POST", body: '{"from":"start"}' });
    ids.push(JSON.parse(await made.text()).id);
  }
  expect(ids.toSorted()).toEqual(["a-1", "a-2", "b-1", "b-2"]);
  for (const id of ids) {
    const headers = { Authorization: "Bearer any", "Content-Type": "application/json", "Understudy-World": id };
    const body = JSON.stringify({
      user: { id: `of-${id}`, metadata: { annotations: { large: "x".repeat(200_000) } } },
    });
    expect((await fetch(`${url}/v2/users`, { method: "POST", headers, body })).status).toBe(200);
  }
  const requested = ids.flatMap((id) => [
    requestText(`GET /w/${id}/v2/users/of-${id}`),
    requestText(`GET /v2/users/of-${id}`, { headers: `understudy-world: ${id}\r\n` }),
    requestText(`GET /v2/users/of-${id}`),
    requestText(`GET /__understudy/worlds/${id}/client-rules`),
  ]);
  const responses = await overOneConnection(url, [...requested, requestText("GET /w/b-9/v2/users", { isLast: true })]);
  expect(responses.map(({ status }) => status)).toEqual([...ids.flatMap(() => [200, 200, 404, 200]), 404]);
});

test("behind nginx a response that breaks off on purpose does so, and the next one is as usual", async () => {
  const url = await replicas();
  for (const world of ["a-1", "b-1"]) {
    await fetch(`${url}/__understudy/worlds/default/fork`, { method: "POST", body: '{"from":"start"}' });
    const ask = () => fetch(`${url}/w/${world}/v2/idps`, { headers: { Authorization: "Bearer any" } });
    await expect(ask()).rejects.toThrow("fetch failed");
    const cut = await ask();
    expect(cut.status).toBe(200);
    await expect(cut.text()).rejects.toThrow("terminated");
    expect((await ask()).status).toBe(200);
  }
});
