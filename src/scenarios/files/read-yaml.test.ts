import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, test } from "vitest";
import { objectOf } from "../../foundation/json/members.ts";
import readBefore from "./generated/read-before.json" with { type: "json" };
import { type FileReader, loadScenario } from "./load-scenario.ts";
import { formatProblem, problemsMax } from "./problem.ts";
import { readYaml } from "./read-yaml.ts";

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
    return { ...result.scenario, initial: { ...rest, tables: tables.map((table) => [...table.entries()]) } };
  };
  expect(readWith("")).toEqual(readWith("\n# not what was packed"));
});

test("a cached reading knows its lines", () => {
  for (const { text } of readBefore) {
    const [before, now] = [readYaml("f", text), readYaml("f", `${text}\n# not what was packed`)];
    if (before.type !== "read" || now.type !== "read") throw new Error("both are read");
    expect([before.source.isChecked, now.source.isChecked]).toEqual([true, undefined]);
    for (const member of Object.keys(objectOf(now.source.value)))
      expect(before.source.lineOf([member])).toBe(now.source.lineOf([member]));
  }
});

test.each([
  ["a: 1\nb: 2\na: 3", ["f:3: Map keys must be unique. Correct the YAML syntax."]],
  ["x:\n  - { a: 1, a: 2 }", ["f:2: Map keys must be unique. Correct the YAML syntax."]],
  ["a: { b: 1 }\nb: { b: 1 }", []],
])("finds the duplicate keys of %j", (text, problems) => {
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

test("reports the first of thousands of errors", () => {
  const read = readYaml("f", "[".repeat(5000));
  expect(read.type === "invalid" && read.problems.length).toBe(problemsMax + 1);
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
  expect(read.type === "read" && read.source.lineOf(path)).toBe(line);
});
