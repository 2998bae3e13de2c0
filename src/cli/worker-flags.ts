import { forkPrefixDefault } from "../hosting/hosting.ts";
import type { Environment, Options } from "./options.ts";
import { UserError } from "./user-error.ts";

export const workersMax = 64;

/** Set for the processes that a stub with several workers starts. */
export const workerVariable = "UNDERSTUDY_IS_WORKER";

/** Whether this process was started by a stub to be one of its workers; the variable alone may have come from anywhere. */
export function isWorker({ variables }: Environment): boolean {
  return variables[workerVariable] !== undefined && process.send !== undefined;
}

/** How many processes serve the worlds. */
export function workersOf(options: Options): number {
  const text = options.text("workers") ?? "1";
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > workersMax)
    throw new UserError(`--workers ${text} is out of range; a stub has from 1 to ${workersMax} workers.`);
  const refused = count === 1 ? undefined : Object.keys(reasons).find((name) => options.flag(name));
  if (refused !== undefined) throw new UserError(`--${refused} goes with one worker only: ${reasons[refused]}.`);
  return count;
}

const reasons: Readonly<Record<string, string>> = {
  oauth: "each worker would sign with a key of its own. Use --auth jwt and understudy token instead",
  watch: "the workers would start over at different moments. Stop the stub and start it again instead",
};

/** What the ids of forks begin with, by the flags. */
export function forkPrefixFrom(options: Options): string {
  const prefix = options.text("world-prefix") ?? forkPrefixDefault;
  if (!/^[A-Za-z0-9]{1,32}$/.test(prefix))
    throw new UserError(`--world-prefix ${prefix} does not fit; it is a word of up to 32 letters and digits.`);
  return prefix;
}
