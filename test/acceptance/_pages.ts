import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./_command-line.ts";
import { type GuideStep, stepsOf } from "./_guide.ts";

/** README.md and the handwritten pages of docs. Generated pages are tested with their sources. */
export const pages: readonly string[] = [
  "README.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md") && !/^(?:reference[/\\]api|decisions)[/\\]/.test(file))
    .map((file) => `docs/${file.replaceAll("\\", "/")}`)
    .filter((file) => !pageText(file).startsWith("<!-- Made by `npm run "))
    .sort(),
];

export function pageText(page: string): string {
  return readFileSync(join(root, page), "utf8");
}

/** The need of blocks that use the built inspector, which only the package has. */
const ofPackage = "a build";
const installation: GuideStep = {
  type: "command",
  line: 0,
  command: 'npm init --yes && npm install canton-understudy && export PATH="$PWD/node_modules/.bin:$PATH"',
  printed: undefined,
};

/** Whether a page starts with the installation of the package in an empty folder. */
export function isFollowedWithPackage(page: string): boolean {
  return stepsOf(pageText(page)).some(
    (step) => step.type === "command" && /^npm install .*\bcanton-understudy\b/m.test(step.command),
  );
}

/** The pages that are run with the packed package. */
export const pagesOfPackage: readonly string[] = pages.filter(
  (page) =>
    isFollowedWithPackage(page) ||
    stepsOf(pageText(page)).some((step) => step.type === "elsewhere" && step.needs === ofPackage),
);

export function stepsWithPackage(page: string): readonly GuideStep[] {
  const steps = stepsOf(pageText(page), [ofPackage]);
  return isFollowedWithPackage(page) ? steps : [installation, ...steps];
}
