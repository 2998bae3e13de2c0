import { objectOf } from "../../foundation/json/members.ts";
import { checkSchema } from "./check-schema.ts";
import { danglingProblems, definedIn, isDefinedIn } from "./defined-names.ts";
import { type FileReader, readSource } from "./file-reader.ts";
import { checkLedgerFixture } from "./ledger-fixture.ts";
import { inOrder, type Problem, problemAt, problemsMax, withoutFollowing } from "./problem.ts";
import { danglingInLedger, danglingInRegistry } from "./references.ts";
import { checkRegistryFixture } from "./registry-fixture.ts";
import type { SourceFile } from "./source-file.ts";

export type FixtureKind = "ledger" | "registry";

/** A fixture and its problems, those of its references to other files excluded. */
export interface Fixture {
  /** Undefined if the file is not readable. */
  readonly source: SourceFile | undefined;
  readonly problems: readonly Problem[];
}

/** Reads and checks a fixture. */
export function readFixture(kind: FixtureKind, file: string, files: FileReader): Fixture {
  const read = readSource(file, files);
  if (read.type === "invalid") return { source: undefined, problems: read.problems };
  const actual = fixtureKindOf(read.source) ?? kind;
  if (actual === kind) return checkFixture(kind, read.source);
  const problem = `the file is a ${actual} fixture, not a ${kind} fixture`;
  return { source: undefined, problems: [problemAt(read.source, [], problem, `Name it under given.${actual}.`)] };
}

/** Checks a fixture: its shape, its values, and its references to its own lists. Returns the problems of all three. */
export function checkFixture(kind: FixtureKind, source: SourceFile): Fixture {
  if (source.isChecked === true) return { source, problems: [] };
  const root = objectOf(source.value);
  const shape = checkSchema(kind, source);
  if (shape.length > problemsMax) return { source, problems: shape };
  const values = kind === "ledger" ? checkLedgerFixture(source) : checkRegistryFixture(source);
  const found = withoutFollowing(shape, values);
  const names = definedIn(root, shape.length > 0);
  const dangling = (kind === "ledger" ? danglingInLedger : danglingInRegistry)(root, isDefinedIn(names));
  return { source, problems: inOrder(withoutFollowing(found, danglingProblems(source, dangling, names))) };
}

/** The kind of a fixture, recognized by members that only this kind has; undefined for another file. */
export function fixtureKindOf({ value }: SourceFile): FixtureKind | undefined {
  const has = (member: string) => objectOf(value)[member] !== undefined;
  if (has("arazzo") || has("workflows")) return undefined;
  if (has("participantId") || has("users") || has("synchronizers")) return "ledger";
  return has("admin") || has("factory") ? "registry" : undefined;
}
