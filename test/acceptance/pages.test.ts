import { expect, test } from "vitest";
import { problemsOfCommands } from "./_followed-page.ts";
import { problemsOf } from "./_page-problems.ts";
import { unknownWords } from "./_page-words.ts";
import { pages, pageText } from "./_pages.ts";

/** Needs of blocks that this test does not have. All other blocks are run or checked. */
const notHere = [
  "a checkout",
  "a build",
  "docker",
  "GitHub",
  "the npm registry",
  "nginx",
  "nginx and PostgreSQL",
  "sqlite3",
  "psql",
  "pg_dump",
  "a cluster",
  "a node",
  "a terminal",
  "the ports of a LocalNet",
].concat(["python3", "go", "javac"]);

test.each(pages)("%s has only samples that a test runs or checks", (page) => {
  expect(problemsOf(pageText(page), notHere)).toEqual([]);
});

test.each(pages)("%s names only existing commands, flags and scripts", async (page) => {
  expect(await unknownWords(pageText(page))).toEqual([]);
});

test("the commands of README.md print what the page shows", async ({ signal }) => {
  expect(await problemsOfCommands("README.md", signal)).toEqual([]);
});
