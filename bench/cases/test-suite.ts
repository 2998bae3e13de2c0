import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plan } from "../plan.ts";
import { finished, node } from "../processes.ts";
import { type Figures, inTurns, median, type Row, type Subject, type Values } from "../rows.ts";
import type { Install } from "../workspace.ts";

const tests: string = fileURLToPath(new URL("suite-tests.mjs", import.meta.url));
const modules: string = fileURLToPath(new URL("../../node_modules", import.meta.url));

/** Tests of a suite. */
const count = 500;

/** The way in which each subject tests; the reference has empty tests. */
const suites: readonly (readonly [Subject, string])[] = [
  ["understudy", "understudy"],
  ["before", "understudy"],
  ["reference", "empty"],
  ["msw", "msw"],
];

/** A suite of vitest in a project that has installed the package: a fork for each test, against empty tests and MSW. */
export async function runTestSuite(plan: Plan): Promise<readonly Row[]> {
  const runs = new Map<Subject, () => Promise<Figures>>();
  for (const [subject, suite] of suites) {
    const install = plan.installs.find(({ name }) => name === (subject === "before" ? "before" : "understudy"));
    if (install !== undefined) runs.set(subject, () => runSuite(plan, suite, install));
  }
  const found = await inTurns(plan.effort.processes, runs);
  return [
    { name: "suite", title: `${count} tests, after vitest's own start`, unit: "ms", values: found("all") },
    { name: "suite-test", title: "a test, above an empty one", unit: "ms", values: aboveEmpty(found("each")) },
    {
      name: "suite-first",
      title: "the first test of a process, above an empty one",
      unit: "ms",
      values: aboveEmpty(found("first")),
    },
  ];
}

/** Times in milliseconds: of the first test, of each further one, and of all. */
async function runSuite({ workspace, tell }: Plan, suite: string, install: Install): Promise<Figures> {
  tell(`test suite: ${suite}, ${install.name}`);
  const folder = projectOf(install);
  const times = join(workspace.folder, "suite-times.json");
  const words = [join(modules, "vitest/vitest.mjs"), "run", "--reporter=dot", "--pool=forks"];
  await finished({ ...node(...words), folder, variables: { SUITE: suite, TESTS: String(count), TIMES: times } });
  const ends: readonly number[] = JSON.parse(readFileSync(times, "utf8"));
  const [first = Number.NaN, all = Number.NaN] = [ends[0], ends.at(-1)];
  return { first, each: (all - first) / (count - 1), all };
}

/** A folder with the tests, in the project that has the package. */
function projectOf({ library }: Install): string {
  const installed = join(library, "../../../..");
  const folder = join(installed, "../suite");
  mkdirSync(folder, { recursive: true });
  copyFileSync(tests, join(folder, "suite.test.mjs"));
  for (const name of ["vitest", "msw"])
    if (!existsSync(join(installed, name))) symlinkSync(join(modules, name), join(installed, name));
  return folder;
}

function aboveEmpty(values: Values): Values {
  const empty = median(values.get("reference"));
  return new Map([...values].map(([subject, all]) => [subject, all.map((ms) => ms - empty)]));
}
