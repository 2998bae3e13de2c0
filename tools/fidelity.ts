// Compares the stub with observed responses of a node and with samples: npm run fidelity. Prints the differences, and writes the tables in docs/fidelity.md.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { exitCodes } from "../src/entrypoints/cli/user-error.ts";
import { fidelityTable, reasonOf, samplesTable, withTable } from "../test/fidelity/_fidelity-table.ts";
import { compareWith, exceptionOf, hasObservations, readObservations } from "../test/fidelity/_observations.ts";
import { compareSamples } from "../test/fidelity/_samples.ts";

const page = fileURLToPath(new URL("../docs/fidelity.md", import.meta.url));

if (hasObservations) report();
else {
  console.error("../shared/samples/ledger/decoder-observations.json: the file does not exist. Get the samples first.");
  process.exitCode = exitCodes.usage;
}

function report(): void {
  const compared = compareWith("canton-3.5", readObservations());
  const samples = compareSamples();
  console.log(`Profile canton-3.5:\n\n${fidelityTable(compared)}\n${samplesTable(samples)}`);
  const differing = compared.filter(({ hasSameText }) => !hasSameText);
  for (const { observation, refusal } of differing) {
    console.log(`${observation.id}: ${exceptionOf(observation) ?? "unexpected"}`);
    console.log(`  node: ${observation.text ?? "accepted"}\n  stub: ${refusal ?? "accepted"}`);
  }
  const written = withTable(readFileSync(page, "utf8"), "observed bodies", fidelityTable(compared));
  writeFileSync(page, withTable(written, "samples", samplesTable(samples)));
  const isUnexpected =
    differing.some(({ observation }) => exceptionOf(observation) === undefined) ||
    samples.some(({ differences }) => differences.some((one) => reasonOf(one) === undefined));
  if (isUnexpected) process.exitCode = exitCodes.findings;
}
