import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { addScript } from "../../src/entrypoints/cli/init/add-script.ts";
import { exampleText } from "../../src/entrypoints/cli/init/example-text.ts";
import { writeFiles } from "../../src/entrypoints/cli/init/write-files.ts";
import { eventsIn, expectRefusal, folderOf, root, temporaryFolder, understudy } from "./_command-line.ts";
import { pageText } from "./_pages.ts";

const fixtures = ["understudy/first.arazzo.yaml", "understudy/ledger.yaml", "understudy/registry.yaml"];

/** All files below a folder with their texts. */
function contentOf(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(folder.length + 1), readFileSync(path, "utf8")];
    }),
  );
}

const projectOf = (manifest: object, files: Readonly<Record<string, string>> = {}) =>
  folderOf({ "package.json": JSON.stringify(manifest), ...files });

async function initialized(folder: string, words = "init --json") {
  const { exitCode, out, error } = await understudy(words, { folder });
  expect([exitCode, error]).toEqual([0, ""]);
  return eventsIn(out)[0];
}

const typescript = { "tsconfig.json": "{}" };

test.each([
  [{ devDependencies: { vitest: "5" } }, {}, "first.test.mjs", 'from "canton-understudy/vitest"', "vitest run"],
  [{ type: "module", devDependencies: { vitest: "5" } }, typescript, "first.test.ts", "party: string", "vitest run"],
  [{}, { "vitest.config.ts": "" }, "first.test.mjs", "canton-understudy/vitest", "vitest run understudy/"],
  [{ scripts: { test: "vitest" } }, {}, "first.test.mjs", "canton-understudy/vitest", "vitest run understudy/"],
  [{ devDependencies: { jest: "30" } }, {}, "first.understudy.mjs", "canton-understudy/jest", "jest.config.mjs"],
  [{ dependencies: { jest: "30" } }, typescript, "first.understudy.mts", 'types="jest"', "jest.config.mjs"],
  [{ jest: {}, type: "module" }, {}, "first.understudy.js", "canton-understudy/jest", "jest.config.mjs"],
  [{}, { "jest.config.cjs": "" }, "first.understudy.mjs", "canton-understudy/jest", "jest.config.mjs"],
  [{ scripts: { test: "node --test" } }, {}, "first.test.mjs", "/node-test", "node --test understudy/*.test.mjs"],
  [{ type: "module", devDependencies: { typescript: "6" } }, {}, "first.test.ts", 'types="node"', "node --test"],
  [{ type: "commonjs" }, {}, "first.test.mjs", "canton-understudy/node-test", "node --test understudy/*.test.mjs"],
])("writes a test in the style of the project: %j, %j", async (manifest, files, name, text, script) => {
  const folder = projectOf(manifest, files);
  await initialized(folder);
  const content = contentOf(folder);
  expect(content[`understudy/${name}`]).toContain(text);
  expect(Object.keys(content)).toEqual(expect.arrayContaining(fixtures));
  expect(JSON.parse(content["package.json"] ?? "").scripts["test:understudy"]).toContain(script);
  const isOfJest = script === "jest.config.mjs";
  expect(content["understudy/jest.config.mjs"]?.includes(`/*.understudy.${name.split(".").at(-1)}"]`)).toBe(
    isOfJest ? true : undefined,
  );
});

test("prints what it does file by file, and what to do next in three lines", async () => {
  const folder = projectOf({ devDependencies: { vitest: "5" } }, { ...typescript, ".github/CODEOWNERS": "" });
  const { out } = await understudy("init", { folder });
  expect(out).toMatchInlineSnapshot(`
    "Found vitest (package.json) and TypeScript (tsconfig.json).
      create  understudy/first.test.mts         the first test, with a small client in it
      create  understudy/first.arazzo.yaml      the scenario: what the stub starts with
      create  understudy/ledger.yaml            its users and parties
      create  understudy/registry.yaml          its token registry
      change  package.json                      script test:understudy
      create  .github/workflows/understudy.yml  a job that runs the script
    Done. Next:
      npm install --save-dev canton-understudy @types/node
      npm run test:understudy
      Replace grantActAs in understudy/first.test.mts with your own client.
    "
  `);
});

test("a test of vitest in a simulated page asks for Node, and an own list of test files is named", async () => {
  const config = 'export default { test: { environment: "jsdom", include: ["src/**"] } };';
  const folder = projectOf({}, { "vitest.config.mts": config });
  const { notes } = await initialized(folder);
  expect(contentOf(folder)["understudy/first.test.mjs"]).toMatch(/^\/\/ @vitest-environment node\nimport/);
  expect(notes.at(-1)).toMatch(/^vitest\.config\.mts names its test files: add understudy\/\*\.test\.\* to them/);
});

test.each([
  ["vitest", "^2.1.9", "canton-understudy needs vitest 3 or later; package.json has ^2.1.9. Update it first."],
  ["jest", "28.1.3", "canton-understudy needs jest 29 or later; package.json has 28.1.3. Update it first."],
  ["vitest", "^3.2.0", undefined],
  ["jest", "latest", undefined],
  ["jest", "workspace:*", undefined],
])("names a framework that is too old: %s %s", async (framework, version, note) => {
  const { notes } = await initialized(
    projectOf({ devDependencies: { [framework]: version } }),
    "init --json --dry-run",
  );
  expect(notes[1]).toBe(note);
});

test("a second run changes nothing, and says so", async () => {
  const folder = projectOf({ devDependencies: { jest: "30" } }, { ".github/CODEOWNERS": "" });
  await initialized(folder);
  const before = contentOf(folder);
  const { out } = await understudy("init", { folder });
  expect(out.match(/^ {2}\w+/gm)).toEqual(
    Object.keys(before)
      .slice(1)
      .map(() => "  keep"),
  );
  expect(out.trimEnd().split("\n").at(-1)).toBe("Nothing to do: the files exist, and are kept.");
  expect(contentOf(folder)).toEqual(before);
});

test("keeps and names existing files, and a script of the same name", async () => {
  const own = { "understudy/ledger.yaml": "own", "package.json": '{"scripts":{"test:understudy":"own"}}' };
  const folder = folderOf(own);
  const { out } = await understudy("init", { folder });
  expect(contentOf(folder)).toMatchObject(own);
  expect(out).toMatch(/^ {2}keep {4}understudy\/ledger\.yaml +it exists$/m);
  expect(out).toMatch(
    /^ {2}keep {4}package\.json +it has another script test:understudy; to replace it, remove it and run init again$/m,
  );
  expect(existsSync(join(folder, "understudy/registry.yaml"))).toBe(true);
});

test.each([
  ["no\n", "Nothing was written."],
  ["", "Nothing was written."],
  ["\n", "Done. Next:"],
  ["Yes\n", "Done. Next:"],
])("asks on a terminal: %j gives %j", async (typed, printed) => {
  const folder = projectOf({});
  const input = new TextEncoder().encode(typed);
  const { out } = await understudy("init", { folder, isTerminal: true, input });
  expect(out).toContain("Write these files? (Y/n)");
  expect(out).toContain(printed);
  expect(existsSync(join(folder, "understudy"))).toBe(printed.startsWith("Done"));
});

test("does not ask with --yes, and writes nothing with --dry-run", async () => {
  const folder = projectOf({});
  const before = contentOf(folder);
  const dry = await understudy("init --dry-run", { folder, isTerminal: true });
  expect(dry.out).toContain("  create  understudy/first.test.mjs ");
  expect(dry.out).toMatch(/^Nothing was written, because of --dry-run\.\n$/m);
  expect((await initialized(folder, "init --dry-run --json")).files).toHaveLength(5);
  expect(contentOf(folder)).toEqual(before);
  expect((await understudy("init -y", { folder, isTerminal: true })).out).not.toContain("(Y/n)");
});

test.each([
  ["no package.json", {}, "There is no package.json in this folder. "],
  [
    "a trailing comma",
    { "package.json": '{\n  "a": 1,\n}' },
    "package.json:3:1: not valid JSON: Expected double-quoted",
  ],
  [
    "a misspelt word",
    { "package.json": '{\n  "a": tru,\n}' },
    "package.json:2:11: not valid JSON: Unexpected token ','.",
  ],
  ["a truncated package.json", { "package.json": '{\n  "a":' }, "package.json:2:7: not valid JSON: Unexpected end of"],
  ["a list", { "package.json": "[]" }, "package.json is not an object."],
  ["scripts in a list", { "package.json": '{"scripts":[]}' }, "package.json: the member scripts is not an object."],
  ["a file instead of the folder", { "package.json": "{}", understudy: "" }, "understudy is not a folder. Rename it."],
  [
    "a file instead of the folder of workflows",
    { "package.json": "{}", ".github/workflows": "" },
    ".github/workflows is not a folder. Rename it. Nothing was written.",
  ],
])("refuses %s, and writes nothing", async (_what, files, message) => {
  const folder = folderOf(files);
  await expectRefusal("init", message, { folder });
  expect(contentOf(folder)).toEqual(files);
});

test("refuses a link that leads nowhere in the place of its folder", async () => {
  const folder = projectOf({});
  symlinkSync(join(folder, "missing"), join(folder, "understudy"));
  await expectRefusal("init", "understudy is not a folder. Rename it. Nothing was written.", { folder });
});

test("says that the workflow of another package does not run the script", async () => {
  const packages = { "packages/a/package.json": "{}", "packages/b/package.json": "{}" };
  const root = folderOf({ ".git/HEAD": "", ".github/CODEOWNERS": "", ...packages });
  expect((await initialized(join(root, "packages/a"))).notes).toEqual([]);
  expect((await initialized(join(root, "packages/b"))).notes).toEqual([
    "../../.github/workflows/understudy.yml has no job for this project: add one that runs test:understudy in packages/b.",
  ]);
  expect((await initialized(join(root, "packages/a"))).notes).toEqual([]);
});

test("names the invalid package.json of a workspace", async () => {
  const folder = folderOf({ ".git/HEAD": "", "package.json": "{]", "packages/app/package.json": "{}" });
  await expectRefusal("init", "../../package.json:1:2: not valid JSON", { folder: join(folder, "packages/app") });
});

test("names the project above a folder without package.json", async () => {
  const folder = projectOf({}, { "src/index.js": "" });
  await expectRefusal("init", "Your project may be ..: change to it", { folder: join(folder, "src") });
});

test("refuses a folder name and an unknown framework", async () => {
  const folder = projectOf({});
  await expectRefusal("init wallet", 'init takes flags only, not "wallet".', { folder });
  await expectRefusal("init --framework vitst", 'Did you mean "vitest"?', { folder });
});

test("prefers the framework that npm test runs, and --framework overrides it", async () => {
  const folder = projectOf({ scripts: { test: "jest" }, devDependencies: { jest: "30", vitest: "5" } });
  const { out } = await understudy("init --dry-run", { folder });
  expect(out).toContain("Found jest (package.json) and JavaScript (no tsconfig.json). Also found: vitest; --framework");
  expect((await initialized(folder, "init --json --framework vitest")).framework).toBe("vitest");
});

test("finds framework, package manager and GitHub at the root of a workspace", async () => {
  const root = projectOf(
    { devDependencies: { vitest: "5" } },
    { "pnpm-lock.yaml": "", ".git/config": '[remote "origin"]\n\turl = git@github.com:me/wallet.git\n' },
  );
  const folder = join(root, "packages/app");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), "{}");
  mkdirSync(join(root, "node_modules/canton-understudy"), { recursive: true });
  const { framework, next } = await initialized(folder);
  expect([framework, ...next.slice(0, 2)]).toEqual([
    "vitest",
    "pnpm add --save-dev canton-understudy vitest",
    "pnpm run test:understudy",
  ]);
  const job = contentOf(root)[".github/workflows/understudy.yml"];
  expect(job).toContain('working-directory: "packages/app"');
  expect(job).toContain("- run: corepack enable\n      - run: pnpm install --frozen-lockfile\n");
  expect(contentOf(folder)["understudy/ledger.yaml"]).toContain(
    "# yaml-language-server: $schema=../../../node_modules/canton-understudy/schemas/ledger-fixture.schema.json\n",
  );
});

test.each([
  ["npm", {}, "../../"],
  ["pnpm", { "pnpm-lock.yaml": "" }, ""],
  ["pnpm, with hoisted packages", { "pnpm-lock.yaml": "", "node_modules/jest/index.js": "" }, "../../"],
])("finds Jest and the schemas where %s installs the packages of a workspace", async (_what, files, above) => {
  const workspace = { "package.json": '{"workspaces":["packages/*"],"devDependencies":{"jest":"30"}}' };
  const root = folderOf({ ".git/HEAD": "", "packages/app/package.json": "{}", ...workspace, ...files });
  await initialized(join(root, "packages/app"));
  const content = contentOf(join(root, "packages/app"));
  expect(content["package.json"]).toContain(`-modules ${above}node_modules/jest/bin/jest.js --config understudy/`);
  if ("node_modules/jest/index.js" in files) return;
  expect(content["understudy/ledger.yaml"]).toContain(`$schema=../${above}node_modules/canton-understudy/schemas/`);
});

test.each([
  ["{}", '{\n  "scripts": {\n    "a": "b"\n  }\n}'],
  ['{"private":true}', '{"private":true,"scripts": {"a": "b"}}'],
  ['{\r\n    "name": "x"\r\n}\r\n', '{\r\n    "name": "x",\r\n    "scripts": {\r\n        "a": "b"\r\n    }\r\n}\r\n'],
  ['{\n\t"scripts": {},\n\t"z": [1]\n}', '{\n\t"scripts": {\n\t\t"a": "b"\n\t},\n\t"z": [1]\n}'],
  ['\uFEFF{ "scripts" : { "x" : "}" } }\n', '\uFEFF{ "scripts" : { "x" : "}", "a": "b" } }\n'],
  ['{"scripts":{},"scripts":{"x":"y"}}', '{"scripts":{},"scripts":{"x":"y","a": "b"}}'],
])("adds a script to %j and changes nothing else", (before, after) => {
  expect(addScript(before, "a", "b")).toBe(after);
});

test("keeps the byte order mark and the line ends of package.json", async () => {
  const folder = folderOf({ "package.json": '\uFEFF{\r\n  "private": true\r\n}\r\n' });
  await initialized(folder);
  const text = readFileSync(join(folder, "package.json"), "utf8");
  expect([text.startsWith('\uFEFF{\r\n  "private": true,\r\n'), /[^\r]\n/.test(text)]).toEqual([true, false]);
});

test("removes what it has written if a later file cannot be written", () => {
  const folder = projectOf({});
  const before = contentOf(folder);
  symlinkSync(join(folder, "missing/target"), join(folder, "taken"));
  const planned = (name: string, action: "create" | "change") => ({
    file: { name, path: join(folder, name) },
    action,
    text: "x",
    purpose: "",
  });
  expect(() => writeFiles([planned("new/a", "create"), planned("taken", "create")])).toThrow(
    /^taken exists\..* Nothing was written\.$/,
  );
  expect(contentOf(folder)).toEqual(before);
  expect(existsSync(join(folder, "new"))).toBe(false);
});

test("editors complete its files: each names a schema of the package that it conforms to", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const names = readdirSync(join(root, "schemas"));
  for (const name of names)
    ajv.addSchema(JSON.parse(readFileSync(join(root, "schemas", name), "utf8")), `/schemas/${name}`);
  const problemsOf = (text: string) => {
    const [, schema = ""] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? [];
    const isValid = ajv.getSchema(schema);
    if (isValid === undefined) throw new Error(`there is no schema ${schema}`);
    isValid(parse(text));
    return (isValid.errors ?? []).map(({ instancePath }) => instancePath);
  };
  const texts = fixtures.map((name) => exampleText(basename(name), { "../..": "" }));
  expect(texts.map(problemsOf)).toEqual([[], [], []]);
  const misspelt = texts.map((text) => text.replace(/profile:|users:|factory:/, "misspelt:"));
  expect(misspelt.map((text) => problemsOf(text).length > 0)).toEqual([true, true, true]);
});

test("its scenario and fixtures are valid, and those that docs/scenarios.md shows", async () => {
  const folder = temporaryFolder();
  for (const name of fixtures.map((path) => basename(path))) {
    const text = exampleText(name, { "../..": "node_modules/canton-understudy" });
    writeFileSync(join(folder, name), text);
    expect(pageText("docs/scenarios.md")).toContain(text.replace(/^.*/, `# ${name}`));
  }
  expect(await understudy("validate first.arazzo.yaml ledger.yaml registry.yaml", { folder })).toMatchObject({
    exitCode: 0,
  });
});
