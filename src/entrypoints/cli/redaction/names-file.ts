import { isJsonObject, type Json, jsonOf } from "../../../foundation/json/json.ts";
import { nameProblem } from "../../../recordings/redaction/name-syntax.ts";
import { isNameKind, type NamedOriginal } from "../../../recordings/redaction/pseudonyms.ts";
import { diskFiles } from "../../library/files.ts";
import type { NamedFile } from "../files/named-file.ts";
import { UserError } from "../user-error.ts";

/** What an earlier recording was redacted with; nothing where there is no such file yet. Throws a UserError with all problems. */
export function readNames(file: NamedFile | undefined): readonly NamedOriginal[] {
  const text = file === undefined ? undefined : diskFiles.read(file.path);
  if (file === undefined || text === undefined) return [];
  const value = jsonOf(text);
  const entries = isJsonObject(value) ? value["names"] : undefined;
  if (!Array.isArray(entries))
    throw new UserError(
      `${file.name} is no file of names. Name a file that redact --names wrote, or one that is not there yet.`,
    );
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

/** Every entry that is none, whose name has another syntax than its kind, or that contradicts an earlier one. */
function problemsIn(names: readonly (NamedOriginal | undefined)[]): readonly string[] {
  const byName = new Map<string, number>();
  const byOriginal = new Map<string, number>();
  return names.flatMap((entry, index) => {
    if (entry === undefined) return [`entry ${index} has no known kind, no original or no name`];
    const { kind, original, name } = entry;
    const problem = nameProblem(entry);
    if (problem !== undefined) return [`entry ${index}: ${JSON.stringify(name)} ${problem}`];
    const key = `${kind} ${original}`;
    const [sameName, sameOriginal] = [byName.get(name), byOriginal.get(key)];
    byName.set(name, sameName ?? index);
    byOriginal.set(key, sameOriginal ?? index);
    if (sameName === undefined && sameOriginal === undefined) return [];
    if (sameName === sameOriginal) return [];
    const what = sameName === undefined ? "another name for the original" : "the name";
    return [`entry ${index}: ${JSON.stringify(name)} is ${what} of entry ${sameName ?? sameOriginal}`];
  });
}

/** Problems that are told. */
const problemsMax = 10;

function problemsText(file: string, problems: readonly string[]): string {
  const told = problems.slice(0, problemsMax).map((problem) => `${file}: ${problem}.`);
  const more = problems.length > problemsMax ? [`And ${problems.length - problemsMax} more.`] : [];
  return [...told, ...more, "Mend them, or name a file that is not there yet."].join("\n");
}

/** The text of a file of names, one a line. It shows what the recording hides. */
export function namesText(names: readonly NamedOriginal[]): string {
  return `{"names":[\n${names.map((entry) => JSON.stringify(entry)).join(",\n")}\n]}\n`;
}
