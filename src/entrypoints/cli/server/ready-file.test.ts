import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { understudy } from "../../../../test/acceptance/_command-line.ts";
import { readOptions } from "../options.ts";
import { serve } from "../serve/serve.ts";
import { type ReadyFile, readyFileOf } from "./ready-file.ts";

const folder = mkdtempSync(join(tmpdir(), "understudy-ready-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const url = "http://127.0.0.1:7575";

const readyFileAt = (file: string): ReadyFile =>
  readyFileOf(readOptions(serve, ["--ready-file", file], { variables: {}, folder: "/" }));

test("the ready file exists while the server responds, and an old one is removed", () => {
  const file = join(folder, "whole");
  writeFileSync(file, "http://127.0.0.1:1\n");
  const readyFile = readyFileAt(file);
  expect(existsSync(file)).toBe(false);
  readyFile.write(url);
  expect(readFileSync(file, "utf8")).toBe(`${url}\n`);
  readyFile.remove();
  expect(existsSync(file)).toBe(false);
});

test("the next start removes the file of a process that was killed, even if that start fails", async () => {
  const file = join(folder, "killed");
  writeFileSync(file, `${url}\n`);
  const started = await understudy(["serve", "missing.arazzo.yaml", "--ready-file", file]);
  expect([started.exitCode, existsSync(file)]).toEqual([2, false]);
});

test("accepts an empty file, as mktemp creates it", () => {
  const file = join(folder, "empty");
  writeFileSync(file, "");
  readyFileAt(file).write(url);
  expect(readFileSync(file, "utf8")).toBe(`${url}\n`);
});

test.each([
  ["notes", "notes\n"],
  ["a URL and more", `${url}\nmore\n`],
  ["a large file", "x".repeat(5000)],
])("keeps a file that is not a ready file: %s", (_name, text) => {
  const file = join(folder, "notes");
  writeFileSync(file, text);
  expect(() => readyFileAt(file)).toThrow(`${file} exists and is not a ready file.`);
  expect(readFileSync(file, "utf8")).toBe(text);
});

test("keeps the URL that another server wrote later", () => {
  const file = join(folder, "shared");
  const readyFile = readyFileAt(file);
  readyFile.write(url);
  readyFileAt(file).write("http://127.0.0.1:7576");
  readyFile.remove();
  expect(readFileSync(file, "utf8")).toBe("http://127.0.0.1:7576\n");
});
