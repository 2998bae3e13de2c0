import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkTrace } from "../../src/checker/engine/checker.ts";
import { hostScenario } from "../../src/entrypoints/library/host-scenario.ts";
import { impliedRegistryProfile, loadSpec, profileNamesOf } from "../../src/foundation/spec/spec.ts";
import { runScenario } from "../../src/scenarios/files/run-scenario.ts";
import { accessBy } from "../../src/stub/control/access.ts";
import { withControl } from "../../src/stub/control/control.ts";
import { temporaryFolder, understudy } from "./_command-line.ts";
import { generated, loaded, small } from "./_generated.ts";
import { probe } from "./_probed.ts";

const ledgers = profileNamesOf("ledger");

test.each(ledgers)("the scenario of generated fixtures passes in %s, and no response breaks a rule", async (ledger) => {
  const scenario = loaded(await generated(7), { profile: ledger });
  const profile = { ledger, registry: impliedRegistryProfile(ledger) };
  const handler = withControl(hostScenario(scenario, { profile, wallNowMs: () => 0 }), accessBy("localhost"));
  const steps = await runScenario(scenario, { handler, hasControl: true, nowMs: () => 0 });
  expect(steps.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
  expect(steps).toHaveLength(9);
  const spec = loadSpec(profile, { hasAdditionalOperations: true });
  const verdict = checkTrace(steps, { spec, areAdditionalOperationsChecked: true });
  expect(verdict.summary().violations.filter(({ outcome }) => outcome === "FAIL")).toEqual([]);
  expect(verdict.summary().exchanges).toBe(9);
});

test.each([1, 2, 3, 4])("probes find no violation in the generated ledger of seed %i", async (seed) => {
  const ledger = ledgers[seed % ledgers.length] ?? "";
  const scenario = loaded(await generated(seed), { profile: ledger });
  const hosting = hostScenario(scenario, {
    profile: { ledger, registry: impliedRegistryProfile(ledger) },
    auth: "user",
    wallNowMs: () => 0,
  });
  const world = hosting.worlds.get("default")?.world;
  if (world === undefined) throw new Error("a world");
  const tokens = { administrator: "participant_admin" };
  const stub = { world, handler: hosting.handler, ledger, tokens, values: {}, hooks: {} };
  const { summary, reports } = await probe(stub, { allowed: "writes" });
  // In mode `user` every text is a token.
  const found = summary.violations.filter(
    ({ outcome, rule }) => outcome === "FAIL" && rule !== "refused-tokens-are-401",
  );
  expect(found.map(({ fingerprint }) => fingerprint)).toEqual([]);
  expect(reports.filter(({ outcome }) => outcome === "run").length).toBeGreaterThan(30);
});

const counts = (...texts: readonly string[]) => texts.flatMap((text) => ["--count", text]);

test("generate fixtures writes valid files, the same for a seed, and overwrites none without --force", async () => {
  const folder = temporaryFolder();
  const flags = [...counts("users=40", "parties=12", "packages=3", "synchronizers=1"), "--seed", "5"];
  const first = await understudy(["generate", "fixtures", ...flags, "--out", "a"], { folder });
  expect(first).toMatchObject({ exitCode: 0, error: "" });
  expect(first.out).toContain("40 users, 12 parties, 3 packages, 1 synchronizer, 3 identity providers");
  const files = readdirSync(join(folder, "a")).sort();
  expect(files).toEqual(["ledger.json", "registry.json", "scenario.arazzo.yaml"]);
  const validated = await understudy(["validate", ...files.map((file) => `a/${file}`)], { folder });
  expect(validated.out).toBe("a/ledger.json: valid\na/registry.json: valid\na/scenario.arazzo.yaml: valid\n");
  expect(await understudy(["generate", "fixtures", ...flags, "--out", "b"], { folder })).toMatchObject({ exitCode: 0 });
  for (const file of files)
    expect(readFileSync(join(folder, "b", file), "utf8")).toBe(readFileSync(join(folder, "a", file), "utf8"));
  writeFileSync(join(folder, "a", "ledger.json"), "mine");
  const again = await understudy(["generate", "fixtures", "--out", "a"], { folder });
  expect(again).toMatchObject({ exitCode: 2, out: "" });
  expect(again.error).toContain("exists. Write elsewhere, or replace it with --force.");
  expect(readFileSync(join(folder, "a", "ledger.json"), "utf8")).toBe("mine");
  const forced = await understudy(["generate", "fixtures", "--out", "a", "--count", "users=2", "--force", "--json"], {
    folder,
  });
  expect(JSON.parse(forced.out)).toMatchObject({ event: "generated", sizes: { users: 2 }, values: { dropped: 0 } });
  expect(readdirSync(join(folder, "a")).sort()).toEqual(files);
});

test.each([
  ["a misspelt kind", ["generate", "fixture"], 'Did you mean "fixtures"?'],
  [
    "a misspelt size",
    ["generate", "fixtures", "--count", "user=5"],
    '--count user=5: unknown count. Did you mean "users"?',
  ],
  [
    "too few parties",
    ["generate", "fixtures", "--count", "parties=1"],
    "--count parties=1: out of range. Use 2 to 200000.",
  ],
  [
    "too many users",
    ["generate", "fixtures", "--count", "users=1e9"],
    "--count users=1e9: not a whole number. Use users=N, 1 to 1000000.",
  ],
])("generate refuses %s with advice, and writes no file", async (_, words, message) => {
  const folder = temporaryFolder();
  const ran = await understudy(words, { folder });
  expect(ran).toMatchObject({ exitCode: 2, out: "" });
  expect(ran.error).toContain(message);
  expect(existsSync(join(folder, "generated"))).toBe(false);
});

test("a generated ledger has known parties, distinct rights and users, and deactivated and managed users", async () => {
  const { texts } = await generated(11, { ...small, users: 400 });
  const ledger = JSON.parse(texts.get("ledger.json") ?? "");
  const users: readonly Record<string, unknown>[] = ledger.users;
  const parties = new Set(ledger.parties.map(({ id }: { id: string }) => id));
  const providerOf = new Map(
    ledger.parties.map((party: Record<string, string>) => [party["id"], party["identityProviderId"]]),
  );
  const rights = users.flatMap((user) => (Array.isArray(user["rights"]) ? user["rights"] : []));
  const named = rights.flatMap((right) => (typeof right === "string" ? [] : Object.values(right)));
  expect(named.length).toBeGreaterThan(300);
  expect(named.filter((party) => !parties.has(party))).toEqual([]);
  const repeated = users.filter(({ rights: own }) => {
    const texts = Array.isArray(own) ? own.map((right) => JSON.stringify(right)) : [];
    return new Set(texts).size < texts.length;
  });
  expect(repeated).toEqual([]);
  expect(new Set(users.map(({ id }) => id)).size).toBe(400);
  expect(users.filter(({ deactivated }) => deactivated).length).toBeGreaterThan(5);
  const managed = users.filter(({ identityProviderId }) => identityProviderId !== undefined);
  expect(managed.length).toBeGreaterThan(10);
  const misled = users.filter(
    ({ primaryParty, identityProviderId }) =>
      primaryParty !== undefined && providerOf.get(primaryParty) !== identityProviderId,
  );
  expect(misled).toEqual([]);
  expect(users[0]).toEqual({ id: "participant_admin", rights: ["ParticipantAdmin"] });
});
