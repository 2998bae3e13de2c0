import { editJson } from "../../foundation/json/edit-json.ts";
import type { NamePath } from "./name-kinds.ts";

/** Callbacks for texts and member names. */
interface Rewriting {
  text(text: string, path: NamePath): string;
  member(name: string): string;
}

/** Rewrites texts and member names in a JSON text; everything else stays unchanged. The text must be JSON. */
export function rewriteJson(text: string, rewriting: Rewriting): string {
  /** The objects and lists around a value, each with its segment in the path of that value. */
  const around: { readonly isList: boolean; readonly path: NamePath }[] = [];
  const pathOf = (member: string): NamePath => {
    const outer = around.at(-1);
    return outer === undefined ? [] : [...outer.path, outer.isList ? "*" : member];
  };
  return editJson(text, {
    key: (name) => rewriting.member(name),
    text: (value, { member }) => rewriting.text(value, pathOf(member)),
    number: (digits) => digits,
    stray: (stray) => stray,
    hides: () => false,
    enter: ({ member }, isList) => around.push({ isList, path: pathOf(member) }),
    leave: () => around.pop(),
  });
}
