// Random walks over a simulated stub, checked by the invariants of its world and by every rule (ARCHITECTURE.md, "Simulation").
//   npm run simulate -- --seed N                        the walk of that seed; shrunk and printed where it breaks something
//   npm run simulate -- --requests 1000000 [--seed N]   walks from that seed on (1), [--threads N] at a time (one for each core)
// Exits with 0 where nothing broke, 1 where something did or memory grew, 2 where the flags make no sense.
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { runSeeds } from "../test/simulation/_run.ts";
import { brokenLine } from "../test/simulation/_show.ts";
import { shrink, shrunkText, walkOf } from "../test/simulation/_simulate.ts";
import { openStock } from "../test/simulation/_stock.ts";

/** What a thread may hold more at the end than when a tenth was done. */
const heapGrowthMaxBytes = 48 * 1024 * 1024;

/** Before that, what is made once is still being made. */
const requestsUntilWarm = 200_000;

const isTerminal = process.stderr.isTTY === true;

function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 1) return value;
  console.error(`--${name} ${text} is no whole number from 1 on.`);
  process.exit(2);
}

const { values } = parseArgs({
  options: { seed: { type: "string" }, requests: { type: "string" }, threads: { type: "string" } },
});
const seed = wholeNumber("seed", values.seed);
const requests = wholeNumber("requests", values.requests);
const threads = wholeNumber("threads", values.threads) ?? availableParallelism();
if (seed !== undefined && requests === undefined) process.exitCode = await one(seed);
else process.exitCode = await many(requests ?? 20_000, seed ?? 1);

/** One walk, and where it breaks something the least that still does. */
async function one(of: number): Promise<number> {
  const stock = await openStock();
  const taken = await walkOf(of, stock);
  if (taken.broken.length === 0) {
    console.log(`seed ${of}: fine, ${taken.requests} requests, answers ${taken.digest}`);
    return 0;
  }
  console.log(`seed ${of} breaks after ${taken.happened.length} events:`);
  for (const broken of taken.broken.slice(0, 5)) console.log(brokenLine(broken));
  console.log("\nShortest walk that breaks the same:\n");
  console.log(shrunkText(await shrink(of, stock, taken)));
  console.log(`\nSee it again: npm run simulate -- --seed ${of}`);
  return 1;
}

async function many(wanted: number, firstSeed: number): Promise<number> {
  const startedMs = performance.now();
  const seconds = () => (performance.now() - startedMs) / 1000;
  const outcome = await runSeeds({
    requests: wanted,
    firstSeed,
    threads,
    onProgress: ({ requests: done, walks }) => {
      if (!isTerminal) return;
      const memory = Math.round(process.memoryUsage().rss / 1e6);
      process.stderr.write(
        `\r\u001b[K${done} of ${wanted} requests, ${walks} walks, ${Math.round(done / seconds())} a second, ${memory} MB`,
      );
    },
  });
  if (isTerminal) process.stderr.write("\r\u001b[K");
  const { early, late } = outcome.heap;
  const grownBytes = late - early;
  const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
  const hasGrown = wanted >= requestsUntilWarm && grownBytes > heapGrowthMaxBytes;
  const isBroken = outcome.brokenSeed === undefined ? 0 : await one(outcome.brokenSeed);
  console.log(
    `heap after garbage collection: ${megabytes(early)} MiB at a tenth, ${megabytes(late)} MiB at the end, ` +
      `${megabytes(heapGrowthMaxBytes)} MiB more are allowed${hasGrown ? ": too much" : ""}`,
  );
  const verdict = isBroken === 1 ? `seed ${outcome.brokenSeed} breaks` : hasGrown ? "memory grows" : "fine";
  console.log(
    `${outcome.requests} requests in ${outcome.walks} walks from seed ${firstSeed}, ${threads} threads, ` +
      `${seconds().toFixed(0)} s, ${Math.round(outcome.requests / seconds())} a second: ${verdict}`,
  );
  return isBroken === 1 || hasGrown ? 1 : 0;
}
