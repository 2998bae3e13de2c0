import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseObject } from "./json.ts";
import type { Tools } from "./machine.ts";
import type { Workspace } from "./workspace.ts";

const packages = {
  Prism: "@stoplight/prism-cli",
  Mockoon: "@mockoon/cli",
  WireMock: "wiremock",
  Specmatic: "specmatic",
  autocannon: "autocannon",
};

/** The versions of all servers and tools. */
export function versionsOf({ peers, folder }: Workspace, { wrk, java }: Tools): Readonly<Record<string, string>> {
  const versionIn = (modules: string, name: string) =>
    String(parseObject(readFileSync(join(modules, name, "package.json"), "utf8"))["version"]);
  const entries = Object.entries(packages).map(([title, name]) => [title, versionIn(peers, name)]);
  return {
    Understudy: versionIn(join(folder, "consumer/node_modules"), "canton-understudy"),
    Node: process.version.slice(1),
    ...Object.fromEntries(entries),
    ...(java === undefined ? {} : { Java: java }),
    ...(wrk ? { wrk: wrkVersion() } : {}),
  };
}

function wrkVersion(): string {
  const { stdout } = spawnSync("wrk", ["-v"], { encoding: "utf8" });
  return /^wrk (\S+)/m.exec(stdout)?.[1] ?? "unknown";
}
