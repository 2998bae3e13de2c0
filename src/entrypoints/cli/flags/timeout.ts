import { UserError } from "../../programs/user-error.ts";
import { type Flag, type Options, textFlag } from "../options.ts";

/** The flag `--timeout`; `help` says what it limits, and its default. */
export function timeoutFlag(help: string): Flag {
  return textFlag("timeout", "SECONDS", help);
}

/** The value of `--timeout` in milliseconds. Throws a UserError where it is out of range. */
export function timeoutMsOf(options: Options, secondsDefault = 30): number {
  const text = options.text("timeout") ?? String(secondsDefault);
  const seconds = Number(text);
  if (!(seconds > 0 && seconds <= 3600)) {
    const problem = Number.isNaN(seconds) ? "not a number" : "out of range";
    throw new UserError(`--timeout ${text}: ${problem}. Use more than 0 seconds, and at most 3600.`);
  }
  return seconds * 1000;
}
