import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readOptions } from "../options.ts";
import { serve } from "../serve/serve.ts";
import { type ReadyFile, readyFileOf } from "./ready-file.ts";

const folder = mkdtempSync(join(tmpdir(), "understudy-ready-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const url = "http://127.0.0.1:7575";

const readyFileAt = (file: string): ReadyFile =>
  readyFileOf(readOptions(serve, ["--ready-file", file], { variables: {}, folder: "/" }));

test("is there from the response on until the end, and an old one is not", () => {
  const file = join(folder, "whole");
  writeFileSync(file, "http://127.0.0.1:1\n");
  const readyFile = readyFileAt(file);
  expect(existsSync(file)).toBe(false);
  readyFile.write(url);
  expect(readFileSync(file, "utf8")).toBe(`${url}\n`);
  readyFile.remove();
  expect(existsSync(file)).toBe(false);
});

test("takes an empty file, as mktemp makes it", () => {
  const file = join(folder, "empty");
  writeFileSync(file, "");
  readyFileAt(file).write(url);
  expect(readFileSync(file, "utf8")).toBe(`${url}\n`);
});

test.each([
  ["notes", "notes\n"],
  ["a URL and more", `${url}\nmore\n`],
  ["a large file", "x".repeat(5000)],
])("keeps what is no ready file: %s", (_what, text) => {
  const file = join(folder, "notes");
  writeFileSync(file, text);
  expect(() => readyFileAt(file)).toThrow(`${file} is there and is no ready file; it would be lost.`);
  expect(readFileSync(file, "utf8")).toBe(text);
});

test("leaves what another server wrote there since", () => {
  const file = join(folder, "shared");
  const readyFile = readyFileAt(file);
  readyFile.write(url);
  readyFileAt(file).write("http://127.0.0.1:7576");
  readyFile.remove();
  expect(readFileSync(file, "utf8")).toBe("http://127.0.0.1:7576\n");
});
