import { createContext, Script } from "node:vm";

/** Limit of one pattern or path that comes from a file: it may backtrack without end. */
export const patternTimeoutMs = 2000;

const script = new Script("run()");
// State of the module: a context takes longer to create than a pattern to match. Each call sets `run` before it reads it.
const context = createContext({ run: undefined });

/**
 * Runs a synchronous function without side effects. Gives "timed-out" if it takes longer than `patternTimeoutMs`: it is
 * stopped where it is. Throws what the function throws.
 */
export function withinTime<T>(run: () => T): { readonly value: T } | "timed-out" {
  let result: { readonly value: T } | "timed-out" = "timed-out";
  context["run"] = () => {
    result = { value: run() };
  };
  try {
    script.runInContext(context, { timeout: patternTimeoutMs });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return "timed-out";
  }
  return result;
}

function isTimeout(error: unknown): boolean {
  return (
    typeof error === "object" && error !== null && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
  );
}
