import { Script } from "node:vm";

/** What a pattern of a Pact says of a text; `unknown` for one of another dialect, or that finds no end. */
export type PatternVerdict = "matches" | "differs" | "unknown";

/** How long one text may take: a pattern may try more ways than there are seconds. */
const timeoutMs = 200;

const script = new Script("new RegExp(pattern).test(text)");

/** Tries a pattern that somebody else wrote, in bounded time. */
export function tryPattern(pattern: string, text: string): PatternVerdict {
  try {
    return script.runInNewContext({ pattern, text }, { timeout: timeoutMs }) === true ? "matches" : "differs";
  } catch (error) {
    if (isOfPattern(error)) return "unknown";
    throw error;
  }
}

/** A SyntaxError of another context is no instance of ours. */
function isOfPattern(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  if ("code" in error) return error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
  return "name" in error && error.name === "SyntaxError";
}
