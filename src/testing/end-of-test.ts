import type { JournalEntry } from "../journal/journal-entry.ts";
import { timelineLine } from "./timeline.ts";

/** What may fail a test when it has ended well. */
export interface EndOfTestSettings {
  /** Whether a request that the stub did not expect fails the test: a path that there is not, or what no scenario plans. */
  readonly onUnexpected?: "fail" | "ignore";
}

/** What a test did wrong though it ended well, as a text for its failure; undefined where there is nothing. */
export function problemsAtEnd(
  journal: readonly JournalEntry[],
  { onUnexpected = "fail" }: EndOfTestSettings,
): string | undefined {
  const unexpected = onUnexpected === "fail" ? unexpectedLines(journal) : [];
  return unexpected.length === 0 ? undefined : unexpected.join("\n");
}

function unexpectedLines(journal: readonly JournalEntry[]): readonly string[] {
  const lines = journal.flatMap((entry, index) =>
    entry.unexpected === undefined ? [] : [timelineLine(entry, index + 1)],
  );
  if (lines.length === 0) return [];
  return [
    `The test sent ${lines.length === 1 ? "a request" : `${lines.length} requests`} that nobody expected:`,
    ...lines,
  ];
}
