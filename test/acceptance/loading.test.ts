import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInThisContext } from "node:vm";
import { expect, test } from "vitest";
import { jsonExpression } from "../../tools/bundle-plugins.ts";
import { namesOfExamples, usedPart } from "../../tools/without-examples.ts";
import { folderOf } from "./_command-line.ts";
import { servingProcess, understudyProcess } from "./_process.ts";

/** Writes the files that a process has loaded when it exits, and the modules of Node. */
const hook = `process.on("exit", () => {
  const files = Object.keys(require.cache).map((file) => require("path").basename(file));
  require("fs").writeFileSync(process.env.LOADED, JSON.stringify([...files, ...process.moduleLoadList]));
});`;

/** Variables of a process that reports what it has loaded, and what it reported. */
function watched() {
  const folder = folderOf({ "hook.cjs": hook });
  const file = join(folder, "loaded.json");
  return {
    variables: { NODE_OPTIONS: `--require=${join(folder, "hook.cjs")}`, LOADED: file },
    loaded: (): readonly string[] => JSON.parse(readFileSync(file, "utf8")),
  };
}

test("serve is ready without any library in a file of its own, without TLS and hashes", async () => {
  const { variables, loaded } = watched();
  const { child, ended } = await servingProcess([], { variables });
  child.kill("SIGTERM");
  await ended();
  expect(loaded()).toContain("main.cjs");
  expect(loaded().filter((name) => /^library-|^NativeModule (?:crypto|https|tls)$/.test(name))).toEqual([]);
});

test("a request with a valid body compiles no schema", async () => {
  const { variables, loaded } = watched();
  const { child, url, ended } = await servingProcess([], { variables });
  const headers = { Authorization: "Bearer any", "Content-Type": "application/json" };
  const body = '{"userId":"alice","identityProviderId":"","rights":[]}';
  expect((await fetch(`${url}/v2/users/alice/rights`, { method: "POST", headers, body })).status).toBe(200);
  child.kill("SIGTERM");
  await ended();
  expect(loaded().filter((name) => name.startsWith("library-"))).toEqual([]);
});

test("the help loads nothing that a command needs", async () => {
  const { variables, loaded } = watched();
  await understudyProcess(["--help"], { variables });
  expect(loaded().filter((name) => /^library-|^serve-|^NativeModule (?:crypto|http)$/.test(name))).toEqual([]);
});

test("a large JSON object has its value, and parses each member at its first use", () => {
  const value = { large: { text: '"\\\u2028'.repeat(30_000), list: [1] }, "a-b": [null], c: { d: "e" } };
  const made: unknown = runInThisContext(`(${jsonExpression(value)})`);
  const isParsed = () => Object.values(Object.getOwnPropertyDescriptors(made)).map((member) => "value" in member);
  expect(isParsed()).toEqual([false, false, false]);
  expect(made).toEqual(value);
  expect(isParsed()).toEqual([true, true, true]);
});

test("the command line has the names of the examples of rules, and nothing else of them", () => {
  const rule = `import { sample } from "./sample.ts";
const tag = "AV";
const used = tag;
const body = sample(tag);
function other() { return body; }
export const rule = { id: used, examples: { kept: [{ name: "a", body: other() }], broken: [{ body, name: "b" }] } };
`;
  const named = namesOfExamples(rule);
  expect(named).toContain('examples: { kept: [{ name: "a" }], broken: [{ name: "b" }] }');
  expect(usedPart(named).match(/(?<=const |function )\w+/g)).toEqual(["tag", "used", "rule"]);
  expect(() => namesOfExamples('const rule = { examples: { kept: [{ body: "" }] } };')).toThrow("without a name");
});
