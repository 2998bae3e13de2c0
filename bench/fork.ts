// Measures time and memory of a fork of a world with many users: `node --expose-gc bench/fork.ts [users]`.
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { createUnderstudy } from "../src/index.ts";
import { forksText, measureForks } from "./measure-forks.ts";

const users = Number(process.argv[2] ?? 1_000_000);
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

console.log(forksText(await measureForks(understudy)));
