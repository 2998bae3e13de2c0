import ts from "typescript";
import type { Source } from "./_sources.ts";

/** A sentence or a part of one: a comment, or the text of a string, a template or JSX. */
export interface Prose {
  /** From 1. */
  readonly line: number;
  /** On one line, without what stands between backticks. */
  readonly text: string;
}

/** The comments of a source, and those of its texts that people read: the ones with a blank between two words. */
export function proseOf({ text, tree }: Source): readonly Prose[] {
  const found: Prose[] = [];
  const add = (from: number, written: string) =>
    found.push({ line: tree.getLineAndCharacterOfPosition(from).line + 1, text: plain(written) });
  for (const { pos, end } of commentsOf(tree))
    add(pos, text.slice(pos, end).replaceAll(/^\s*(?:\/?\*+\/?|\/\/)/gm, ""));
  const walk = (node: ts.Node): void => {
    const written = textOf(node);
    if (written !== undefined && /\p{L},? \p{L}/u.test(written)) add(node.getStart(tree), written);
    ts.forEachChild(node, walk);
  };
  walk(tree);
  return found;
}

/** The text of a node, with `…` for what a template inserts. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return [node.head, ...node.templateSpans.map(({ literal }) => literal)].map((part) => part.text).join("…");
}

/** The comments before and after tokens, each once. */
function commentsOf(tree: ts.SourceFile): readonly ts.CommentRange[] {
  const byPlace = new Map<number, ts.CommentRange>();
  const walk = (node: ts.Node): void => {
    if (ts.isJsxText(node)) return;
    if (node.getChildCount(tree) === 0) {
      const around = [
        ...(ts.getLeadingCommentRanges(tree.text, node.getFullStart()) ?? []),
        ...(ts.getTrailingCommentRanges(tree.text, node.end) ?? []),
      ];
      for (const range of around) byPlace.set(range.pos, range);
    }
    for (const child of node.getChildren(tree)) walk(child);
  };
  walk(tree);
  return [...byPlace.values()];
}

function plain(written: string): string {
  return written
    .replaceAll(/`[^`]*`/g, "`…`")
    .replaceAll(/\s+/g, " ")
    .trim();
}
