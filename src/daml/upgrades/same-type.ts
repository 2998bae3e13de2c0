import type { LfType } from "../packages/lf-type.ts";
import { compareVersions } from "./compare-versions.ts";

/** The name and version of a package by its id; undefined for an unknown one. */
export type PackageNames = (id: string) => { readonly name: string; readonly version: string } | undefined;

/**
 * Whether a type is the same in an upgrade: its constructors have the same names, and are of packages of the same name in the
 * same or a later version. Type variables are compared by their positions in the parameters.
 */
export function isSameType(
  past: LfType,
  present: LfType,
  names: PackageNames,
  params: readonly [past: readonly string[], present: readonly string[]] = [[], []],
  same: WeakMap<LfType, LfType> = new WeakMap(),
): boolean {
  // Types share their parts: without this, a small archive would be compared for ever.
  if (same.get(past) === present) return true;
  const isSame = isSameForm(past, present, names, params, same);
  if (isSame) same.set(past, present);
  return isSame;
}

function isSameForm(
  past: LfType,
  present: LfType,
  names: PackageNames,
  params: readonly [past: readonly string[], present: readonly string[]],
  same: WeakMap<LfType, LfType>,
): boolean {
  const areArgsSame = (left: readonly LfType[], right: readonly LfType[]) =>
    left.length === right.length &&
    left.every((type, index) => {
      const other = right[index];
      return other !== undefined && isSameType(type, other, names, params, same);
    });
  if (past.type === "var" && present.type === "var")
    return params[0].indexOf(past.name) === params[1].indexOf(present.name) && areArgsSame(past.args, present.args);
  if (past.type === "nat" && present.type === "nat") return past.value === present.value;
  if (past.type === "builtin" && present.type === "builtin")
    return past.name === present.name && areArgsSame(past.args, present.args);
  if (past.type === "con" && present.type === "con")
    return isUpgradeOf(past.id, present.id, names) && areArgsSame(past.args, present.args);
  return false;
}

function isUpgradeOf(past: string, present: string, names: PackageNames): boolean {
  if (past === present) return true;
  const [pastPackage, presentPackage] = [past, present].map((id) => id.slice(0, id.indexOf(":")));
  if (past.slice(pastPackage?.length) !== present.slice(presentPackage?.length)) return false;
  const [before, after] = [names(pastPackage ?? ""), names(presentPackage ?? "")];
  return before !== undefined && before.name === after?.name && compareVersions(before.version, after.version) <= 0;
}
