// Compares the stub with observed responses of a node and with samples: npm run fidelity. Prints the differences, and writes the tables in docs/fidelity.md.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { exitCodes } from "../src/entrypoints/programs/user-error.ts";
import { fidelityTable, samplesTable, withTable } from "../test/fidelity/_fidelity-table.ts";
import { comparedProfiles, compareWith, readObservations } from "../test/fidelity/_observations.ts";
import { compareSamples } from "../test/fidelity/_samples.ts";

const page = fileURLToPath(new URL("../docs/fidelity.md", import.meta.url));

const observations = readObservations();
const byProfile = new Map(comparedProfiles.map((profile) => [profile, compareWith(profile, observations)]));
const samples = compareSamples();
console.log(`${fidelityTable(byProfile)}\n${samplesTable(samples)}`);
const unexpected = [...byProfile].flatMap(([profile, compared]) =>
  compared.flatMap((one) => (one.refusal === one.expected ? [] : [{ profile, ...one }])),
);
for (const { profile, observation, expected = "accepted", refusal = "accepted" } of unexpected)
  console.log(`${profile}, ${observation.id}\n  release: ${expected}\n  stub: ${refusal}`);
const written = withTable(readFileSync(page, "utf8"), "observed bodies", fidelityTable(byProfile));
writeFileSync(page, withTable(written, "samples", samplesTable(samples)));
const hasUnexpected = samples.some(({ differences }) => differences.some(({ reason }) => reason === undefined));
if (unexpected.length > 0 || hasUnexpected) process.exitCode = exitCodes.findings;
