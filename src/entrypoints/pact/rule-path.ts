/** A step of a matching rule's path: a member, an index, or a wildcard. */
export type PathToken =
  | { readonly type: "member"; readonly name: string }
  | { readonly type: "index"; readonly index: number }
  | { readonly type: "any-member" }
  | { readonly type: "any-index" };

/** Path of a value: members by name, elements by index. */
export type ValuePath = readonly (string | number)[];

const token = /\.\*|\.([^.[\]]+)|\[\*\]|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;

/** Parses the subset of JSONPath that matching rules use; undefined for other text. */
export function parseRulePath(text: string): readonly PathToken[] | undefined {
  if (!text.startsWith("$")) return undefined;
  const tokens: PathToken[] = [];
  token.lastIndex = 1;
  while (token.lastIndex < text.length) {
    const match = token.exec(text);
    if (match === null) return undefined;
    tokens.push(tokenOf(match));
  }
  return tokens;
}

function tokenOf([whole, plain, index, single, double]: RegExpExecArray): PathToken {
  if (whole === ".*") return { type: "any-member" };
  if (whole === "[*]") return { type: "any-index" };
  if (index !== undefined) return { type: "index", index: Number(index) };
  return { type: "member", name: plain ?? (single ?? double ?? "").replaceAll(/\\(.)/g, "$1") };
}

/** Formats the path of a value as a path of a matching rule. */
export function formatRulePath(path: readonly (string | number | "*")[]): string {
  const parts = path.map((part) => {
    if (typeof part === "number") return `[${part}]`;
    if (part === "*") return "[*]";
    return /^[A-Za-z_]\w*$/.test(part) ? `.${part}` : `['${part.replaceAll(/['\\]/g, "\\$&")}']`;
  });
  return `$${parts.join("")}`;
}

/**
 * Weight of a rule's path for a value, as Pact computes it; 0 if the path does not match. A path also matches values below
 * it. An exact step weighs more than a wildcard, and a longer path more than a shorter one.
 */
export function weightOf(tokens: readonly PathToken[], path: ValuePath): number {
  if (tokens.length > path.length) return 0;
  let weight = 2;
  for (const [place, step] of tokens.entries()) {
    const stepWeight = weightOfStep(step, path[place] ?? "");
    if (stepWeight === 0) return 0;
    weight *= stepWeight;
  }
  return weight * (tokens.length + 1);
}

function weightOfStep(step: PathToken, part: string | number): number {
  switch (step.type) {
    case "member":
      return step.name === part ? 2 : 0;
    case "index":
      return step.index === part ? 2 : 0;
    case "any-member":
      return typeof part === "string" ? 1 : 0;
    case "any-index":
      return typeof part === "number" ? 1 : 0;
  }
}
