import { type Document, isAlias, isCollection, isPair, isScalar, type Node, visit } from "yaml";
import { fileLimits } from "../file-limits.ts";
import { isMerge, mergedMaps } from "./merge-keys.ts";

import type { YamlError } from "./yaml-problem.ts";

/** The size of a value with the values of its aliases. */
interface Size {
  readonly values: number;
  /** Objects and lists around the innermost value. */
  readonly depth: number;
}

/** Errors of aliases and of merge keys. Their values are counted before any alias is resolved. */
export function aliasErrors(document: Document): readonly YamlError[] {
  const errors: YamlError[] = [];
  const anchored = new Map<string, Node>();
  const known = new Map<unknown, Size>();
  let repeated = 0;
  const resolve = (value: unknown) => (isAlias(value) ? anchored.get(value.source) : value);
  visit(document, {
    Pair: (_, pair) => {
      const isAbsent = isAlias(pair.value) && !anchored.has(pair.value.source);
      if (!isMerge(pair) || isAbsent || mergedMaps(pair, resolve) !== undefined) return;
      const at = (isScalar(pair.key) ? pair.key.range?.[0] : undefined) ?? 0;
      errors.push({ code: "BAD_ALIAS", pos: [at, at], message: "no object to merge" });
    },
    Node: (_, node, around) => {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchored.set(node.anchor, node);
        return undefined;
      }
      const value = anchored.get(node.source);
      const size = value === undefined || around.includes(value) ? none : sizeOf(value, known);
      known.set(node, size);
      repeated += size.values;
      const depth = around.filter(isCollection).length + size.depth;
      const message = value === undefined ? "no anchor" : size === none ? "endless" : excess(repeated, depth);
      const at = node.range?.[0] ?? 0;
      if (message !== undefined) errors.push({ code: "BAD_ALIAS", pos: [at, at], message });
      return repeated > fileLimits.aliasValuesMax ? visit.BREAK : undefined;
    },
  });
  return errors;
}

const none: Size = { values: 0, depth: 0 };

function excess(repeated: number, depth: number): string | undefined {
  if (depth > fileLimits.fileNestingMax) return "too deep";
  return repeated > fileLimits.aliasValuesMax ? "too many" : undefined;
}

/** The size of a value. Nested aliases are known, since each is behind its anchor. */
function sizeOf(node: unknown, known: Map<unknown, Size>): Size {
  const found = known.get(node);
  if (found !== undefined) return found;
  if (isPair(node)) return sum([node.key, node.value], known);
  if (!isCollection(node)) return { values: 1, depth: 0 };
  const { values, depth } = sum(node.items, known);
  const size = { values: values + 1, depth: depth + 1 };
  known.set(node, size);
  return size;
}

function sum(nodes: readonly unknown[], known: Map<unknown, Size>): Size {
  let [values, depth] = [0, 0];
  for (const node of nodes) {
    const size = sizeOf(node, known);
    values += size.values;
    depth = Math.max(depth, size.depth);
  }
  return { values, depth };
}
