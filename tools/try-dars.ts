import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Dar, readingDar } from "../src/daml/archives/dar.ts";
import { limitValues } from "../src/foundation/limits/limits.ts";

// Reads every DAR below a folder, decodes all its definitions, and prints a table. `npm run try:dars -- FOLDER`. Archives of
// others are never committed.

/** What a row shows of an archive; times are those of the processor. `longestMs` is the longest step of reading it: in between, a stub serves other requests. */
interface Row {
  readonly file: string;
  readonly main?: string;
  readonly versions?: string;
  readonly packages?: number;
  readonly templates?: number;
  readonly interfaces?: number;
  readonly choices?: number;
  readonly unknownFields?: number;
  readonly areIdsEqual?: boolean;
  readonly readMs: number;
  readonly longestMs: number;
  readonly definitionsMs?: number;
  readonly problem?: string;
}

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("Name the folder: npm run try:dars -- FOLDER");
const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".dar"));
const rows = files.sort().map((file) => rowOf(file, readFileSync(join(folder, file))));
console.table(Object.fromEntries(rows.map(({ file, ...row }) => [file.slice(-60), row])));
const read = rows.filter(({ problem }) => problem === undefined);
const unknown = read.reduce((sum, { unknownFields = 0 }) => sum + unknownFields, 0);
console.log(
  `${rows.length} archives: ${read.length} read, ${rows.length - read.length} refused, ${unknown} unknown fields.`,
);

function rowOf(file: string, bytes: Uint8Array): Row {
  const steps: number[] = [];
  const timed = <Result>(step: () => Result): Result => {
    const before = processorMs();
    try {
      return step();
    } finally {
      steps.push(processorMs() - before);
    }
  };
  const times = () => ({
    readMs: rounded(steps.reduce((sum, ms) => sum + ms, 0)),
    longestMs: rounded(Math.max(...steps)),
  });
  const reading = readingDar(bytes, limitValues());
  for (;;) {
    const step = timed(() => reading.next());
    if (step.done !== true) continue;
    if (step.value.type === "read") return { file, ...times(), ...contentOf(step.value.dar) };
    const { code, problem, context } = step.value;
    return { file, ...times(), problem: `${code}: ${context["reason"] ?? problem}`.slice(0, 100) };
  }
}

function contentOf({ main, dependencies }: Dar): Omit<Row, "file" | "readMs" | "longestMs"> {
  const before = processorMs();
  const all = [main, ...dependencies].map((each) => each.package);
  for (const { modules } of all)
    for (const { dataTypes, synonyms, values, exceptions } of modules.values())
      for (const definitions of [dataTypes, synonyms, values, exceptions]) for (const _ of definitions.all());
  const [templates, interfaces] = [main.package.templates, main.package.interfaces];
  return {
    main: `${main.package.name} ${main.package.version}`,
    versions: [...new Set(all.map(({ languageVersion }) => languageVersion))].sort().join(", "),
    packages: all.length,
    templates: templates.length,
    interfaces: interfaces.length,
    choices: [...templates, ...interfaces].reduce((sum, { choices }) => sum + choices.size, 0),
    unknownFields: all.reduce((sum, { unknownFields }) => sum + unknownFields, 0),
    // Reading refuses an archive with another hash, or with an unknown field.
    areIdsEqual: true,
    definitionsMs: rounded(processorMs() - before),
  };
}

/** Time of the processor, so that other programs do not count. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
