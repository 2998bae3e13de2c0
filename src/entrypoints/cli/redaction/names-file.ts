import { isJsonObject, type Json, jsonOf } from "../../../foundation/json/json.ts";
import { shortened } from "../../../foundation/text/shortened.ts";
import { nameProblem } from "../../../recordings/redaction/name-syntax.ts";
import { isNameKind, type NamedOriginal } from "../../../recordings/redaction/pseudonyms.ts";
import { diskFiles } from "../../library/files.ts";
import type { NamedFile } from "../../programs/files/named-file.ts";
import { unreadable } from "../../programs/files/unreadable.ts";
import { isExisting } from "../../programs/files/write-whole.ts";
import { UserError } from "../../programs/user-error.ts";

/** Originals and pseudonyms of earlier recordings; empty if the file does not exist. Throws a UserError with all problems. */
export function readNames(file: NamedFile | undefined): readonly NamedOriginal[] {
  const text = file === undefined ? undefined : diskFiles.read(file.path);
  if (file !== undefined && text === undefined && isExisting(file)) throw unreadable(file);
  if (file === undefined || text === undefined) return [];
  const value = jsonOf(text);
  const entries = isJsonObject(value) ? value["names"] : undefined;
  if (!Array.isArray(entries))
    throw new UserError(`${file.name} is not a names file. Use a file that --names wrote, or a new file.`);
  const names = entries.map(namedOf);
  const problems = problemsIn(names);
  if (problems.length > 0) throw new UserError(problemsText(file.name, problems));
  return names.filter((entry) => entry !== undefined);
}

function namedOf(value: Json): NamedOriginal | undefined {
  if (!isJsonObject(value)) return undefined;
  const { kind, original, name } = value;
  if (typeof original !== "string" || typeof name !== "string" || !isNameKind(kind)) return undefined;
  return { kind, original, name };
}

/** Problems of invalid entries, of names with invalid syntax, and of entries that contradict an earlier one. */
function problemsIn(names: readonly (NamedOriginal | undefined)[]): readonly string[] {
  const byName = new Map<string, number>();
  const byOriginal = new Map<string, number>();
  return names.flatMap((entry, index) => {
    if (entry === undefined) return [`entry ${index} has no known kind, no original or no name`];
    const { kind, original, name } = entry;
    const problem = nameProblem(entry);
    const shown = shortened(JSON.stringify(name));
    if (problem !== undefined) return [`entry ${index}: ${shown} ${problem}`];
    const key = `${kind} ${original}`;
    const [sameName, sameOriginal] = [byName.get(name), byOriginal.get(key)];
    byName.set(name, sameName ?? index);
    byOriginal.set(key, sameOriginal ?? index);
    if (sameName === undefined && sameOriginal === undefined) return [];
    if (sameName === sameOriginal) return [];
    const relation = sameName === undefined ? "another name for the original" : "the name";
    return [`entry ${index}: ${shown} is ${relation} of entry ${sameName ?? sameOriginal}`];
  });
}

/** Number of problems in the message. */
const problemsMax = 10;

function problemsText(file: string, problems: readonly string[]): string {
  const lines = problems.slice(0, problemsMax).map((problem) => `${file}: ${problem}.`);
  const more = problems.length > problemsMax ? [`And ${problems.length - problemsMax} more.`] : [];
  return [...lines, ...more, "Fix them, or use a new file."].join("\n");
}

/** The text of a names file, one entry per line. It contains the original ids. */
export function namesText(names: readonly NamedOriginal[]): string {
  return `{"names":[\n${names.map((entry) => JSON.stringify(entry)).join(",\n")}\n]}\n`;
}
