import { expect, test } from "vitest";
import { temporaryFolder } from "./_command-line.ts";
import { follow, stepsOf } from "./_guide.ts";
import { problemsOf } from "./_page-problems.ts";
import { unknownWords } from "./_page-words.ts";

const fence = "```";
const block = (language: string, ...lines: readonly string[]) =>
  [`${fence}${language}`, ...lines, fence, ""].join("\n");

test.each([
  ["a command that prints something else", block("", "$ echo two", "one")],
  ["a command that prints more", block("", "$ echo one; echo two", "one")],
  ["a command that prints nothing", block("", "$ true", "one")],
  ["a failing command with omitted output", block("", "$ false", "…")],
  ["commands one of which fails", block("sh", "false", "true")],
  ["commands that print something else", block("sh", "echo two") + block("text", "one")],
  ["a hidden command that fails", `<!-- first: false -->\n${block("sh", "true")}`],
  ["a program that throws", block("js", "throw new Error();")],
  ["a program that prints something else", block("js", "console.log(2);") + block("text", "1")],
  ["a server that does not start", block("sh", "understudy serve")],
])("following a page fails for %s", async (_, page) => {
  const followed = await follow(stepsOf(page), temporaryFolder(), { env: process.env });
  expect(followed.filter(({ problem }) => problem !== undefined)).toHaveLength(1);
});

test("`…` in a page matches any output", async () => {
  const page = [
    block("js", "// twice.mjs", "console.log(process.argv[2] * 2);"),
    block("", "$ node twice.mjs 21", "4…", "$ seq 3", "…", "3", "$ export ANSWER=6", "$ echo $ANSWER", "6"),
    block("sh", "twice() { node twice.mjs $1; }", "twice $ANSWER") + block("text", "12"),
  ];
  const followed = await follow(stepsOf(page.join("\n")), temporaryFolder(), { env: process.env });
  expect(followed.map(({ problem }) => problem)).toEqual([undefined, undefined, undefined, undefined, undefined]);
});

test.each([
  ["a transcript without a command", block("", "Understudy serves")],
  ["output without its command", block("text", "one")],
  ["a program in another language", block("python", "print(1)")],
  ["an unknown need", `<!-- needs: luck -->\n${block("sh", "true")}`],
  ["an excerpt of a missing file", `<!-- excerpt of: scenarios/none.yaml -->\n${block("yaml", "a: 1")}`],
  ["an excerpt with another line", `<!-- excerpt of: package.json -->\n${block("json", '"type": "commonjs",')}`],
  ["broken JSON", block("json", '{ "a": 1')],
  ["an invalid plan of a scenario", block("yaml", "plan:", "  - { at: soon, fault: none }")],
  ["a block inside a list", `- one\n  ${fence}sh\n  true\n  ${fence}\n`],
])("the check of a page reports %s", (_, page) => {
  expect(problemsOf(page, ["docker"])).not.toEqual([]);
});

test("the check of a page accepts commands, excerpts, JSON and plans", () => {
  const page = [
    `<!-- needs: docker -->\n${block("sh", "docker build .")}`,
    `<!-- excerpt of: package.json -->\n${block("json", '"type": "module",')}`,
    block("json", '{ "a": 1 }', '{ "a": 2 }'),
    block("yaml", "plan:", "  - { at: PT1M, deactivateUser: alice }"),
  ];
  expect(problemsOf(page.join("\n"), ["docker"])).toEqual([]);
});

test("the check of prose finds unknown commands, flags and scripts", async () => {
  const sentence =
    "`understudy serve --port 0`, `pact states --hook A=B`, `--json`, `npm run mutants`, `docker run --rm`";
  expect(await unknownWords(sentence)).toEqual([]);
  const wrong = ["understudy srve", "serve --prot 0", "--jsonn", "npm run mutant"];
  expect(await unknownWords(wrong.map((text) => `\`${text}\``).join(", "))).toEqual(wrong);
});
