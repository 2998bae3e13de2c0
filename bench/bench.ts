// Measures Understudy, a bare server and other mock servers: `npm run bench`. README.md describes the cases.
import { readFileSync, writeFileSync } from "node:fs";
import { runFixture } from "./cases/fixture.ts";
import { runLoad } from "./cases/load.ts";
import { runMemory } from "./cases/memory.ts";
import { runRecord } from "./cases/record.ts";
import { runRecordings } from "./cases/recordings.ts";
import { runStart } from "./cases/start.ts";
import { runTail } from "./cases/tail.ts";
import { runTestSuite } from "./cases/test-suite.ts";
import { runWorlds } from "./cases/worlds.ts";
import { help, readOptions } from "./options.ts";
import type { Plan } from "./plan.ts";
import { pageWith, report } from "./report.ts";
import type { Row } from "./rows.ts";
import { allTraffic } from "./traffic/all.ts";
import { prepareWorkspace } from "./workspace.ts";

/** Every case that is not traffic. */
const others: Readonly<Record<string, (plan: Plan) => Promise<readonly Row[]>>> = {
  tail: runTail,
  start: runStart,
  memory: runMemory,
  worlds: runWorlds,
  fixture: runFixture,
  recordings: runRecordings,
  record: runRecord,
  suite: runTestSuite,
};

const known: readonly string[] = [...allTraffic.map(({ name }) => name), ...Object.keys(others)];
const page = new URL("../docs/performance.md", import.meta.url);
/** The exit code of a shell for an interrupted command. */
const interrupted = 130;

const options = readOptions(process.argv.slice(2), known);
// Children and files end with this process.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(interrupted));
if (options.isHelp) console.log(help(known));
else await main();

async function main(): Promise<void> {
  const { effort, only, hasPeers, against } = options;
  const tell = (text: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);
  const notes = new Set<string>();
  const plan: Plan = {
    ...(await prepareWorkspace(tell, against)),
    effort,
    hasPeers,
    tell,
    note: (text) => notes.add(text),
  };
  const traffic = allTraffic.filter(({ name }) => only.includes(name));
  const runs = [(of: Plan) => runLoad(of, traffic), ...only.flatMap((name) => others[name] ?? [])];
  const rows: Row[] = [];
  for (const run of runs)
    try {
      rows.push(...(await run(plan)));
    } catch (error) {
      // The results of the other cases are kept.
      tell(error instanceof Error ? (error.stack ?? error.message) : String(error));
      process.exitCode = 1;
    }
  const text = report(rows, [...notes], effort);
  console.log(text);
  if (options.isWritten) writeFileSync(page, pageWith(readFileSync(page, "utf8"), text));
}
