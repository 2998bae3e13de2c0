import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { commandsOf } from "./_followed-page.ts";
import { problemsOf } from "./_page-problems.ts";
import { pageText } from "./_pages.ts";

/** Each language with what its block of the page needs, the oldest version of that, and the words that print the version. */
const languages = [
  { needs: "python3", oldest: [3, 11], words: ["--version"] },
  { needs: "go", oldest: [1, 22], words: ["version"] },
  { needs: "javac", oldest: [17, 0], words: ["-version"] },
] as const;

/** Why a machine cannot run the example of a language; undefined if it can. */
function obstacleOf({ needs, oldest: [major, minor], words }: (typeof languages)[number]): string | undefined {
  const { error, stdout, stderr } = spawnSync(needs, words, { encoding: "utf8" });
  if (error !== undefined) return `no ${needs}`;
  const [, found = "0", next = "0"] = /(\d+)(?:\.(\d+))?/.exec(stdout + stderr) ?? [];
  const isOld = Number(found) < major || (Number(found) === major && Number(next) < minor);
  return isOld ? `${needs} ${found}.${next}, which is older than ${major}.${minor}` : undefined;
}

/** Go keeps what it compiled at HOME; without inlining and vet, it compiles in half the processor time. */
const variables = { HOME: process.env["HOME"] ?? "", GOFLAGS: "-vet=off -gcflags=all=-l" };

const page = "docs/other-languages.md";

for (const language of languages) {
  const { needs } = language;
  const obstacle = obstacleOf(language);
  if (obstacle === undefined)
    test(`the example with ${needs} prints what the page shows`, async ({ signal }) => {
      const ran = await commandsOf(page, signal, { available: [needs], variables });
      expect(ran.flatMap(({ problem }) => problem ?? [])).toEqual([]);
    });
  else {
    process.stderr.write(`NOT RUN: the example with ${needs} of ${page}. This machine has ${obstacle}.\n`);
    test(`the example with ${needs} is not run (${obstacle}); the page shows lines of its files`, () => {
      expect(
        problemsOf(
          pageText(page),
          languages.map((other) => other.needs),
        ),
      ).toEqual([]);
    });
  }
}
