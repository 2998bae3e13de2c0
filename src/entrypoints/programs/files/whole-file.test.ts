import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { namedFile } from "./named-file.ts";
import { WholeFile } from "./whole-file.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "understudy-whole-"));
  folders.push(folder);
  return folder;
}

test("the file has its name when it is finished, and not before", () => {
  const folder = emptyFolder();
  using file = new WholeFile(namedFile(join(folder, "x"), { folder: "/" }), { isReplacing: false });
  file.write("first, ");
  expect(readdirSync(folder)).not.toContain("x");
  file.write("second");
  file.finish();
  expect(readdirSync(folder)).toContain("x");
  expect(readFileSync(join(folder, "x"), "utf8")).toBe("first, second");
});

test("leaves no temporary file, finished or not", () => {
  const folder = emptyFolder();
  {
    using unfinished = new WholeFile(namedFile(join(folder, "unfinished"), { folder: "/" }), { isReplacing: false });
    unfinished.write("half");
    using finished = new WholeFile(namedFile(join(folder, "finished"), { folder: "/" }), { isReplacing: false });
    finished.finish();
  }
  expect(readdirSync(folder)).toEqual(["finished"]);
});

test("keeps a file that appeared during the writing", () => {
  const file = join(emptyFolder(), "x");
  using ours = new WholeFile(namedFile(file, { folder: "/" }), { isReplacing: false });
  ours.write("ours");
  writeFileSync(file, "theirs");
  expect(() => ours.finish()).toThrow(`${file} exists. Write elsewhere, or replace it with --force.`);
  expect(readFileSync(file, "utf8")).toBe("theirs");
});

test("replaces a symbolic link and not its target", () => {
  const folder = emptyFolder();
  writeFileSync(join(folder, "elsewhere"), "theirs");
  symlinkSync(join(folder, "elsewhere"), join(folder, "x"));
  using file = new WholeFile(namedFile(join(folder, "x"), { folder: "/" }), { isReplacing: true });
  file.write("ours");
  file.finish();
  expect(readFileSync(join(folder, "elsewhere"), "utf8")).toBe("theirs");
  expect(lstatSync(join(folder, "x")).isSymbolicLink()).toBe(false);
});

test("refuses to replace a link to a device that appeared while it was written", () => {
  const link = join(emptyFolder(), "x");
  using file = new WholeFile(namedFile(link, { folder: "/" }), { isReplacing: true });
  symlinkSync("/dev/null", link);
  expect(() => file.finish()).toThrow(`${link} cannot be written: it is not a regular file. Name a new file.`);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
});

test("only the owner can read a private file, from the first byte on", () => {
  const folder = emptyFolder();
  using file = new WholeFile(namedFile(join(folder, "x"), { folder: "/" }), { access: "private", isReplacing: false });
  const [part = ""] = readdirSync(folder);
  expect(statSync(join(folder, part)).mode & 0o077).toBe(0);
  file.finish();
  expect(statSync(join(folder, "x")).mode & 0o077).toBe(0);
});

test("a replaced file keeps its permissions", () => {
  const file = join(emptyFolder(), "x");
  writeFileSync(file, "theirs", { mode: 0o600 });
  using ours = new WholeFile(namedFile(file, { folder: "/" }), { isReplacing: true });
  ours.finish();
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("reports a file that cannot be written", () => {
  const file = join(emptyFolder(), "nowhere", "x");
  expect(() => new WholeFile(namedFile(file, { folder: "/" }), { isReplacing: false })).toThrow(
    `${file} cannot be written (ENOENT).`,
  );
});
