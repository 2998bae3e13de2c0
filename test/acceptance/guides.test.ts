import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { root, temporaryFolder } from "./_command-line.ts";
import { follow, stepsOf } from "./_guide.ts";

let packed = "";

beforeAll(() => {
  const folder = temporaryFolder();
  execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: root, stdio: "pipe" });
  packed = join(folder, readdirSync(folder).find((file) => file.endsWith(".tgz")) ?? "");
}, 120_000);

/** The machine's own, without what the commands around this test have set for themselves. */
const env = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^(?:npm_(?!config_)|npm_config_(?:local_)?prefix$|INIT_CWD|VITEST|NODE_ENV|NODE_COMPILE_CACHE)/.test(name),
    ),
  ),
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_prefer_offline: "true",
  npm_config_update_notifier: "false",
  NO_COLOR: "1",
  PACT_DO_NOT_TRACK: "true",
};

test.each([
  ["consumer-tests.md", 7],
  ["reassignment-window.md", 8],
])("%s can be followed word by word from an empty folder", { timeout: 180_000 }, async (page, commands) => {
  const steps = stepsOf(readFileSync(join(root, "docs", page), "utf8"));
  const followed = await follow(steps, temporaryFolder(), { packed, env });
  expect(followed.flatMap(({ problem }) => problem ?? [])).toEqual([]);
  expect(followed).toHaveLength(commands);
});
