import type { Json } from "../../foundation/json/json.ts";
import type { SourceResult } from "../../scenarios/files/read-yaml.ts";
import type { Place, ValuePath } from "../../scenarios/files/source-file.ts";

/** Endings of config files that are programs. */
export const moduleEndings: readonly string[] = [".ts", ".mts", ".js", ".mjs"];

/** Loads the default export of a program as data. Node strips the types; `require` loads it also where Jest has replaced `import`. */
export function readModule(name: string, path: string, text: string): SourceResult {
  try {
    const { createRequire } = process.getBuiltinModule("node:module");
    const loaded: unknown = createRequire(path)(path);
    const value = defaultExportOf(loaded);
    if (value === undefined) return invalid(name, "has no default export", "Write export default defineConfig({ … }).");
    return { type: "read", source: { name, value, placeOf: (members) => placeIn(text, members) } };
  } catch (error) {
    const [problem = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    return invalid(name, `cannot be loaded: ${problem.replace(/\.$/, "")}`, adviceOn(error));
  }
}

/** The default export as JSON: a Date and a URL become texts, members without a value are omitted. */
function defaultExportOf(loaded: unknown): Json | undefined {
  if (typeof loaded !== "object" || loaded === null || !("default" in loaded)) return undefined;
  const text = JSON.stringify(loaded.default, (key, value) => {
    if (typeof value === "function" || typeof value === "symbol") throw new TypeError(`${key} is not data`);
    return value;
  });
  return text === undefined ? undefined : JSON.parse(text);
}

function adviceOn(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ERR_REQUIRE_ASYNC_MODULE") return "Remove await from its top level.";
  if (code === "ERR_UNKNOWN_FILE_EXTENSION") return "This Node does not read TypeScript. Use Node 22.19 or later.";
  if (error instanceof Error && error.message.startsWith("defineConfig is not defined"))
    return 'Begin the file with import { defineConfig } from "canton-understudy".';
  const isMissing = code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND";
  if (isMissing && error instanceof Error && error.message.includes("canton-understudy"))
    return "Install the package with npm install --save-dev canton-understudy, or export the object itself.";
  return "Correct the file.";
}

/** The place of a member: of the first text that names it behind the names of the members around it. */
function placeIn(text: string, members: ValuePath): Place {
  let at = 0;
  for (const member of members) {
    const name = String(member).replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const found = new RegExp(`(?<![\\w$])(["'\`]?)${name}\\1\\s*[:,}]`).exec(text.slice(at));
    if (found !== null) at += found.index;
  }
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function invalid(name: string, problem: string, advice: string): SourceResult {
  return {
    type: "invalid",
    problems: [{ file: name, line: undefined, column: undefined, problem: `${name} ${problem}`, advice }],
  };
}
