import { isJsonObject, type Json, jsonOf } from "../http/json.ts";
import { diskFiles } from "../library/files.ts";
import { isNameKind, type NamedOriginal } from "../scrubbing/names.ts";
import { UserError } from "./user-error.ts";

/** What an earlier recording was scrubbed with; nothing where there is no such file yet. */
export function readNames(file: string | undefined): readonly NamedOriginal[] {
  const text = file === undefined ? undefined : diskFiles.read(file);
  if (file === undefined || text === undefined) return [];
  const value = jsonOf(text);
  const entries = isJsonObject(value) ? value["names"] : undefined;
  const names = Array.isArray(entries) ? entries.map(namedOf) : [];
  const whole = names.filter((entry) => entry !== undefined);
  if (!Array.isArray(entries) || whole.length < names.length)
    throw new UserError(
      `${file} is no file of names. Name a file that scrub --names wrote, or one that is not there yet.`,
    );
  return whole;
}

function namedOf(value: Json): NamedOriginal | undefined {
  if (!isJsonObject(value)) return undefined;
  const { kind, original, name } = value;
  if (typeof original !== "string" || typeof name !== "string" || !isNameKind(kind)) return undefined;
  return kind === "offset" && !/^-?\d+$/.test(name) ? undefined : { kind, original, name };
}

/** The text of a file of names, one a line. It shows what the recording hides. */
export function namesText(names: readonly NamedOriginal[]): string {
  return `{"names":[\n${names.map((entry) => JSON.stringify(entry)).join(",\n")}\n]}\n`;
}
