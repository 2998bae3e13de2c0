/** A replacement of a part of a text. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** Applies edits. Of two overlapping ones the first wins; with the same start the longer one. */
export function applied(text: string, edits: readonly Edit[]): string {
  const ordered = edits.toSorted((left, right) => left.start - right.start || right.end - left.end);
  let [edited, copied] = ["", 0];
  for (const { start, end, replacement } of ordered) {
    if (start < copied) continue;
    edited += text.slice(copied, start) + replacement;
    copied = end;
  }
  return copied === 0 ? text : edited + text.slice(copied);
}
