// What takes too long for the suite: a hundred thousand hostile inputs of each kind, a million requests of random runs over a
// simulated stub, two hundred recorders and four hundred replicas killed under load, rolling restarts of replicas with a
// thousand worlds, faults of stores (connections, networks, locks, files, full disks, clocks, a failover), replicas behind
// nginx where that is installed, all probes at our own stub in every profile from fifty seeds each, and at faulty servers from
// a hundred seeds each. First all random tests of the other tiers, with another seed. Run with `npm run nightly`, which draws
// the first seed and prints it; `npm run nightly -- SEED` repeats it.
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { profileNamesOf } from "../src/foundation/spec/spec.ts";
import { randomFrom } from "../test/_random.ts";
import { crash } from "../test/acceptance/_crashes.ts";
import { probe, probedStub } from "../test/acceptance/_probed.ts";
import { rulesAccusing, seededFaults, verdictsOf } from "../test/mutants/sentences/_seeds.ts";
import { installedNginx } from "../test/nightly/_nginx.ts";

const firstSeed = Number(process.argv[2] ?? randomInt(1_000_000));
console.log(`first seed ${firstSeed}: npm run nightly -- ${firstSeed} repeats it`);
let failures = 0;

async function probed(ledger: string, seed: number): Promise<readonly string[]> {
  const stub = await probedStub({ ledger, seed });
  const { summary } = await probe(stub, { allowed: "destructive" });
  return summary.violations.map(({ fingerprint }) => `seed ${seed}: ${fingerprint}`);
}

async function crashed(kills: number): Promise<void> {
  const random = randomFrom(firstSeed);
  const counts = { finished: 0, kept: 0, torn: 0, lost: 0 };
  for (let kill = 0; kill < kills; kill += 1) {
    const { finished, kept, wasIncomplete, lost } = await crash(random);
    counts.finished += finished;
    counts.kept += kept;
    counts.torn += wasIncomplete ? 1 : 0;
    counts.lost += lost.length;
  }
  failures += counts.lost;
  const { finished, kept, torn, lost } = counts;
  console.log(
    `${kills} recorders killed: ${finished} exchanges finished, ${kept} kept, ${lost} lost; ${torn} files torn`,
  );
}

/** The guide to many replicas, word by word, and what they respond behind a real nginx. */
function behindNginx(): void {
  if (installedNginx() === undefined) console.log("replicas behind nginx: skipped (nginx is not installed)");
  else {
    testFile("test/nightly/replicas-behind-nginx.ts");
    testFile("test/nightly/shared-sandbox.ts");
  }
}

/** The test files of the other tiers that draw from the seed, themselves or through fast-check. */
function randomTests(): void {
  const isRandom = (file: string) => /from "(?:fast-check|[./]*_seed\.ts)"/.test(readFileSync(file, "utf8"));
  const files = ["src", "test"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
  );
  vitest(...files.filter((file) => file.endsWith(".test.ts") && isRandom(file)));
}

function testFile(file: string): void {
  vitest("--config", "test/nightly/vitest.config.ts", file);
}

function vitest(...words: readonly string[]): void {
  const env = { ...process.env, UNDERSTUDY_NIGHT: String(firstSeed) };
  const { status } = spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...words], {
    stdio: "inherit",
    env,
  });
  if (status !== 0) failures += 1;
}

/** A million requests of random runs over a simulated stub. */
function simulated(): void {
  const words = ["--expose-gc", "tools/simulate.ts", "--requests", "1000000", "--seed", String(firstSeed * 100_000)];
  const { status } = spawnSync(process.execPath, words, { stdio: "inherit" });
  if (status !== 0) failures += 1;
}

/** Hostile inputs for everything that reads foreign input; prints a table of the results. */
function fuzzed(): void {
  const { status } = spawnSync(process.execPath, ["tools/fuzz.ts", "--seed", String(firstSeed)], { stdio: "inherit" });
  if (status !== 0) failures += 1;
}

/** A hundred seeds accuse no correct server, and give one verdict on each faulty one, which finds the fault. */
async function sameVerdicts(): Promise<void> {
  for (const profile of ["spec", "canton-3.5"] as const) {
    const accusing = await rulesAccusing(profile, 100);
    if (accusing.length > 0) failures += 1;
    console.log(`the correct server in ${profile}, 100 seeds: ${accusing.join(", ") || "nothing"}`);
    for (const id of seededFaults) {
      const verdicts = await verdictsOf(id, profile, 100);
      if (verdicts.length !== 1 || verdicts[0] === "") failures += 1;
      console.log(`${id} in ${profile}, 100 seeds: ${verdicts.map((found) => found || "not found").join("; ")}`);
    }
  }
}

randomTests();
behindNginx();
testFile("test/nightly/killed-replicas.ts");
testFile("test/nightly/rolling-restarts.ts");
testFile("test/nightly/store-faults.ts");
testFile("test/nightly/store-failover.ts");
simulated();
fuzzed();
await crashed(200);
await sameVerdicts();
for (const profile of profileNamesOf("ledger")) {
  const found: string[] = [];
  for (let seed = firstSeed; seed < firstSeed + 50; seed += 1) found.push(...(await probed(profile, seed)));
  failures += found.length;
  console.log(`${profile}: all probes from 50 seeds, ${found.length === 0 ? "nothing" : found.join("; ")}`);
}
console.log(failures === 0 ? "fine" : `${failures} failed`);
process.exitCode = failures === 0 ? 0 : 1;
