import { withinTime } from "../../foundation/text/within-time.ts";

/** Result of a pattern of a Pact on a text. `unknown`: the pattern is invalid in JavaScript, or ran out of time. */
type PatternVerdict = "matches" | "differs" | "unknown";

/** Matches a pattern from a third party, in bounded time. */
export function tryPattern(pattern: string, text: string): PatternVerdict {
  try {
    const tried = withinTime(() => new RegExp(pattern).test(text));
    if (tried === "timed-out") return "unknown";
    return tried.value ? "matches" : "differs";
  } catch (error) {
    if (error instanceof SyntaxError) return "unknown";
    throw error;
  }
}
