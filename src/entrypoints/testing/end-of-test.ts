import { type EndOfTest, type EndOfTestOptions, endOptionsOf, textOf } from "../../stub/control/end-of-test.ts";
import type { StartOptions } from "../library/understudy-options.ts";

/** Options of the stub of a test, and of the checks at the end of the test. */
export type UnderstudyTestOptions = StartOptions & EndOfTestOptions;

/** Splits options into those of the stub and those of the end of a test. Throws RangeError for an invalid one. */
export function splitOptions(options: UnderstudyTestOptions): {
  readonly stubOptions: StartOptions;
  readonly endOptions: Required<EndOfTestOptions>;
} {
  const { onUnexpected, clientRules, allow, allowUnused, ...stubOptions } = options;
  return { stubOptions, endOptions: endOptionsOf(options) };
}

/**
 * Adds the problems at the end of a test and the timeline to the error that failed it, so that the test has one failure.
 * False for an error that cannot be changed, such as a frozen one.
 */
export function addToError(error: { message: string; stack?: string | undefined }, ended: EndOfTest): boolean {
  const { message, stack } = error;
  const whole = [message, textOf(withoutShown(ended, message))]
    .filter((text) => text !== "" && text !== undefined)
    .join("\n\n");
  if (stack !== undefined) Reflect.set(error, "stack", stackWith(stack, message, whole));
  // A definition, since the message of a DOMException, such as that of AbortSignal.timeout, has no setter.
  return Reflect.defineProperty(error, "message", { value: whole });
}

/** The end of a test without its timeline, if the message of the error has each of its lines already. */
function withoutShown({ problems, timeline }: EndOfTest, message: string): EndOfTest {
  const [, ...lines] = timeline?.split("\n") ?? [];
  const isShown = lines.length > 0 && lines.every((line) => message.includes(line));
  return { problems, timeline: isShown ? undefined : timeline };
}

/** The stack with the whole message. Without a message, its first line is the name of the error, with a colon or without. */
function stackWith(stack: string, message: string, whole: string): string {
  return message === ""
    ? stack.replace(/^.*/, (line) => `${line.replace(/:? *$/, "")}: ${whole}`)
    : stack.replace(message, () => whole);
}

/** The error of a test that only fails at its end. Its stack has only the given frames: no line of the test is the cause. */
export function errorOf(ended: EndOfTest, frames = ""): Error {
  const error = new Error(textOf(ended));
  error.stack = `${error.name}: ${error.message}${frames}`;
  return error;
}
