import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix, win32 } from "node:path";
import { afterAll, expect, test } from "vitest";
import { loadScenario } from "../../scenarios/files/load-scenario.ts";
import { diskFiles, packagedFile } from "./files.ts";
import { fixtureRefusal, isWithin } from "./fixture-roots.ts";

const outside = realpathSync(mkdtempSync(join(tmpdir(), "understudy-roots-")));
afterAll(() => rmSync(outside, { recursive: true, force: true }));

const project = join(outside, "project");
const scenario = join(project, "scenarios", "x.arazzo.yaml");
mkdirSync(join(project, "scenarios"), { recursive: true });
mkdirSync(join(project, "fixtures"));
mkdirSync(join(outside, "project-2"));
writeFileSync(join(project, "package.json"), "{}");
for (const file of ["project/fixtures/f.yaml", "secret.yaml", "project-2/f.yaml"])
  writeFileSync(join(outside, file), "participantId: p\n");
symlinkSync(join(outside, "secret.yaml"), join(project, "fixtures", "link.yaml"));
symlinkSync(outside, join(project, "fixtures", "folder"));
symlinkSync(join(outside, "not-there"), join(project, "fixtures", "dangling.yaml"));
symlinkSync(join(project, "fixtures", "f.yaml"), join(project, "scenarios", "inner.yaml"));

const inPackage = { folder: join(outside, "elsewhere"), packageRoot: packagedFile("") };
const refusalOf = (name: string) => fixtureRefusal(scenario, name, inPackage)?.problem;

test.each([
  "f.yaml",
  "../fixtures/f.yaml",
  "inner.yaml",
  "../fixtures/not-there.yaml",
  `${project}/fixtures/f.yaml`,
  packagedFile("fixtures/registries/amulet.yaml"),
  "../../project/fixtures/f.yaml",
])("a scenario reads fixtures of its project and of the package: %s", (name) => {
  expect(refusalOf(name)).toBeUndefined();
});

test.each([
  "../../secret.yaml",
  "../../not-there/x.yaml",
  "../../project-2/f.yaml",
  "../fixtures/link.yaml",
  "../fixtures/folder/secret.yaml",
  "../fixtures/folder/not-there.yaml",
  "../fixtures/../../secret.yaml",
  "/etc/hostname",
  "../../../../../../../../etc/hostname",
])("refuses a fixture outside the project: %s", (name) => {
  expect(refusalOf(name)).toBe("is outside the project");
});

test.each([
  ["..\\..\\secret.yaml", "contains backslashes"],
  ["\\\\server\\share\\x.yaml", "contains backslashes"],
  ["\\\\?\\C:\\x.yaml", "contains backslashes"],
  ["C:/secret.yaml", "starts with a drive letter"],
  ["c:secret.yaml", "starts with a drive letter"],
  ["//server/share/x.yaml", "is a network path"],
  ["f.yaml\0.png", "contains a NUL character"],
  ["../nul", "is the name of a device"],
  ["CON.yaml", "is the name of a device"],
  ["com1/x.yaml", "is the name of a device"],
])("refuses a path that depends on the system, on every system: %j", (name, problem) => {
  expect(refusalOf(name)).toBe(problem);
});

test.each([
  ["C:\\project\\f.yaml", "C:\\project", true],
  ["c:\\Project\\f.yaml", "C:\\project", true],
  ["C:\\project", "C:\\project", true],
  ["C:\\project\\..f.yaml", "C:\\project", true],
  ["C:\\project-2\\f.yaml", "C:\\project", false],
  ["C:\\f.yaml", "C:\\project", false],
  ["D:\\project\\f.yaml", "C:\\project", false],
  ["\\\\server\\share\\f.yaml", "C:\\", false],
])("on Windows, it is said of %s and %s whether one is in the other", (path, inFolder, expected) => {
  expect(isWithin(path, inFolder, win32)).toBe(expected);
});

test("elsewhere, case matters in a path", () => {
  expect(isWithin("/Project/f.yaml", "/project", posix)).toBe(false);
});

test("a git repository is one project, even with several packages", () => {
  const packages = join(outside, "repository", "packages", "a");
  mkdirSync(packages, { recursive: true });
  mkdirSync(join(outside, "repository", ".git"));
  writeFileSync(join(packages, "package.json"), "{}");
  const inner = join(packages, "x.arazzo.yaml");
  expect(fixtureRefusal(inner, "../../fixtures/f.yaml", { folder: packages, packageRoot: packages })).toBeUndefined();
  expect(fixtureRefusal(inner, "../../../secret.yaml", { folder: packages, packageRoot: packages })?.problem).toBe(
    "is outside the project",
  );
});

test("the working directory is readable if it contains the scenario", () => {
  const run = join(outside, "run");
  const home = join(run, "scenarios", "x.arazzo.yaml");
  const refusal = (name: string, folder: string) => fixtureRefusal(home, name, { folder, packageRoot: project });
  expect(refusal("../f.yaml", run)).toBeUndefined();
  expect(refusal("../f.yaml", project)?.problem).toBe("is outside the project");
  expect(refusal(join(outside, "x.yaml"), run)?.problem).toBe("is outside the project");
});

test("a project reached through a symbolic link is the same project", () => {
  symlinkSync(project, join(outside, "alias"));
  const linked = join(outside, "alias", "scenarios", "x.arazzo.yaml");
  expect(fixtureRefusal(linked, "../fixtures/f.yaml", inPackage)).toBeUndefined();
  expect(fixtureRefusal(linked, "../../secret.yaml", inPackage)?.problem).toBe("is outside the project");
});

test("a scenario in a linked folder reads the files beside it", () => {
  const workspace = join(outside, "workspace");
  mkdirSync(workspace);
  writeFileSync(join(workspace, "f.yaml"), "participantId: p\n");
  symlinkSync(workspace, join(project, "linked"));
  expect(refusalOf("../linked/f.yaml")).toBe("is outside the project");
  expect(fixtureRefusal(join(project, "linked", "x.arazzo.yaml"), "f.yaml", inPackage)).toBeUndefined();
});

test("a problem names the member and the line, and shows nothing of the refused file", () => {
  const lines = [
    "arazzo: 1.0.1",
    "info: { title: t, version: 1.0.0 }",
    "sourceDescriptions: [{ name: l, url: l.yaml, type: openapi }]",
    "workflows:",
    "  - workflowId: w",
    "    steps: [{ stepId: a, operationId: getV2Users }]",
    "    x-understudy:",
    "      given:",
    "        ledger: ../../secret.yaml",
    "        registry: ../fixtures/f.yaml",
  ];
  writeFileSync(scenario, lines.join("\n"));
  const result = loadScenario(scenario, diskFiles);
  expect(result).toMatchObject({
    type: "invalid",
    problems: [
      { file: scenario, line: 9, problem: "x-understudy.given.ledger: ../../secret.yaml is outside the project" },
      { line: 1, problem: "the file is a ledger fixture, not a registry fixture" },
    ],
  });
});
