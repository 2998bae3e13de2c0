import type { Json } from "../../src/foundation/json/json.ts";
import { formatJson } from "../../src/foundation/json/json.ts";
import { below, garbage, isDrawn, oneOf, type Random } from "./_draw.ts";
import { hostileNames, hostileValue } from "./_hostile.ts";
import { crowdedText } from "./_near-limits.ts";

type Tree = null | boolean | number | bigint | string | Tree[] | { [member: string]: Tree };

/** The place of a value that can be replaced. */
type Slot =
  | { readonly type: "root"; readonly value: Tree }
  | { readonly type: "member"; readonly of: { [member: string]: Tree }; readonly name: string; readonly value: Tree }
  | { readonly type: "element"; readonly of: Tree[]; readonly index: number; readonly value: Tree };

/** Texts that stand in a tree for what no value of JavaScript is, such as a number of 30 digits or a second member of that name. */
interface Marks {
  readonly texts: string[];
}

const mutationsMax = 4;

/** The text of a JSON value after one to four mutations that know what JSON is made of. */
export function mutatedJson(value: Json, random: Random): string {
  const marks: Marks = { texts: [] };
  let tree = treeOf(value);
  for (let count = 1 + below(random, mutationsMax); count > 0; count -= 1) tree = mutated(tree, marks, random);
  return textOf(tree, marks);
}

/** The text of a JSON value with the value at one of its numbers replaced; undefined where it has none. */
export function withNumber(value: Json, text: string, random: Random): string | undefined {
  const marks: Marks = { texts: [] };
  const tree = treeOf(value);
  const numbers = slotsIn(tree).filter((slot) => typeof slot.value === "number" && slot.type !== "root");
  if (numbers.length === 0) return undefined;
  put(tree, oneOf(random, numbers), mark(text, marks));
  return textOf(tree, marks);
}

/** The text of a JSON value with one value in it as large as a limit of a body allows, or as the body. */
export function crowdedJson(value: Json, random: Random): string {
  const marks: Marks = { texts: [] };
  const tree = treeOf(value);
  const slot = oneOf(random, slotsIn(tree));
  return textOf(put(tree, slot, mark(crowdedText(slot.value, random), marks)), marks);
}

function mutated(tree: Tree, marks: Marks, random: Random): Tree {
  const slots = slotsIn(tree);
  const slot = oneOf(random, slots);
  switch (below(random, 8)) {
    case 0:
      return without(tree, slot);
    case 1:
    case 2:
      return put(tree, slot, mark(hostileValue(random), marks));
    case 3:
      return renamed(tree, slot, random);
    case 4:
      return twice(tree, slot, marks, random);
    case 5:
      return put(tree, slot, structuredClone(oneOf(random, slots).value));
    case 6:
      return put(tree, slot, retyped(slot.value, random));
    default:
      return typeof slot.value === "string"
        ? put(tree, slot, tweaked(slot.value, random))
        : put(
            tree,
            slot,
            isDrawn(random, 0.5) ? [structuredClone(slot.value)] : { value: structuredClone(slot.value) },
          );
  }
}

function treeOf(value: Json): Tree {
  if (Array.isArray(value)) return value.map(treeOf);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, treeOf(inner)]));
}

function slotsIn(tree: Tree): readonly Slot[] {
  const slots: Slot[] = [{ type: "root", value: tree }];
  const visit = (value: Tree): void => {
    if (typeof value !== "object" || value === null) return;
    if (Array.isArray(value))
      for (const [index, inner] of value.entries()) {
        slots.push({ type: "element", of: value, index, value: inner });
        visit(inner);
      }
    else
      for (const [name, inner] of Object.entries(value)) {
        slots.push({ type: "member", of: value, name, value: inner });
        visit(inner);
      }
  };
  visit(tree);
  return slots;
}

/** The tree with another value in that place; only a new root is another tree. */
function put(tree: Tree, slot: Slot, value: Tree): Tree {
  if (slot.type === "root") return value;
  if (slot.type === "member") slot.of[slot.name] = value;
  else slot.of[slot.index] = value;
  return tree;
}

function without(tree: Tree, slot: Slot): Tree {
  if (slot.type === "member") delete slot.of[slot.name];
  if (slot.type === "element") slot.of.splice(slot.index, 1);
  return slot.type === "root" ? null : tree;
}

function renamed(tree: Tree, slot: Slot, random: Random): Tree {
  if (slot.type !== "member") return tree;
  delete slot.of[slot.name];
  const name = isDrawn(random, 0.5) ? oneOf(random, hostileNames) : tweaked(slot.name, random);
  slot.of[`@name:${name}@`] = slot.value;
  return tree;
}

/** A member or an element that is there twice: the second time as it is, or as something else. */
function twice(tree: Tree, slot: Slot, marks: Marks, random: Random): Tree {
  const value = isDrawn(random, 0.5) ? structuredClone(slot.value) : mark(hostileValue(random), marks);
  if (slot.type === "member") slot.of[`@name:${slot.name}@`] = value;
  if (slot.type === "element") slot.of.splice(slot.index, 0, value);
  return tree;
}

function retyped(value: Tree, random: Random): Tree {
  switch (typeof value) {
    case "string":
      return isDrawn(random, 0.5) ? Number(value) || 0 : [value];
    case "number":
    case "bigint":
    case "boolean":
      return String(value);
    default:
      return isDrawn(random, 0.5) ? "" : 0;
  }
}

function tweaked(text: string, random: Random): string {
  const at = below(random, text.length + 1);
  switch (below(random, 6)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(at);
    case 2:
      return `${text.slice(0, at)}${garbage(random, 6)}${text.slice(at)}`;
    case 3:
      return `${text.slice(0, at)}${text.slice(at + 1)}`;
    case 4:
      return text.toUpperCase();
    default:
      return text + text;
  }
}

function mark(text: string, marks: Marks): Tree {
  marks.texts.push(text);
  return `@mark:${marks.texts.length - 1}@`;
}

function textOf(tree: Tree, { texts }: Marks): string {
  return formatJson(tree)
    .replaceAll(/"@mark:(\d+)@"(?!:)/g, (_, index: string) => texts[Number(index)] ?? "")
    .replaceAll(/"(?:@name:)+(.*?)@+":/g, (_, name: string) => `"${name.replaceAll("@name:", "")}":`);
}
