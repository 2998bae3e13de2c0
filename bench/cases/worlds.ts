import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { manyUsers } from "../many-users.ts";
import type { Plan } from "../plan.ts";
import { finished, node, pinned } from "../processes.ts";
import type { Row, Subject, Values } from "../rows.ts";

const child: string = fileURLToPath(new URL("worlds-child.ts", import.meta.url));

/** Updates of the small world. */
const fewUpdates = 200;

/** The numbers that the child prints: microseconds for each operation and of a fork, bytes of a fork. */
type Printed = Readonly<Record<string, readonly number[]>>;

const operations: Readonly<Record<string, string>> = {
  page: "page at the end",
  lookup: "lookup",
  grant: "grant",
  "active-contracts": "active contracts of a party",
  update: "update by id",
};

/** Processor time of requests in a large world as a multiple of the time in a small one, without a socket; forks of the large world. */
export async function runWorlds({ workspace, installs, effort, tell }: Plan): Promise<readonly Row[]> {
  const { scenario } = manyUsers(workspace, effort.users);
  const names = join(workspace.folder, "names.json");
  writeFileSync(names, JSON.stringify(workspace.large));
  const [small, large] = [new Map<Subject, Printed>(), new Map<Subject, Printed>()];
  const printed = async (library: string, of: string, updates: number): Promise<Printed> => {
    const words = [child, library, of, names, String(updates), String(effort.rounds)];
    return JSON.parse(await finished(pinned(node("--max-old-space-size=12288", "--expose-gc", ...words))));
  };
  for (const { name, library } of installs) {
    tell(`worlds: ${name}`);
    small.set(name, await printed(library, workspace.large.scenario ?? "", fewUpdates));
    large.set(name, await printed(library, scenario, effort.updates));
  }
  const ofLarge = (figure: string): Values => new Map([...large].map(([name, each]) => [name, each[figure] ?? []]));
  const ratios = (figure: string): Values =>
    new Map(
      [...large].map(([name, each]) => {
        const reference = small.get(name)?.[figure] ?? [];
        return [name, (each[figure] ?? []).map((micros, round) => micros / (reference[round] ?? Number.NaN))];
      }),
    );
  const users = effort.users.toLocaleString("en");
  const about = `${users} users, ${effort.updates.toLocaleString("en")} contracts and updates`;
  return [
    ...Object.entries(operations).map(([name, title]): Row => {
      return {
        name: `worlds-${name}`,
        title: `${title}: ${about}, against a small world`,
        unit: "×",
        values: ratios(name),
      };
    }),
    { name: "fork", title: `fork of a world with ${users} users`, unit: "µs", values: ofLarge("fork") },
    { name: "fork-memory", title: "memory of such a fork", unit: "bytes", values: ofLarge("bytes") },
    { name: "fetch", title: "page at the start of such a world by `fetch`", unit: "µs", values: ofLarge("first") },
  ];
}
