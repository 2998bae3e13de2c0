import { fileURLToPath } from "node:url";
import { manyUsers } from "../many-users.ts";
import type { Plan } from "../plan.ts";
import { finished, node, pinned } from "../processes.ts";
import { type Figures, inTurns, type Row, type Subject } from "../rows.ts";

const child: string = fileURLToPath(new URL("fixture-child.ts", import.meta.url));

/** Processor time to make a world of a large fixture, each in its own process. The reference is `JSON.parse` of the file. */
export async function runFixture({ workspace, installs, effort, tell }: Plan): Promise<readonly Row[]> {
  const { scenario, ledger } = manyUsers(workspace, effort.users);
  const run =
    (...words: readonly string[]) =>
    async (): Promise<Figures> => {
      tell(`fixture: ${words[0] === "parse" ? "JSON.parse" : "load"}`);
      return { ms: Number(await finished(pinned(node("--max-old-space-size=8192", child, ...words)))) };
    };
  const runs = new Map<Subject, () => Promise<Figures>>([["reference", run("parse", ledger)]]);
  for (const { name, library } of installs) runs.set(name, run("load", scenario, library));
  const found = await inTurns(effort.processes, runs);
  const title = `fixture with ${effort.users.toLocaleString("en")} users`;
  return [{ name: "fixture", title, unit: "ms", values: found("ms") }];
}
