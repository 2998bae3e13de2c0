import { printable } from "../../foundation/text/printable.ts";

/** A line that says where long work stands. */
export interface Progress {
  show(text: string): void;
  erase(): void;
}

/** What of a stream a progress line needs. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const intervalMs = 100;
const columnsDefault = 80;
const eraseLine = "\r\u001b[2K";

/** Shows the text in place of the one before, at most ten times a second, and nothing where nobody is looking. */
export function createProgress(stream: ProgressStream, nowMs: () => number): Progress {
  let shownAt = Number.NEGATIVE_INFINITY;
  let isShown = false;
  return {
    show(text) {
      if (stream.isTTY !== true || nowMs() - shownAt < intervalMs) return;
      shownAt = nowMs();
      isShown = true;
      // A terminal that tells no width tells 0 columns.
      stream.write(eraseLine + printable(text).slice(0, (stream.columns || columnsDefault) - 1));
    },
    erase() {
      if (isShown) stream.write(eraseLine);
      isShown = false;
    },
  };
}
