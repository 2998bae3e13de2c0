import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { packagedFile } from "../../src/entrypoints/library/files.ts";
import { profileNamesOf } from "../../src/foundation/spec/spec.ts";
import { sampleOf } from "../_sample.ts";
import { expectFaultFound, expectNoDifference } from "./_fault-found.ts";
import { faults } from "./_faults-of-a-target.ts";

test.each(profileNamesOf("ledger"))(
  "two stubs with different seeds do not differ in profile %s in 200 steps",
  (profile) => expectNoDifference(profile, 200),
);

test.each(sampleOf(Object.keys(faults), 3))(
  "finds that %s: in at most four steps, again by its seed, and with a scenario that shows it",
  (name) => expectFaultFound(name),
);

test("fast-check is imported in one file, and only on demand", () => {
  const sources = readdirSync(packagedFile("src"), { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".test.ts"),
  );
  const loading = sources.filter((file) =>
    /^import (?!type )[^;]*from "fast-check"|import\("fast-check"\)/m.test(
      readFileSync(packagedFile(`src/${file}`), "utf8"),
    ),
  );
  expect(loading.map((file) => file.replaceAll("\\", "/"))).toEqual(["scenarios/exploration/fast-check.ts"]);
});
