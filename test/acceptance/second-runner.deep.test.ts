import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { startUnderstudy } from "../../src/index.ts";
import { root } from "./_command-line.ts";

const execute = promisify(execFile);
const redocly = join(root, "node_modules/.bin/redocly");
const files = readdirSync(join(root, "scenarios"));
const options = { cwd: root, env: { ...process.env, REDOCLY_TELEMETRY: "off" } };

test("Redocly finds no problems in the scenarios", async () => {
  const scenarios = files.map((file) => `scenarios/${file}`);
  const { stdout, stderr } = await execute(redocly, ["lint", ...scenarios], options);
  expect(`${stdout}${stderr}`).toContain("Your API descriptions are valid");
  expect(`${stdout}${stderr}`).not.toMatch(/\bwarning/i);
  expect(files.length).toBeGreaterThanOrEqual(15);
});

// Redocly sends all steps to one participant of the APIs of the spec, which does not allow the ledger of a LocalNet.
const others: readonly string[] = [
  "localnet.arazzo.yaml",
  "paused-instrument.arazzo.yaml",
  "two-participants.arazzo.yaml",
];
const onOneParticipant = files.filter((file) => !others.includes(file));

// Redocly checks against the spec's own descriptions, so the stub uses the profile of the spec.
test.each(onOneParticipant)("Redocly runs %s against the stub, and all its checks pass", async (file) => {
  await using understudy = await startUnderstudy({ scenario: join(root, "scenarios", file), profile: "spec" });
  const servers = ["ledger", "registry", "control"].flatMap((name) => ["--server", `${name}=${understudy.ledgerUrl}`]);
  const { stdout, stderr } = await execute(redocly, ["respect", `scenarios/${file}`, ...servers], options);
  expect(`${stdout}${stderr}`).toMatch(/Workflows: .*1 passed, 1 total/);
});
