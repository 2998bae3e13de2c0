import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { type Release, releaseProblems } from "../../tools/release.ts";
import { root } from "./_command-line.ts";

const text = (file: string) => readFileSync(join(root, file), "utf8");
const { scripts } = JSON.parse(text("package.json"));
const changelog = text("CHANGELOG.md");

const ready: Release = {
  version: "1.2.0",
  branch: "main",
  packageJson: { version: "1.1.0", repository: "github:owner/name" },
  changelog:
    "# Changelog\n\n## Unreleased\n\n## 1.2.0 - 2026-11-23\n\n### Fixed\n\n- A fault.\n\n## 1.1.0 - 2026-11-01\n",
};
const tagged: Release = {
  ...ready,
  tag: "v1.2.0",
  branch: "",
  packageJson: { ...ready.packageJson, version: "1.2.0" },
};

test("a version with its section of the changelog can be released, before and after its tag is made", () => {
  expect(releaseProblems(ready)).toEqual([]);
  expect(releaseProblems(tagged)).toEqual([]);
});

test.each<[problem: string, release: Release]>([
  ["No version. Run npm version 1.2.3", { ...ready, version: undefined }],
  ["The tag v1.2.0 is not the version 1.1.0 of package.json", { ...tagged, packageJson: ready.packageJson }],
  ["The branch is topic. Release from main.", { ...ready, branch: "topic" }],
  ["The branch is detached.", { ...ready, branch: "" }],
  ['no section "## 1.3.0 - YYYY-MM-DD"', { ...ready, version: "1.3.0" }],
  ['no section "## 1.1.0 - YYYY-MM-DD" with text', { ...ready, version: "1.1.0" }],
  ['no section "## 1.2.0 - YYYY', { ...ready, changelog: "## 1.2.0 - soon\n\n- A fault.\n" }],
  ["still has entries under Unreleased", { ...ready, changelog: `## Unreleased\n\n- New.\n\n${ready.changelog}` }],
  ["package.json has no repository", { ...ready, packageJson: { version: "1.1.0" } }],
])("a release is refused: %s", (problem, release) => {
  expect(releaseProblems(release)).toEqual([expect.stringContaining(problem)]);
});

test("npm version checks the release before it makes the tag", () => {
  expect(scripts.preversion).toMatch(/^node tools\/release\.ts && /);
});

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

interface Job {
  readonly needs?: string;
  readonly if?: string;
  readonly permissions?: object;
  readonly steps: readonly Step[];
}

const workflow = parse(text(".github/workflows/release.yml"));
const jobs: Readonly<Record<string, Job>> = workflow.jobs;
const runs = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
const commandsOf = (name: string) => jobs[name]?.steps.flatMap(({ run }) => run ?? []).join("\n") ?? "";

test("the workflow runs scripts and files that exist", () => {
  const named = runs.join("\n");
  const ofNpm = [...named.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name = ""]) => name);
  expect(ofNpm.filter((name) => !(name in scripts))).toEqual([]);
  const files = [...named.matchAll(/(?:^|\s)((?:\.ci|tools)\/[\w./-]+)/g)].map(([, file = ""]) => file);
  expect(files).toEqual(["tools/release.ts", ".ci/run"]);
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test("the workflow names a packed file by a path that npm does not take for a repository of GitHub", () => {
  const files = runs.flatMap((commands) => commands.match(/\S+\.tgz/g) ?? []);
  expect(files).toEqual(["./packed/*.tgz", "./*.tgz"]);
});

test("the workflow names a version of each action", () => {
  const uses = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ uses: action }) => action ?? []));
  expect(uses.length).toBeGreaterThan(0);
  expect(uses.filter((action) => !/^actions\/[\w-]+@(?:v\d+|[0-9a-f]{40})$/.test(action))).toEqual([]);
});

test("a tag is checked, tested and packed, and only the job that publishes may sign", () => {
  expect(workflow.on.push).toEqual({ tags: ["v*"] });
  expect(commandsOf("pack")).toMatch(
    /tools\/release\.ts "\$GITHUB_REF_NAME"\n\.ci\/run\n[\s\S]*npm pack [\s\S]*--dry-run/,
  );
  expect(jobs["publish"]).toMatchObject({
    needs: "pack",
    if: "github.ref_type == 'tag'",
    permissions: { "id-token": "write" },
  });
  expect(commandsOf("publish")).toBe("npm publish --provenance --access public ./*.tgz");
  expect([workflow.permissions, jobs["pack"]?.permissions]).toEqual([{ contents: "read" }, undefined]);
  expect(jobs["publish"]?.steps.some(({ uses }) => uses?.startsWith("actions/checkout"))).toBe(false);
});

test("the changelog has the form of Keep a Changelog", () => {
  const headings = [...changelog.matchAll(/^(#{1,3}) (.*)$/gm)].map(([line]) => line);
  expect(headings.slice(0, 2)).toEqual(["# Changelog", "## Unreleased"]);
  const versions = headings.filter((line) => line.startsWith("## ")).slice(1);
  expect(versions.filter((line) => !/^## \d+\.\d+\.\d+ - \d{4}-\d\d-\d\d$/.test(line))).toEqual([]);
  const dates = versions.map((line) => line.split(" - ")[1] ?? "");
  expect(dates).toEqual(dates.toSorted().toReversed());
  const kinds = headings.filter((line) => line.startsWith("### "));
  expect(kinds.filter((line) => !/^### (?:Added|Changed|Deprecated|Removed|Fixed|Security)$/.test(line))).toEqual([]);
  expect(kinds.length).toBeGreaterThan(0);
});
