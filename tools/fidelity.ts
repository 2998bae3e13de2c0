// Compares the stub with observed responses of a node: npm run fidelity. Prints the differences, and writes the table in docs/fidelity.md.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { exitCodes } from "../src/entrypoints/cli/user-error.ts";
import { fidelityTable, withFidelityTable } from "../test/fidelity/_fidelity-table.ts";
import { compareWith, exceptionOf, hasObservations, readObservations } from "../test/fidelity/_observations.ts";

const page = fileURLToPath(new URL("../docs/fidelity.md", import.meta.url));

if (hasObservations) report();
else {
  console.error("../shared/samples/ledger/decoder-observations.json: the file does not exist. Get the samples first.");
  process.exitCode = exitCodes.usage;
}

function report(): void {
  const compared = compareWith("canton-3.5", readObservations());
  console.log(fidelityTable(compared));
  const differing = compared.filter(({ hasSameText }) => !hasSameText);
  for (const { observation, refusal } of differing) {
    console.log(`${observation.id}: ${exceptionOf(observation) ?? "unexpected"}`);
    console.log(`  node: ${observation.text ?? "accepted"}\n  stub: ${refusal ?? "accepted"}`);
  }
  writeFileSync(page, withFidelityTable(readFileSync(page, "utf8"), fidelityTable(compared)));
  if (differing.some(({ observation }) => exceptionOf(observation) === undefined))
    process.exitCode = exitCodes.findings;
}
