// Writes dist/sbom.cdx.json, a CycloneDX bill of what is in the package: the libraries that the build has bundled, and those
// that npm installs beside it, each with version, licence and hash of the lock file. Run after a build: npm run sbom does both.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Enums, Models, Serialize, Spec } from "@cyclonedx/cyclonedx-library";

interface LockedPackage {
  readonly version: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const locked: Readonly<Record<string, LockedPackage>> = JSON.parse(read("package-lock.json")).packages;
const { name, version, license, description, dependencies } = JSON.parse(read("package.json"));

const bill = new Models.Bom({
  metadata: new Models.Metadata({
    component: new Models.Component(Enums.ComponentType.Application, name, {
      version,
      description,
      bomRef: purlOf(name, version),
      purl: purlOf(name, version),
      licenses: licencesOf(license),
    }),
  }),
});
for (const library of [...new Set([...installed(Object.keys(dependencies)), ...bundled()])].sort())
  bill.components.add(componentOf(library));
const normalizer = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
const text = new Serialize.JsonSerializer(normalizer).serialize(bill, { sortLists: true, space: 2 });
writeFileSync(join(root, "dist/sbom.cdx.json"), `${text}\n`);
console.log(`dist/sbom.cdx.json: ${bill.components.size} libraries`);

/** These and everything that they depend on. */
function installed(names: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const follow = (library: string): void => {
    if (found.has(library)) return;
    found.add(library);
    for (const inner of Object.keys(lockedPackage(library).dependencies ?? {})) follow(inner);
  };
  for (const library of names) follow(library);
  return found;
}

/** What the build has said of the libraries in its files. */
function bundled(): readonly string[] {
  return ["dist/licenses.txt", "dist/inspector/licenses.txt"].flatMap((file) =>
    [...read(file).matchAll(/^(\S+) (\d+\.\d+\.\d+\S*): \S.*$/gm)].map(([, library = "", own]) => {
      if (lockedPackage(library).version !== own) throw new Error(`${library} ${own} is not the one of the lock file`);
      return library;
    }),
  );
}

function lockedPackage(library: string): LockedPackage {
  const found = locked[`node_modules/${library}`];
  if (found === undefined) throw new Error(`${library} is not at the top of the lock file`);
  return found;
}

function componentOf(library: string): Models.Component {
  const { version: own, license: licence = "", integrity = "" } = lockedPackage(library);
  const [group, short] = library.startsWith("@") ? library.split("/") : [undefined, library];
  return new Models.Component(Enums.ComponentType.Library, short ?? library, {
    group,
    version: own,
    bomRef: purlOf(library, own),
    purl: purlOf(library, own),
    licenses: licencesOf(licence),
    hashes: new Models.HashDictionary([
      [Enums.HashAlgorithm["SHA-512"], Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex")],
    ]),
  });
}

function licencesOf(licence: string): Models.LicenseRepository {
  const isExpression = /\s/.test(licence);
  return new Models.LicenseRepository([
    isExpression ? new Models.LicenseExpression(licence) : new Models.SpdxLicense(licence),
  ]);
}

function purlOf(library: string, own: string): string {
  return `pkg:npm/${library.replace("@", "%40")}@${own}`;
}
