// Checks that a version can be released, and prints what is missing. `npm version` runs it before it makes the commit and the tag;
// the workflow of releases runs it with the name of the tag.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** What a release is made from. */
export interface Release {
  /** Without `v`; undefined if no version is named. */
  readonly version: string | undefined;
  /** The tag of the version; undefined before it is made. */
  readonly tag?: string;
  readonly branch: string;
  readonly packageJson: { readonly version: string; readonly repository?: unknown };
  readonly changelog: string;
}

/** What keeps a version from being released; empty if nothing does. */
export function releaseProblems({ version, tag, branch, packageJson, changelog }: Release): readonly string[] {
  if (version === undefined) return ["No version. Run npm version 1.2.3, or name a tag: node tools/release.ts v1.2.3"];
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.startsWith(`${version} `));
  const unreleased = sections.find((text) => text.startsWith("Unreleased")) ?? "";
  return [
    ...(tag === undefined || tag === `v${packageJson.version}`
      ? []
      : [`The tag ${tag} is not the version ${packageJson.version} of package.json. Make tags with npm version.`]),
    ...(tag !== undefined || branch === "main" ? [] : [`The branch is ${branch || "detached"}. Release from main.`]),
    ...(section !== undefined && /^\S+ - \d{4}-\d\d-\d\d\n[\s\S]*\S/.test(section)
      ? []
      : [`CHANGELOG.md has no section "## ${version} - YYYY-MM-DD" with text. Rename Unreleased, and commit it.`]),
    ...(/^- /m.test(unreleased) ? ["CHANGELOG.md still has entries under Unreleased. Move them to the version."] : []),
    ...(packageJson.repository === undefined
      ? ["package.json has no repository. npm needs its URL to sign the package with its origin (provenance)."]
      : []),
  ];
}

if (import.meta.main) {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const tag = process.argv[2];
  const problems = releaseProblems({
    version: tag?.replace(/^v/, "") ?? process.env["npm_new_version"],
    ...(tag === undefined ? {} : { tag }),
    branch: execFileSync("git", ["branch", "--show-current"], { cwd: root, encoding: "utf8" }).trim(),
    packageJson: JSON.parse(readFileSync(join(root, "package.json"), "utf8")),
    changelog: readFileSync(join(root, "CHANGELOG.md"), "utf8"),
  });
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
