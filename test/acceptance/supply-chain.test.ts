import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./_command-line.ts";

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly peer?: boolean;
  readonly inBundle?: boolean;
}

const json = (file: string) => JSON.parse(readFileSync(join(root, file), "utf8"));
const folders = ["", "bench/", "test/nodes/"];

const lockedIn = (folder: string): readonly (readonly [place: string, locked: Locked])[] =>
  Object.entries<Locked>(json(`${folder}package-lock.json`).packages).filter(([place]) => place !== "");

test.each(folders)("the lock file of ./%s says of every package what exactly it is, and not from where", (folder) => {
  const loose = lockedIn(folder).filter(
    ([, { version, integrity, inBundle }]) =>
      version === undefined || (inBundle !== true && integrity?.startsWith("sha512-") !== true),
  );
  expect(loose.map(([place]) => place)).toEqual([]);
  expect(lockedIn(folder).filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});

test.each(folders)("the lock file of ./%s is of its package.json", (folder) => {
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = json(`${folder}package.json`);
  const requested = { dependencies, devDependencies, optionalDependencies, peerDependencies };
  expect(json(`${folder}package-lock.json`).packages[""]).toMatchObject(JSON.parse(JSON.stringify(requested)));
});

test.each([
  ["", { node: true, esbuild: false, "@scarf/scarf": false }],
  ["bench/", { "@scarf/scarf": false }],
  ["test/nodes/", {}],
])("only packages that are named may run scripts when ./%s is installed", (folder, allowed: object) => {
  const running = lockedIn(folder).filter(([, { hasInstallScript }]) => hasInstallScript === true);
  const names = running.map(([place]) => place.replace(/^.*node_modules\//, ""));
  expect(json(`${folder}package.json`).allowScripts ?? {}).toEqual(allowed);
  expect(Object.keys(allowed)).toEqual(expect.arrayContaining(names));
});

test("what users get runs no script when it is installed", () => {
  const theirs = lockedIn("").filter(
    ([, { dev, devOptional, peer }]) => !(dev === true || devOptional === true || peer === true),
  );
  expect(theirs.length).toBeGreaterThan(5);
  expect(theirs.filter(([, { hasInstallScript }]) => hasInstallScript === true)).toEqual([]);
  const { scripts } = json("package.json");
  expect(Object.keys(scripts).filter((name) => /^(?:pre|post)?install$|^prepare$/.test(name))).toEqual([]);
});
