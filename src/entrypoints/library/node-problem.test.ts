import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { nodeProblem } from "./node-problem.ts";

test.each(["18.20.8", "20.20.2", "22.9.0", "22.18.0", "9.0.0"])("Node %s is too old", (version) => {
  expect(nodeProblem(version)).toBe(
    `canton-understudy needs Node 22.19 or newer; this is ${version}. A project gets a newer one with: npm install --save-dev node@24 (with --ignore-scripts, then: npm rebuild node --ignore-scripts=false)`,
  );
});

test.each(["22.19.0", "22.23.3", "23.0.0", "24.21.0", "26.10.0", "100.0.0"])("Node %s is supported", (version) => {
  expect(nodeProblem(version)).toBeUndefined();
});

test("package.json names the oldest supported version", () => {
  const { engines } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
  expect(nodeProblem("0.0.0")).toContain(`Node ${engines.node.replace(">=", "")} or newer`);
});
