import type { Json, JsonObject } from "../../foundation/json/json.ts";
import { textOf } from "../../foundation/json/members.ts";
import { descriptionOf, isIdentifier } from "../../foundation/spec/identifiers.ts";
import { type Problem, problemAt } from "./problem.ts";
import type { SourceFile } from "./source-file.ts";

// Readers for values that match their schema. A member of another type counts as absent.

export function string(value: Json | undefined, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}

export function number(value: Json | undefined, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}

export function boolean(value: Json | undefined, otherwise: boolean): boolean {
  return typeof value === "boolean" ? value : otherwise;
}

/** The problems of all entries. Allocates nothing for entries without problems. */
export function problemsIn<Entry>(
  entries: readonly Entry[],
  problemsOf: (entry: Entry, index: number) => readonly Problem[],
): readonly Problem[] {
  const problems: Problem[] = [];
  entries.forEach((entry, index) => {
    for (const found of problemsOf(entry, index)) problems.push(found);
  });
  return problems;
}

export const noProblems: readonly Problem[] = [];

/** A problem unless the text has the named syntax. */
export function checkIdentifier(
  source: SourceFile,
  syntax: string,
  text: string,
  path: readonly (string | number)[],
): readonly Problem[] {
  if (isIdentifier(syntax, text)) return [];
  const kind = syntax.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const problem = `${path.join(".")} is ${JSON.stringify(text)}, which is not a valid ${kind}`;
  return [problemAt(source, path, problem, descriptionOf(syntax))];
}

/** A problem for each duplicate id in a list. */
export function checkUnique(
  source: SourceFile,
  list: string,
  member: string,
  entries: readonly JsonObject[],
): readonly Problem[] {
  const seen = new Set<string>();
  return problemsIn(entries, (entry, index) => {
    const id = textOf(entry[member]);
    const isKnown = seen.has(id);
    seen.add(id);
    if (!isKnown || entry[member] === undefined) return noProblems;
    const problem = `${list}.${index}.${member} ${JSON.stringify(id)} is a duplicate`;
    return [problemAt(source, [list, index, member], problem, "Remove or rename one of the two.")];
  });
}
