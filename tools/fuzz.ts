// Runs hostile inputs through everything that reads foreign input: npm run fuzz -- --kind har --inputs 1000 --seed 7. Each
// kind has a process of its own, two at a time, watched from here: an input that takes longer than a second, ends its process
// or makes the heap grow is a finding like any other. Exit code 1 where there is one.
import { randomInt } from "node:crypto";
import { type Options, readOptions } from "../src/entrypoints/cli/options.ts";
import { createProgress } from "../src/entrypoints/cli/progress.ts";
import { exitCodes, UserError } from "../src/entrypoints/programs/user-error.ts";
import { printableLines } from "../src/foundation/text/printable.ts";
import { advise } from "../src/foundation/text/suggestion.ts";
import { attempt, shownInput } from "../test/fuzz/_attempt.ts";
import { type Fault, kindsByFault } from "../test/fuzz/_planted.ts";
import { type FuzzFinding, type KindResult, throwKind } from "../test/fuzz/_watch.ts";
import { inputsOf, kindNames, targetOfKind } from "../test/fuzz/kinds.ts";

const inputsDefault = 100_000;
const seedMax = 1_000_000;
/** Kinds at a time. */
const atOnceMax = 2;
/** Groups of findings of a kind that are printed, and characters of each. */
const findingsShownMax = 10;
const findingLengthMax = 2000;
/** Other inputs of a group whose numbers are printed. */
const othersShownMax = 20;
const inputLengthMax = 20_000;
/** What the heap may grow by between a tenth of the inputs and the last of them: what is kept of any input is bounded. */
const heapGrowthBytesMax = 16 * 1024 * 1024;
const megabyte = 1024 * 1024;

const command = {
  name: "fuzz",
  usage: "fuzz [flags]",
  flags: [
    { name: "kind", type: "list", value: "NAME", help: `one of ${kindNames.join(", ")}` },
    { name: "inputs", type: "string", value: "N", help: `inputs of each kind (default ${inputsDefault})` },
    {
      name: "seed",
      type: "string",
      value: "N",
      help: "seed of the inputs (default: random)",
    },
    { name: "fault", type: "string", value: "NAME", help: `put a fault back: ${Object.keys(kindsByFault).join(", ")}` },
    { name: "only", type: "string", value: "N", help: "run and print only this input" },
  ],
  run: async () => 0,
} as const;

async function main(words: readonly string[]): Promise<number> {
  const options = readOptions(command, words, { variables: {}, folder: process.cwd() });
  const kinds = kindsOf(options);
  const seed = wholeNumber(options, "seed") ?? randomInt(seedMax);
  const only = wholeNumber(options, "only");
  const fault = faultOf(options);
  if (only !== undefined) return throwOne(kinds, { seed, number: only, fault });
  const inputs = wholeNumber(options, "inputs") ?? inputsDefault;
  console.log(`seed ${seed}, ${inputs} inputs of each kind: ${kinds.join(", ")}`);
  const results = await throwAll(kinds, { seed, inputs, fault });
  for (const line of table(results)) console.log(line);
  return results.some(({ findings }) => findings.length > 0) ? exitCodes.findings : exitCodes.fine;
}

function kindsOf(options: Options): readonly string[] {
  const [misspelt] = options.texts("kind").filter((name) => !kindNames.includes(name));
  if (misspelt !== undefined)
    throw new UserError(`Unknown kind ${JSON.stringify(misspelt)}. ${advise(misspelt, kindNames)}`);
  return options.texts("kind").length === 0 ? kindNames : options.texts("kind");
}

function wholeNumber(options: Options, name: string): number | undefined {
  const text = options.text(name);
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new UserError(`--${name} is a whole number, not ${JSON.stringify(text)}.`);
  return Number(text);
}

/** The names of the faults are those of a closed list. */
function faultOf(options: Options): Fault | undefined {
  const name = options.text("fault");
  const fault = Object.keys(kindsByFault).find((known): known is Fault => known === name);
  if (name !== undefined && fault === undefined)
    throw new UserError(`Unknown fault ${JSON.stringify(name)}. ${advise(name, Object.keys(kindsByFault))}`);
  return fault;
}

interface Run {
  readonly seed: number;
  readonly inputs: number;
  readonly fault: Fault | undefined;
}

async function throwAll(kinds: readonly string[], { seed, inputs, fault }: Run): Promise<readonly KindResult[]> {
  const progress = createProgress(process.stderr, performance.now.bind(performance));
  const results: KindResult[] = [];
  const left = [...kinds];
  const under = new Map<string, number>();
  const work = async () => {
    for (let kind = left.shift(); kind !== undefined; kind = left.shift()) {
      const name = kind;
      const to = inputsOf(kind, inputs);
      const order = { kind, seed, fault, from: 0, to, heapAt: [Math.floor(to / 10)] };
      const groups = new FindingGroups(name, seed);
      const result = await throwKind(order, {
        onBegun: (number) => {
          under.set(name, number);
          progress.show([...under].map(([one, at]) => `${one} ${at}`).join(", "));
        },
        onFinding: (finding) => {
          progress.erase();
          groups.add(finding);
        },
      });
      under.delete(name);
      progress.erase();
      const growth = growthIn(result);
      for (const finding of growth) groups.add(finding);
      groups.end();
      results.push({ ...result, findings: [...result.findings, ...growth] });
    }
  };
  await Promise.all(Array.from({ length: atOnceMax }, work));
  progress.erase();
  return results.toSorted((left, right) => kinds.indexOf(left.kind) - kinds.indexOf(right.kind));
}

function growthIn({ heap, inputs }: KindResult): readonly FuzzFinding[] {
  if (heap === undefined || heap[1] - heap[0] <= heapGrowthBytesMax) return [];
  const text = `the heap grows from ${megabytes(heap[0])} to ${megabytes(heap[1])} MB`;
  return [{ number: inputs - 1, text }];
}

/** Prints the first finding of each group as soon as it is known, and the numbers of the others at the end. */
class FindingGroups {
  readonly #kind: string;
  readonly #seed: number;
  /** Numbers of the inputs by the first line of their findings. */
  readonly #inputs = new Map<string, number[]>();

  constructor(kind: string, seed: number) {
    this.#kind = kind;
    this.#seed = seed;
  }

  add({ number, text }: FuzzFinding): void {
    const title = text.split("\n")[0] ?? "";
    const known = this.#inputs.get(title);
    known?.push(number);
    if (known !== undefined) return;
    this.#inputs.set(title, [number]);
    if (this.#inputs.size > findingsShownMax) return;
    console.log(`${this.#kind}: ${shown(text, findingLengthMax)}`);
    console.log(`again: npm run fuzz -- --kind ${this.#kind} --seed ${this.#seed} --only ${number}\n`);
  }

  end(): void {
    for (const [title, [, ...others]] of [...this.#inputs].slice(0, findingsShownMax)) {
      if (others.length === 0) continue;
      const numbers = others.slice(0, othersShownMax).join(", ");
      console.log(`${this.#kind}: ${others.length + 1} times: ${shown(title, findingLengthMax)}`);
      console.log(`again: also --only ${numbers}\n`);
    }
    const more = this.#inputs.size - findingsShownMax;
    if (more > 0) console.log(`${this.#kind}: ${more} more findings\n`);
  }
}

/** What comes of one input, in this very process. */
async function throwOne(
  kinds: readonly string[],
  { seed, number, fault }: Pick<Run, "seed" | "fault"> & { readonly number: number },
): Promise<number> {
  const [kind, ...others] = kinds;
  if (kind === undefined || others.length > 0) throw new UserError("--only needs one kind: --kind NAME");
  const target = await targetOfKind(kind, { fault });
  console.log(`${kind}, seed ${seed}, input ${number}:\n${shown(shownInput(target, seed, number), inputLengthMax)}\n`);
  let begun = process.threadCpuUsage();
  const finding = await attempt(target, seed, number, () => {
    begun = process.threadCpuUsage();
  });
  const { user, system } = process.threadCpuUsage(begun);
  const ms = ((user + system) / 1000).toFixed(0);
  console.log(`after ${ms} ms of processor time: ${shown(finding ?? "no problem", inputLengthMax)}`);
  await target.close();
  return finding === undefined ? exitCodes.fine : exitCodes.findings;
}

function shown(text: string, lengthMax: number): string {
  const cut = text.length <= lengthMax ? text : `${text.slice(0, lengthMax)}… (${text.length} characters)`;
  return printableLines(cut);
}

function table(results: readonly KindResult[]): readonly string[] {
  const rows = [
    ["kind", "inputs", "a second", "slowest ms (input)", "heap at 10 % MB", "at the end MB", "findings"],
    ...results.map(({ kind, inputs, durationMs, slowest, heap, findings }) => [
      kind,
      String(inputs),
      (inputs / (durationMs / 1000)).toFixed(0),
      `${slowest.ms.toFixed(0)} (${slowest.number})`,
      heap === undefined ? "-" : megabytes(heap[0]),
      heap === undefined ? "-" : megabytes(heap[1]),
      String(findings.length),
    ]),
  ];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => cell.padStart(widths[column] ?? 0)).join("  "));
}

function megabytes(bytes: number): string {
  return (bytes / megabyte).toFixed(1);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  console.error(error.message);
  process.exitCode = error.exitCode;
}
