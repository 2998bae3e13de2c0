import { Script } from "node:vm";

/** Result of a pattern of a Pact on a text. `unknown`: the pattern is invalid in JavaScript, or ran out of time. */
export type PatternVerdict = "matches" | "differs" | "unknown";

/** Time limit of one match, because a pattern can backtrack without end. */
const timeoutMs = 200;

const script = new Script("new RegExp(pattern).test(text)");

/** Matches a pattern from a third party, in bounded time. */
export function tryPattern(pattern: string, text: string): PatternVerdict {
  try {
    return script.runInNewContext({ pattern, text }, { timeout: timeoutMs }) === true ? "matches" : "differs";
  } catch (error) {
    if (isOfPattern(error)) return "unknown";
    throw error;
  }
}

/** Whether an error comes from the pattern. A SyntaxError of another context is not an instance of this one's class. */
function isOfPattern(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  if ("code" in error) return error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
  return "name" in error && error.name === "SyntaxError";
}
