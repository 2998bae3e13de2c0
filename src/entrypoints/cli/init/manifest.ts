import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { isJsonObject, type Json, type JsonObject } from "../../../foundation/json/json.ts";
import { diskFiles } from "../../library/files.ts";
import { errorOfFiles } from "../../programs/files/error-of-files.ts";
import { unreadable } from "../../programs/files/unreadable.ts";
import { UserError } from "../../programs/user-error.ts";

/** A package.json: its text, and what it says. */
export interface Manifest {
  readonly text: string;
  readonly value: JsonObject;
  readonly scripts: Readonly<Record<string, Json>>;
  /** Versions of all dependencies by their name. */
  readonly dependencies: Readonly<Record<string, Json>>;
}

/** The package.json of the folder; messages have its name. Throws a UserError if it is missing or not valid. */
export function readManifest(folder: string, name = "package.json"): Manifest {
  const path = join(folder, "package.json");
  if (!existsSync(path)) throw new UserError(`There is no package.json in this folder. ${remedyFor(folder)}`);
  if (diskFiles.read(path) === undefined) throw unreadable({ name, path });
  // With its byte order mark, since it is written again.
  const text = readFileSync(path, "utf8");
  const value = parsed(text, name);
  const objectIn = (member: string) => memberOf(value, member, name);
  const scripts = objectIn("scripts");
  const dependencies = { ...objectIn("devDependencies"), ...objectIn("dependencies") };
  return { text, value, scripts, dependencies };
}

function remedyFor(folder: string): string {
  const above = foldersAbove(folder).find((candidate) => existsSync(join(candidate, "package.json")));
  return above === undefined
    ? "Change to your project, or create one: npm init --yes"
    : `Your project may be ${relative(folder, above)}: change to it, or create one here: npm init --yes`;
}

/** The folders that contain a folder, the nearest first. */
export function foldersAbove(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [] : [above, ...foldersAbove(above)];
}

function parsed(text: string, name: string): JsonObject {
  const json = text.replace(/^\uFEFF/, "");
  const problem = problemOf(json);
  if (problem !== "") throw invalid(json, problem, name);
  const value: Json = JSON.parse(json);
  if (isJsonObject(value)) return value;
  throw new UserError(`${name} is not an object. It needs members, such as a name: npm init --yes writes them.`);
}

/** The error for text that is not JSON, with its place. */
function invalid(text: string, message: string, name: string): UserError {
  const lines = text.slice(0, faultOffset(text, message)).split("\n");
  const place = { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
  const problem = `not valid JSON: ${message.replace(/ in JSON at position .*$/s, "").replace(/, (?:\.\.\.)?".*$/s, "")}`;
  return errorOfFiles([{ file: name, ...place, problem, advice: "Correct it first. Nothing was written." }]);
}

/** Offset of the first invalid character. Most messages of the parser have it; otherwise the shortest invalid beginning ends there. */
function faultOffset(text: string, message: string): number {
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  if (position !== undefined) return Number(position);
  if (!message.startsWith(unexpectedToken)) return text.length;
  let [valid, invalid] = [0, text.length];
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    if (problemOf(text.slice(0, middle)).startsWith(unexpectedToken)) invalid = middle;
    else valid = middle;
  }
  return valid;
}

const unexpectedToken = "Unexpected token";

function problemOf(text: string): string {
  try {
    JSON.parse(text);
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function memberOf(value: JsonObject, member: string, name: string): JsonObject {
  const found = value[member] ?? {};
  if (isJsonObject(found)) return found;
  throw new UserError(`${name}: the member ${member} is not an object. Correct it first. Nothing was written.`);
}
