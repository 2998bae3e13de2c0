import { printable } from "../../foundation/text/printable.ts";

/** A terminal line with the progress of long work. */
interface Progress {
  show(text: string): void;
  erase(): void;
}

/** The members of a stream that a progress line uses. */
interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const intervalMs = 100;
const columnsDefault = 80;
const eraseLine = "\r\u001b[2K";

/** Creates a progress line that is updated at most ten times a second. On a stream that is not a terminal it shows nothing. */
export function createProgress(stream: ProgressStream, nowMs: () => number): Progress {
  let shownAt = Number.NEGATIVE_INFINITY;
  let isShown = false;
  return {
    show(text) {
      if (stream.isTTY !== true || nowMs() - shownAt < intervalMs) return;
      shownAt = nowMs();
      isShown = true;
      // A terminal of unknown width reports 0 columns.
      stream.write(eraseLine + printable(text).slice(0, (stream.columns || columnsDefault) - 1));
    },
    erase() {
      if (isShown) stream.write(eraseLine);
      isShown = false;
    },
  };
}
