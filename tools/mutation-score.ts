// Plants single faults into the stub's answers, one at a time, and counts how many of them the checker finds.
import { checkMutant, mutationScore } from "../test/mutants/_score.ts";
import { mutants } from "../test/mutants/index.ts";
import { notInRecordings } from "../test/mutants/sentences/not-in-recordings.ts";
import { misses } from "../test/mutants/sentences/rows.ts";

const isTerminal = process.stderr.isTTY === true;
const { planted, survivors, idleRules } = await mutationScore(checkMutant, ({ id }, index) => {
  if (isTerminal) process.stderr.write(`\r\u001b[K${index + 1} of ${mutants.length}: ${id}`);
});
if (isTerminal) process.stderr.write("\r\u001b[K");
for (const survivor of survivors) console.log(`survived: ${survivor}`);
for (const rule of idleRules) console.log(`no fault breaks the rule ${rule}`);
const found = planted - survivors.length;
console.log(`${found} of ${planted} faults found: ${((100 * found) / planted).toFixed(1)} %`);
process.exitCode = survivors.length + idleRules.length === 0 ? 0 : 1;
for (const profile of ["spec", "canton-3.5"] as const) {
  const result = await misses(profile);
  for (const kind of ["live", "apart", "adjacent"] as const) {
    const foundByKind = result.planted - result[kind].length;
    const rate = ((100 * foundByKind) / result.planted).toFixed(1);
    console.log(
      `${profile}, ${kind}: ${foundByKind} of ${result.planted} faults from sentences of the spec: ${rate} %`,
    );
    const reasons: Readonly<Record<string, string>> = kind === "live" ? {} : notInRecordings[profile];
    for (const id of result[kind])
      console.log(`  not found ${kind}: ${id}${reasons[id] === undefined ? "" : `, since ${reasons[id]}`}`);
  }
}
