import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Finding } from "../../src/explore/explore.ts";
import { packagedFile } from "../../src/library/files.ts";
import { profileNamesOf } from "../../src/spec/spec.ts";
import { exploring, played } from "./_explored.ts";
import { faults } from "./_faults-of-a-target.ts";

test.each(profileNamesOf("ledger"))(
  "a stub differs in nothing from another one of another seed, in profile %s",
  async (profile) => {
    const { finding, steps } = await exploring({ profile, steps: 2500 });
    expect(finding?.walk.difference).toBeUndefined();
    expect(steps).toBeGreaterThanOrEqual(2500);
  },
);

/** What was found: the steps and where they end. */
function found(finding: Finding | undefined) {
  return { steps: finding?.walk.taken.map(({ step }) => step), difference: finding?.walk.difference };
}

test.each(Object.keys(faults))(
  "finds that %s, in four steps at most, again by its seed, and with a scenario that shows it",
  async (name) => {
    const fault = faults[name];
    if (fault === undefined) throw new Error(name);
    const { finding } = await exploring({ fault });
    if (finding === undefined) throw new Error("nothing was found");
    expect(finding.walk.taken.length).toBeLessThanOrEqual(4);
    const again = await exploring({ fault, path: finding.path });
    expect(found(again.finding)).toEqual(found(finding));
    const sound = await played(finding.walk, {});
    expect(sound.map(({ reason }) => reason)).toEqual(finding.walk.taken.map(() => undefined));
    const faulty = await played(finding.walk, { fault });
    expect(faulty.map(({ outcome }) => outcome)).toEqual([
      ...finding.walk.taken.slice(1).map(() => "passed"),
      "failed",
    ]);
  },
);

test("fast-check is loaded in one place, and only when it is asked for", () => {
  const sources = readdirSync(packagedFile("src"), { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".test.ts"),
  );
  const loading = sources.filter((file) =>
    /^import (?!type )[^;]*from "fast-check"|import\("fast-check"\)/m.test(
      readFileSync(packagedFile(`src/${file}`), "utf8"),
    ),
  );
  expect(loading.map((file) => file.replaceAll("\\", "/"))).toEqual(["explore/fast-check.ts"]);
});
