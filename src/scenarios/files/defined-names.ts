import { isJsonObject, type JsonObject } from "../../foundation/json/json.ts";
import { objectsOf, textOf } from "../../foundation/json/members.ts";
import { suggestion } from "../../foundation/text/suggestion.ts";
import { firstOf, type Problem, problemAt } from "./problem.ts";
import { type IsDefined, type NameKind, nameKinds, type Reference } from "./references.ts";
import type { SourceFile, ValuePath } from "./source-file.ts";

/** The names of each kind that fixtures define; a kind is undefined where no name of it can be checked. */
export type DefinedNames = { readonly [Kind in NameKind]: ReadonlySet<string> | undefined };

type List = keyof typeof lists;

/** The lists of fixtures, with the member that names an entry. */
const lists = {
  contracts: "name",
  holdings: "name",
  identityProviders: "id",
  instruments: "id",
  packages: "id",
  parties: "id",
  synchronizers: "id",
  users: "id",
} as const;

/** Lists that a fixture may leave out: then names are not checked, because the file does not describe these things. */
const optionalLists: readonly NameKind[] = ["instruments", "packageNames", "parties", "synchronizers"];

/**
 * The names in a list of a fixture; undefined if they are not known, because an entry has no name, or because the file has
 * other problems and lacks the list.
 */
export function namesOf(
  root: JsonObject,
  list: List,
  { member = lists[list], hasProblems }: { readonly member?: string; readonly hasProblems: boolean },
): ReadonlySet<string> | undefined {
  const entries = root[list];
  if (entries === undefined) return hasProblems ? undefined : new Set();
  if (!Array.isArray(entries)) return undefined;
  const names = new Set<string>();
  for (const entry of entries) {
    const name = isJsonObject(entry) ? entry[member] : undefined;
    if (typeof name !== "string") return undefined;
    names.add(name);
  }
  return names;
}

/** The names that a fixture defines. */
export function definedIn(root: JsonObject, hasProblems: boolean): DefinedNames {
  const names = (kind: NameKind, list: List, member?: string) =>
    root[list] === undefined && optionalLists.includes(kind)
      ? undefined
      : namesOf(root, list, { ...(member === undefined ? {} : { member }), hasProblems });
  return {
    contracts: names("contracts", "contracts"),
    holdings: names("holdings", "holdings"),
    identityProviders: names("identityProviders", "identityProviders"),
    instruments: names("instruments", "instruments"),
    packageNames: names("packageNames", "packages", "name"),
    packages: names("packages", "packages"),
    parties: names("parties", "parties"),
    synchronizers: names("synchronizers", "synchronizers"),
  };
}

/** Names of a kind that is not known count as defined. */
export function isDefinedIn(names: Partial<DefinedNames>): IsDefined {
  return (kind, name) => names[kind]?.has(name) ?? true;
}

/**
 * For names in another file than the list. A registry may know parties and synchronizers that the ledger does not: such an id
 * counts as defined unless it resembles one of the list, or has the fingerprint of a synchronizer in the list.
 */
export function isDefinedOrForeign(names: Partial<DefinedNames>): IsDefined {
  const isDefined = isDefinedIn(names);
  const fingerprints = new Set([...(names.synchronizers ?? [])].map(fingerprintOf));
  return (kind, name) =>
    isDefined(kind, name) ||
    !(
      (kind === "synchronizers" && fingerprints.has(fingerprintOf(name))) ||
      nearestId(name, names[kind] ?? new Set()) !== undefined
    );
}

function fingerprintOf(id: string): string {
  return id.split("::")[1] ?? "";
}

/** The names of a kind that several fixtures define together; undefined if those of one are not known. */
export function together(all: readonly DefinedNames[], kind: NameKind): ReadonlySet<string> | undefined {
  return all
    .map((names) => names[kind])
    .reduce((left, right) => (left === undefined || right === undefined ? undefined : left.union(right)));
}

/** The problems of names that nothing defines. `path` is that of the value in which the references were found. */
export function danglingProblems(
  source: SourceFile,
  references: readonly Reference[],
  names: Partial<DefinedNames>,
  path: ValuePath = [],
): readonly Problem[] {
  return firstOf(references, ({ kind, name, path: inner }) => {
    const at = [...path, ...inner];
    const problem = `${at.join(".")} names the ${nameKinds[kind]} ${JSON.stringify(name)}, which does not exist`;
    const near = nearestId(name, names[kind] ?? new Set());
    const advice = [...(near === undefined ? [] : [`Did you mean ${JSON.stringify(near)}?`]), otherwise(kind, near)];
    return problemAt(source, at, problem, advice.join(" ").trim());
  });
}

/** The nearest known name. Of an id, the part before the fingerprint or the fingerprint may differ. */
function nearestId(name: string, known: ReadonlySet<string>): string | undefined {
  const [first = "", rest] = name.split("::");
  const ids = [...known].map((id) => id.split("::"));
  const near = suggestion(
    first,
    ids.flatMap(([one = "", other]) => (rest === undefined || other === rest ? [one] : [])),
  );
  if (near !== undefined) return ids.find(([one, other]) => one === near && (rest ?? other) === other)?.join("::");
  const other = suggestion(
    rest ?? "",
    ids.flatMap(([one, fingerprint = ""]) => (one === first ? [fingerprint] : [])),
  );
  return other === undefined ? undefined : `${first}::${other}`;
}

/** What to do if the name is meant. */
function otherwise(kind: NameKind, near: string | undefined): string {
  if (kind === "parties") return "A party that does not exist at the start is declared with hostedBy: [].";
  if (near !== undefined) return "";
  if (kind === "packageNames") return "Add the package under packages, or correct the name.";
  const without = kind === "contracts" ? " Leave the name out for a 404." : "";
  return `Add it under ${kind}, or correct the name.${without}`;
}

/** The parties that a plan allocates. */
export function allocatedIn(extension: JsonObject): readonly string[] {
  return objectsOf(extension["plan"]).map((entry) => textOf(entry["allocateParty"]));
}
