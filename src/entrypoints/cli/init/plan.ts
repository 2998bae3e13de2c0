import { join } from "node:path";
import { diskFiles } from "../../library/files.ts";
import { namedFile } from "../../programs/files/named-file.ts";
import { isExisting } from "../../programs/files/write-whole.ts";
import { addScript } from "./add-script.ts";
import { exampleText } from "./example-text.ts";
import { packageManagerWords } from "./package-manager-words.ts";
import type { PlannedFile } from "./planned-file.ts";
import { type Framework, installFolderOf, nameIn, type PackageManager, type Project } from "./project.ts";
import { checkFolder } from "./write-files.ts";

/** All that `init` does in a project, and what its user does next. */
export interface InitPlan {
  readonly files: readonly PlannedFile[];
  readonly notes: readonly string[];
  readonly next: readonly string[];
}

const folderName = "understudy";
const scriptName = "test:understudy";

/** Plans the files of a first test. Reads the disk and writes nothing. */
export function planOf(project: Project, framework: Framework): InitPlan {
  const { language, manifest } = project;
  const kind = language.value === "TypeScript" ? "ts" : "js";
  const ending = `${manifest.value["type"] === "module" ? "" : "m"}${kind}`;
  const testName = `first.${framework === "jest" ? "understudy" : "test"}.${ending}`;
  const environment = framework === "vitest" && isInPage(project) ? "// @vitest-environment node\n" : "";
  const texts = {
    [testName]: `${environment}${exampleText(`${framework}.${kind}`)}`,
    ...(framework === "jest" ? jestTexts(kind, ending) : {}),
    ...scenarioTexts(packageFolderOf(project)),
  };
  const created = Object.entries(texts).map(([name, text]) =>
    newFile(project, `${folderName}/${name}`, text, purposes[name] ?? "the first test, with a small client in it"),
  );
  const { run, install } = packageManagerWords[project.packageManager];
  const inRepository = nameIn(project.repository, project.folder);
  const job = jobText(project.packageManager, inRepository);
  const workflow = nameIn(project.folder, join(project.repository, ".github/workflows/understudy.yml"));
  return {
    files: [
      ...created,
      manifestFile(project, scriptOf(project, framework, `${folderName}/${testName}`)),
      ...(project.isOnGithub ? [newFile(project, workflow, job, "a job that runs the script")] : []),
    ],
    notes: [
      ...(project.isOnGithub
        ? workflowNotes(textOf(project.folder, workflow), workflow, inRepository)
        : [`No CI job, because the project is not on GitHub. In CI: ${install} && ${run} ${scriptName}`]),
      ...(framework === "vitest" ? includeNotes(project) : []),
      ...versionNotes(project, framework),
    ],
    next: [
      ...missingPackages(project, framework),
      `${run} ${scriptName}`,
      `Replace grantActAs in ${folderName}/${testName} with your own client.`,
    ],
  };
}

/** The config of Jest for tests as ES modules, whatever the project's own config is. */
function jestTexts(kind: "ts" | "js", ending: string): Readonly<Record<string, string>> {
  return {
    "jest.config.mjs": exampleText(`jest.config.${kind}.mjs`, { [`.understudy.m${kind}`]: `.understudy.${ending}` }),
    ...(kind === "ts" ? { "strip-types.mjs": exampleText("strip-types.mjs") } : {}),
  };
}

/** The scenario and its fixtures, which name schemas and contracts in the folder of the package. */
function scenarioTexts(packageFolder: string): Readonly<Record<string, string>> {
  const names = ["first.arazzo.yaml", "ledger.yaml", "registry.yaml"];
  return Object.fromEntries(names.map((name) => [name, exampleText(name, { "../..": packageFolder })]));
}

/** A workflow of GitHub that runs the script. `folder` is the project's folder in the repository; empty for its root. */
function jobText(packageManager: PackageManager, folder: string): string {
  const { install, run, setUp } = packageManagerWords[packageManager];
  const steps = "    steps:\n";
  return exampleText("understudy.yml", {
    "npm run": run,
    "      - run: npm ci\n": `${setUp}      - run: ${install}\n`,
    ...(folder === ""
      ? {}
      : { [steps]: `    defaults:\n      run:\n        working-directory: ${JSON.stringify(folder)}\n${steps}` }),
  });
}

const purposes: Readonly<Record<string, string>> = {
  "first.arazzo.yaml": "the scenario: what the stub starts with",
  "ledger.yaml": "its users and parties",
  "registry.yaml": "its token registry",
  "jest.config.mjs": "Jest for tests as ES modules",
  "strip-types.mjs": "TypeScript for Jest",
};

function newFile(project: Project, name: string, text: string, purpose: string): PlannedFile {
  const file = namedFile(name, project);
  checkFolder(file);
  return isExisting(file)
    ? { file, action: "keep", text, purpose: "it exists" }
    : { file, action: "create", text, purpose };
}

/** A note for an existing workflow without a job for this project, such as that of another package in a workspace. */
function workflowNotes(text: string, workflow: string, inRepository: string): readonly string[] {
  return text === "" || (text.includes(scriptName) && text.includes(inRepository))
    ? []
    : [`${workflow} has no job for this project: add one that runs ${scriptName} in ${inRepository || "the root"}.`];
}

/** package.json with the script, unless it has a script of that name. */
function manifestFile({ folder, manifest }: Project, command: string): PlannedFile {
  const file = namedFile("package.json", { folder });
  const own = manifest.scripts[scriptName];
  if (own !== undefined) {
    const purpose =
      own === command
        ? `it has the script ${scriptName}`
        : `it has another script ${scriptName}; to replace it, remove it and run init again`;
    return { file, action: "keep", text: manifest.text, purpose };
  }
  return {
    file,
    action: "change",
    text: addScript(manifest.text, scriptName, command),
    purpose: `script ${scriptName}`,
  };
}

function scriptOf(project: Project, framework: Framework, test: string): string {
  switch (framework) {
    case "vitest":
      return `vitest run ${folderName}/`;
    case "jest":
      return `node --experimental-vm-modules ${nameIn(project.folder, join(installFolderOf(project, "jest"), "node_modules/jest/bin/jest.js"))} --config ${folderName}/jest.config.mjs`;
    case "node-test":
      return `node --test ${test.replace("first", "*")}`;
  }
}

/** The line that installs what the first test needs and package.json does not have. */
function missingPackages({ manifest, language, packageManager }: Project, framework: Framework): readonly string[] {
  const types = framework === "jest" ? ["@types/jest", "@types/node"] : ["@types/node"];
  const needed = [
    "canton-understudy",
    ...(framework === "node-test" ? [] : [framework]),
    ...(language.value === "TypeScript" ? types : []),
  ];
  const missing = needed.filter((name) => !(name in manifest.dependencies));
  return missing.length === 0 ? [] : [`${packageManagerWords[packageManager].add} ${missing.join(" ")}`];
}

/** Oldest major version of each framework that the package supports. */
const oldestVersions: Readonly<Record<Framework, number>> = { vitest: 3, jest: 29, "node-test": 0 };

/** A note for a framework that is older than the package supports: npm refuses to install the two together. */
function versionNotes({ manifest }: Project, framework: Framework): readonly string[] {
  const version = String(manifest.dependencies[framework] ?? "");
  const [, major = ""] = /^[~^]?(\d+)\b/.exec(version) ?? [];
  return major === "" || Number(major) >= oldestVersions[framework]
    ? []
    : [
        `canton-understudy needs ${framework} ${oldestVersions[framework]} or later; package.json has ${version}. Update it first.`,
      ];
}

/** The package's folder for schemas and contracts, from the folder of the scenario. */
function packageFolderOf(project: Project): string {
  const name = "canton-understudy";
  return nameIn(join(project.folder, folderName), join(installFolderOf(project, name), "node_modules", name));
}

/** Whether the tests of vitest run in a simulated page, where the stub of a test cannot run. */
function isInPage({ folder, manifest }: Project): boolean {
  const page = /^(?:jsdom|happy-dom)$/;
  return (
    Object.keys(manifest.dependencies).some((name) => page.test(name)) ||
    vitestConfigs.some((name) => /\b(?:jsdom|happy-dom)\b/.test(textOf(folder, name)))
  );
}

const vitestConfigs = ["vitest.config", "vite.config"].flatMap((name) =>
  ["ts", "mts", "cts", "js", "mjs", "cjs"].map((ending) => `${name}.${ending}`),
);

const textOf = (folder: string, name: string): string => diskFiles.read(join(folder, name)) ?? "";

/** A note for a config of vitest that names its test files. */
function includeNotes({ folder }: Project): readonly string[] {
  const named = vitestConfigs.find((name) => /\b(?:include|projects)\b/.test(textOf(folder, name)));
  return named === undefined
    ? []
    : [`${named} names its test files: add ${folderName}/*.test.* to them if vitest does not find the first test.`];
}
