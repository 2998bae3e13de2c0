import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, test } from "vitest";
import { LineCounter } from "yaml";
import { objectOf } from "../../foundation/json/members.ts";
import { fileLimits } from "./file-limits.ts";
import type { FileReader } from "./file-reader.ts";
import readBefore from "./generated/read-before.json" with { type: "json" };
import { loadScenario } from "./load-scenario.ts";
import { formatProblem, problemsMax } from "./problem.ts";
import { readYaml } from "./read-yaml.ts";
import { parseYaml } from "./yaml/yaml-document.ts";

test("gives the same quickstart from a cached and from a fresh reading", () => {
  const readWith = (ending: string) => {
    const files: FileReader = {
      read: (path) => `${readFileSync(path, "utf8")}${ending}`,
      resolve: (from, path) => posix.join(posix.dirname(from), path),
    };
    const result = loadScenario("scenarios/quickstart.arazzo.yaml", files);
    if (result.type === "invalid") throw new Error(result.problems.map(formatProblem).join("\n"));
    const { ledger, registry, ...rest } = result.scenario.initial;
    const tables = [ledger.users, ledger.parties, ledger.packages, ledger.contracts, registry.contracts];
    return {
      ...result.scenario,
      main: undefined,
      initialAt: undefined,
      initial: { ...rest, tables: tables.map((table) => [...table.entries()]) },
    };
  };
  expect(readWith("")).toEqual(readWith("\n# not what was packed"));
});

test("a cached reading knows its lines", () => {
  for (const { text } of readBefore) {
    const [before, now] = [readYaml("f", text), readYaml("f", `${text}\n# not what was packed`)];
    if (before.type !== "read" || now.type !== "read") throw new Error("both are read");
    expect([before.source.isChecked, now.source.isChecked]).toEqual([true, undefined]);
    for (const member of Object.keys(objectOf(now.source.value)))
      expect(before.source.placeOf([member])).toEqual(now.source.placeOf([member]));
  }
});

test.each([
  [
    "a: 1\nb: 2\na: 3",
    ["f:3:1: the name is used twice in one object. Remove or rename one of the two.\n  2 | b: 2\n> 3 | a: 3\n    | ^"],
  ],
  [
    "x:\n  - { a: 1, a: 2 }",
    [
      "f:2:13: the name is used twice in one object. Remove or rename one of the two.\n  1 | x:\n> 2 |   - { a: 1, a: 2 }\n    |             ^",
    ],
  ],
  ["a: { b: 1 }\nb: { b: 1 }", []],
  [
    "x: &x { y: *x }",
    [
      "f:1:12: an alias names a value that contains it. Write the value out.\n> 1 | x: &x { y: *x }\n    |            ^",
    ],
  ],
  ["a: &a { b: 1 }\nc: *a", []],
])("finds the duplicate keys and the endless aliases of %j", (text, problems) => {
  const read = readYaml("f", text);
  expect(read.type === "invalid" ? read.problems.map(formatProblem) : []).toEqual(problems);
});

test.each(["!!binary aGk=", "!!set { a }", "!!timestamp 2001-12-14", "!!omap [a: 1]"])(
  "reads %s as what JSON has too, whatever version a file names",
  (tagged) => {
    for (const version of ["1.1", "1.2"]) {
      const read = readYaml("f", `%YAML ${version}\n---\nx: ${tagged}`);
      if (read.type === "invalid") throw new Error(read.problems.map(formatProblem).join());
      expect(JSON.parse(JSON.stringify(read.source.value))).toEqual(read.source.value);
    }
  },
);

test("reports the first of thousands of errors, on many lines or on one", () => {
  const read = readYaml("f", "x: @a\n".repeat(5000));
  expect(read.type === "invalid" && read.problems.length).toBe(problemsMax + 1);
  expect(readYaml("f", `[${"@a,".repeat(5000)}]`)).toMatchObject({ type: "invalid", problems: [{ line: 1 }] });
});

test.each([
  "key: |\n  -----BEGIN PRIVATE KEY-----\n  MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n bad\n",
  "password: |\n  hunter2secret\n bad\n",
  "password: >-\n  hunter2secret\n bad\n",
  "x: { apiKey: hunter2secret\nbad\n",
])("shows no line of a file with a secret: %j", (text) => {
  const read = readYaml("f", text);
  expect(read.type === "invalid" && read.problems.every(({ excerpt }) => excerpt === undefined)).toBe(true);
});

test.each([
  [["a", 1, "b"], 4],
  [["a", 1, "c"], 4],
  [["a", 7], 2],
  [["copy", "b"], 4],
  [["list", 0], 7],
  [[5], 8],
  [["none"], 1],
  [[], 1],
])("knows the line of %j", (path, line) => {
  const text = "a:\n  - 1\n  - &x\n    b: 2\ncopy:\n  *x\nlist: [1]\n5: n\n";
  const read = readYaml("f", text);
  expect(read.type === "read" && read.source.placeOf(path).line).toBe(line);
});

test.each([
  [
    "a tab for indentation",
    "a:\n\tb: 1\n",
    "f:2:1: a tab is used for indentation. Use spaces.\n  1 | a:\n> 2 | →b: 1\n    | ^",
  ],
  [
    "a second document",
    "a: 1\n---\nb: 2\n",
    "f:2:1: a second document begins. Remove the line --- and all that follows it.\n  1 | a: 1\n> 2 | ---\n    | ^\n  3 | b: 2",
  ],
  [
    "a missing colon",
    "a: 1\nb 2\nc: 3\n",
    "f:2:1: a colon is missing after the name. Write a member as name: value, with a space after the colon.\n  1 | a: 1\n> 2 | b 2\n    | ^\n  3 | c: 3",
  ],
  [
    "bad indentation",
    "a:\n  b: 1\n c: 2\n",
    "f:3:1: the indentation does not match the lines above. Start the members of one object, and the items of one list, in the same column.\n  2 |   b: 1\n> 3 |  c: 2\n    | ^",
  ],
  [
    "an unclosed quote",
    'a: "x\nb: 1\n',
    'f:1:4: a quote is not closed. Add the closing quote at the end of the text.\n> 1 | a: "x\n    |    ^\n  2 | b: 1',
  ],
  [
    "an unclosed bracket",
    "a: [1, 2\nb: 3\n",
    "f:1:4: a bracket is not closed. Add the closing ], and indent all lines up to it.\n> 1 | a: [1, 2\n    |    ^\n",
  ],
  [
    "an unclosed bracket before other members",
    "a:\n  - { b: 1\n    c: 2\n    d: 3\n    e: 4\n  - f\n",
    "f:2:5: a bracket",
  ],
  [
    "a list that a brace closes",
    "a: [ { b: 1, c: [2] ]\nd: [1]\n",
    "f:1:6: a bracket is not closed. Add the closing },",
  ],
  ["an open quote within brackets", 'a: { b: "c, d: 1 }\ne: [1]\n', "f:1:9: a quote is not closed."],
  ["a closing bracket too many", "a: [1]]\nb: 2\n", "f:1:7: a closing bracket has no opening bracket."],
  ["a missing comma between members", '{\n  "a": 1\n  "b": 2\n}\n', "f:2:8: a comma is missing."],
  ["a missing comma between texts", '{ "a": "1"\n  "b": 2 }\n', "f:2:3: a comma is missing."],
  ["a missing comma between objects", '[{ "a": 1 } { "b": 2 }]\nc', "f:1:13: a comma is missing."],
  ["a missing colon in braces", '{ "a" 1 }', "f:1:7: a comma or a colon is missing."],
  ["an alias without an anchor", "a: *.yaml\nb: 1\n", "f:1:4: an alias names no anchor before it. Put a text"],
  [
    "a colon in a value",
    "a: b: c\n",
    "f:1:4: a value contains a colon with a space, or the next line is indented too far.",
  ],
  [
    "a reserved character",
    "a: @x\n",
    "f:1:4: a value begins with a character that YAML reserves. Put the value in quotes.",
  ],
])("explains %s, and shows the line", (_name, text, expected) => {
  const read = readYaml("f", text);
  if (read.type === "read") throw new Error("the text has an error");
  expect(read.problems.map(formatProblem)).toEqual([expect.stringContaining(expected)]);
});

test("shows no line of a file that may hold tokens", () => {
  const read = readYaml("f", 'tokens:\n  plain: "opaque\n');
  expect(read.type === "invalid" && read.problems).toEqual([
    { file: "f", line: 2, column: 10, problem: "a quote is not closed", advice: expect.any(String) },
  ]);
});

test("lists the problems before an unclosed bracket, and none behind it", () => {
  const read = readYaml("f", "a: @x\nb: [1\nc: @x\n");
  expect(read.type === "invalid" && read.problems.map(({ line, column }) => [line, column])).toEqual([
    [1, 4],
    [2, 4],
  ]);
});

const lists = (depth: number, inner = "") => `${"[".repeat(depth)}${inner}${"]".repeat(depth)}`;
const { fileNestingMax, aliasValuesMax } = fileLimits;

test.each([
  ["brackets", lists],
  ["braces", (depth: number) => `${"{a: ".repeat(depth)}1${"}".repeat(depth)}`],
  ["lists", (depth: number) => "- ".repeat(depth)],
  ["names", (depth: number) => "? ".repeat(depth)],
  ["lines", (depth: number) => Array.from({ length: depth }, (_, level) => `${" ".repeat(level)}a:\n`).join("")],
  ["aliases", (depth: number) => `- &a ${lists(100)}\n- ${lists(depth - 101, "*a")}\n`],
])("reads %s nested up to the limit, and refuses more with their place", (_what, nested) => {
  expect(readYaml("f", nested(fileNestingMax)).type).toBe("read");
  for (const depth of [fileNestingMax + 1, 2000]) {
    const read = readYaml("f", nested(depth));
    const problem = `the value is nested deeper than ${fileNestingMax} levels`;
    expect(read).toMatchObject({ type: "invalid", problems: [{ problem, advice: "Nest it less deeply." }] });
    const { line = 0, column = 0 } = read.type === "invalid" ? (read.problems[0] ?? {}) : {};
    expect(line + column).toBeGreaterThan(100);
  }
});

test.each(Object.entries(fileLimits))("docs/limits.md lists %s with its value", (name, value) => {
  expect(readFileSync("docs/limits.md", "utf8")).toContain(`| \`${name}\` | ${value} |`);
});

test("refuses YAML and invalid JSON of more tokens than the limit, and reads JSON of more", () => {
  const problemsOf = (text: string) => {
    const read = readYaml("f", text);
    return read.type === "invalid" ? read.problems.map(formatProblem) : [];
  };
  const elements = "0,".repeat(250_000);
  const problem = "the file has more than 500000 names, values, signs and spaces, too many for YAML. Write it as JSON";
  expect(problemsOf(`[${elements}]`)).toEqual([expect.stringContaining(problem)]);
  expect(problemsOf(`[${elements}0]`)).toEqual([]);
  expect(problemsOf(`a: [@b, ${elements}]`)).toEqual([expect.stringContaining("f:1:5: a value begins with")]);
});

test("names the error that nests the values behind it", () => {
  const read = readYaml("f", "a: b: c\n".repeat(500));
  expect(read.type === "invalid" && read.problems[0]).toMatchObject({ line: 1, column: 4 });
  expect(read.type === "invalid" && read.problems.some(({ problem }) => problem.includes("deeper"))).toBe(false);
});

test("reads aliases of as many values as the limit allows, and refuses one more", () => {
  const text = (count: number) => `- &a [${"1,".repeat(99)}]\n- [${"*a,".repeat(count)}]\n`;
  expect(readYaml("f", text(aliasValuesMax / 100)).type).toBe("read");
  const problem = `the aliases of the file repeat more than ${aliasValuesMax} values`;
  expect(readYaml("f", text(aliasValuesMax / 100 + 1))).toMatchObject({
    problems: [{ line: 2, column: 304, problem }],
  });
  expect(readYaml("f", "- &a [x]\n- &b [*a, *a]\n- [*b, *b]\n")).toMatchObject({ source: { value: { length: 3 } } });
});

test("creates the errors of a file without stack traces, and restores them", () => {
  const { stackTraceLimit } = Error;
  readYaml("f", "a: @x\n");
  expect(Error.stackTraceLimit).toBe(stackTraceLimit);
  const parsed = parseYaml("a: @x\n", new LineCounter());
  expect(parsed.document.errors.map(({ stack }) => stack?.includes("    at "))).toEqual([false]);
});

test.each([
  ["brackets", "]", 200_000],
  ["begins of documents", "---\n", 20_000],
  ["open quotes", 'a: "x\n', 5000],
  ["aliases", "- *x\n", 10_000],
])("refuses very many %s in linear time", (_name, text, count) => {
  expect(readYaml("f", text.repeat(count)).type).toBe("invalid");
});

test("a merge key adds the members that an object does not have, and they have their places", () => {
  const text = `a: &a { x: 1, y: 2 }
b: &b { y: 3, z: 4 }
one: { <<: *a, y: 5 }
two:
  y: 6
  <<: [*b, *a, { w: 7 }]
three: { <<: { <<: *a, v: 8 } }
named: { "<<": *a }`;
  const read = readYaml("f", text);
  if (read.type === "invalid") throw new Error(read.problems.map(formatProblem).join("\n"));
  const { value, placeOf } = read.source;
  expect(value).toEqual({
    a: { x: 1, y: 2 },
    b: { y: 3, z: 4 },
    one: { x: 1, y: 5 },
    two: { x: 1, y: 6, z: 4, w: 7 },
    three: { x: 1, y: 2, v: 8 },
    named: { "<<": { x: 1, y: 2 } },
  });
  expect(placeOf(["one", "x"])).toEqual({ line: 1, column: 12 });
  expect(placeOf(["one", "y"])).toEqual({ line: 3, column: 19 });
  expect(placeOf(["two", "z"])).toEqual({ line: 2, column: 18 });
  expect(placeOf(["two", "w"], "name")).toEqual({ line: 6, column: 18 });
  expect(placeOf(["three", "y"])).toEqual({ line: 1, column: 18 });
  expect(placeOf(["one", "none"])).toEqual({ line: 3, column: 6 });
});

test.each([
  ["a: { <<: 5 }", "f:1:6: the merge key << has a value that is not an object."],
  ["a: &a [1]\nb: { <<: *a }", "f:2:6: the merge key << has a value that is not an object."],
  ["a: &a { b: 1 }\nc:\n  <<: *a\n  <<: *a", "f:4:3: the name is used twice in one object."],
  ["a: { <<: *none }", "f:1:10: an alias names no anchor before it."],
  ["a: &a { <<: *a }", "f:1:13: an alias names a value that contains it."],
  [
    `a0: &a0 { b: 1 }\n${Array.from({ length: 14 }, (_, n) => `a${n + 1}: &a${n + 1} { c: { <<: *a${n} }, d: { <<: *a${n} } }`).join("\n")}`,
    "the aliases of the file repeat more than 10000 values",
  ],
])("refuses the merge key of %s", (text, problem) => {
  const read = readYaml("f", text);
  expect(read.type === "invalid" ? read.problems.map(formatProblem) : []).toEqual([expect.stringContaining(problem)]);
});
