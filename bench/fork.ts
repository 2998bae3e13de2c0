// What a fork of a world with many users costs in time and memory: `node --expose-gc bench/fork.ts [users]`.
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { createUnderstudy } from "../src/index.ts";

const users = Number(process.argv[2] ?? 1_000_000);
const rounds = 9;
const forksPerRound = 1000;
const text = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const ledgerPath = "fixtures/ledgers/two-synchronizers.yaml";
const ledger = parse(text(ledgerPath));
for (let index = 0; index < users; index += 1) ledger.users.push({ id: `user-${index}`, rights: [] });
const scenario = "scenarios/quickstart.arazzo.yaml";
const registryPath = "fixtures/registries/amulet.yaml";
const loadedAt = performance.now();
const understudy = createUnderstudy({
  scenario,
  files: { [scenario]: text(scenario), [ledgerPath]: JSON.stringify(ledger), [registryPath]: text(registryPath) },
});
console.log(`${users} users loaded in ${((performance.now() - loadedAt) / 1000).toFixed(1)} s`);

const microseconds: number[] = [];
const bytes: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const begun = performance.now();
  const forks = Array.from({ length: forksPerRound }, () => understudy.fork());
  microseconds.push(((performance.now() - begun) * 1000) / forksPerRound);
  globalThis.gc?.();
  bytes.push((process.memoryUsage().heapUsed - before) / forksPerRound);
  for (const fork of forks) await fork.close();
}
const median = (values: readonly number[]) => [...values].sort((left, right) => left - right)[rounds >> 1] ?? 0;
const each = `median of ${rounds} rounds of ${forksPerRound}`;
console.log(`a fork: ${median(microseconds).toFixed(1)} µs and ${Math.round(median(bytes))} bytes (${each})`);
