// Measures Understudy, a bare server and other mock servers: `npm run bench`. README.md describes the cases.
import { UserError } from "../src/entrypoints/cli/user-error.ts";
import { runChecker } from "./cases/check.ts";
import { runColdStart } from "./cases/cold-start.ts";
import { runInProcess } from "./cases/in-process.ts";
import { loadCases } from "./cases/load-cases.ts";
import { runMemory } from "./cases/memory.ts";
import { runFixture, runWorld } from "./cases/million-users.ts";
import { runLoadCases } from "./cases/run-load-cases.ts";
import { runTail } from "./cases/tail.ts";
import { conditionsOf } from "./conditions.ts";
import { describeMachine, findTools } from "./machine.ts";
import { help, readBenchOptions } from "./options.ts";
import type { Plan } from "./plan.ts";
import { stepAside } from "./processes.ts";
import type { CaseResult, Results } from "./results.ts";
import { serverKinds } from "./servers/servers.ts";
import { versionsOf } from "./versions.ts";
import { prepareWorkspace } from "./workspace.ts";
import { writeResults } from "./write-results.ts";

/** Every case that is not a load case. */
const others: Readonly<Record<string, (plan: Plan) => Promise<readonly CaseResult[]>>> = {
  tail: runTail,
  start: runColdStart,
  memory: runMemory,
  world: runWorld,
  fixture: runFixture,
  checker: runChecker,
  fetch: runInProcess,
};

const known = {
  cases: [...loadCases.map(({ name }) => name), ...Object.keys(others)],
  servers: serverKinds.map(({ name }) => name),
};

async function main(words: readonly string[]): Promise<void> {
  const options = readBenchOptions(words, known);
  if (options.isHelp) {
    console.log(help(known));
    return;
  }
  const tell = (text: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);
  const date = new Date().toISOString();
  const tools = findTools();
  const workspace = await prepareWorkspace(tell);
  stepAside(tools.cores);
  const kinds = serverKinds.filter(({ name }) => options.servers.includes(name));
  const plan = { workspace, tools, kinds, effort: options.effort, tell };
  const { cases, areAllDone } = await measureAll(plan, options.only);
  const versions = versionsOf(workspace, tools);
  const results: Results = { date, machine: describeMachine(), versions, conditions: conditionsOf(plan), cases };
  writeResults(results, options.isWhole && areAllDone);
  if (!areAllDone) process.exitCode = 1;
}

/** Runs the named cases. A failed case is printed, and the results of the others are kept. */
async function measureAll(plan: Plan, names: readonly string[]) {
  const loads = loadCases.filter(({ name }) => names.includes(name));
  const runs = [(of: Plan) => runLoadCases(of, loads), ...names.flatMap((name) => others[name] ?? [])];
  const cases: CaseResult[] = [];
  let areAllDone = true;
  for (const run of runs)
    try {
      cases.push(...(await run(plan)));
    } catch (error) {
      plan.tell(error instanceof Error ? (error.stack ?? error.message) : String(error));
      areAllDone = false;
    }
  return { cases, areAllDone };
}

/** The exit code of a shell for an interrupted command. */
const interrupted = 130;

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(interrupted));
try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  console.error(error.message);
  process.exitCode = error.exitCode;
}
