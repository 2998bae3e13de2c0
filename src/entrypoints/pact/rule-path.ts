import type { ValuePath } from "../../scenarios/files/source-file.ts";

const step = /\.\*|\.([^.[\]]+)|\[\*\]|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;

/** Parses the subset of JSONPath that matching rules use, with `*` for a wildcard; undefined for other text. */
export function parseRulePath(text: string): ValuePath | undefined {
  if (!text.startsWith("$")) return undefined;
  const steps: (string | number)[] = [];
  step.lastIndex = 1;
  while (step.lastIndex < text.length) {
    const match = step.exec(text);
    if (match === null) return undefined;
    const [, plain, index, single, double] = match;
    const quoted = (single ?? double)?.replaceAll(/\\(.)/g, "$1");
    steps.push(index === undefined ? (plain ?? quoted ?? "*") : Number(index));
  }
  return steps;
}

/** Formats the path of a value as a path of a matching rule. */
export function formatRulePath(path: ValuePath): string {
  const parts = path.map((part) => {
    if (typeof part === "number") return `[${part}]`;
    return /^[A-Za-z_]\w*$/.test(part) ? `.${part}` : `['${part.replaceAll(/['\\]/g, "\\$&")}']`;
  });
  return `$${parts.join("")}`;
}

/**
 * Weight of a rule's path for a value, or for a value above it; undefined if it matches neither. As in Pact, an exact step
 * weighs more than a wildcard, and a longer path more than a shorter one.
 */
export function weightOf(steps: ValuePath, path: ValuePath): number | undefined {
  const isMatch = steps.every((part, place) => place < path.length && (part === "*" || part === path[place]));
  return isMatch ? steps.length + steps.filter((part) => part !== "*").length : undefined;
}
