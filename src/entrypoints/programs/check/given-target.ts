import { isJsonObject, type JsonObject, jsonOf } from "../../../foundation/json/json.ts";
import { objectOf } from "../../../foundation/json/members.ts";
import type { ProgramCaller } from "../caller.ts";
import { namedFile } from "../files/named-file.ts";
import { UserError } from "../user-error.ts";
import { checkedMembers, type GivenTarget, placeOfSource, sourceOfTarget } from "./target.ts";

/** The target of a check as options give it. Its file, or its members, are read. */
export function givenTarget(
  {
    ledger,
    registry,
    token,
    target = {},
  }: Pick<GivenTarget, "ledger" | "registry" | "token"> & { readonly target?: string | object },
  caller: ProgramCaller,
): GivenTarget {
  const own = { ledger, registry, token };
  if (typeof target === "object") return { ...own, root: membersOf(target, caller.nameOf("target")), place: undefined };
  const file = sourceOfTarget(namedFile(target, caller), undefined, caller);
  return { ...own, root: objectOf(file.source.value), file, place: placeOfSource(file.source) };
}

function membersOf(target: object, name: string): JsonObject {
  const members = jsonIn(target);
  if (!isJsonObject(members))
    throw new UserError(`${name} is not JSON. Use members of a target file, such as { user: "bob" }.`);
  return Object.keys(members).length === 0 ? members : checkedMembers(members, name);
}

/** The JSON of a value; undefined for a value that refers to itself, or has no JSON. */
function jsonIn(value: object): ReturnType<typeof jsonOf> {
  try {
    return jsonOf(JSON.stringify(value));
  } catch {
    return undefined;
  }
}
