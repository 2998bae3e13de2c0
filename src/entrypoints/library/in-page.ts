import { defaultWorldId } from "../../stub/hosting/world-id.ts";
import quickstart from "./generated/quickstart.json" with { type: "json" };
import { HostedUnderstudy, withoutSocket } from "./hosted-understudy.ts";
import { textFiles } from "./texts.ts";
import type { Understudy } from "./understudy.ts";
import { hostingOf, type UnderstudyOptions } from "./understudy-options.ts";

export type { Understudy } from "./understudy.ts";
export type { UnderstudyOptions } from "./understudy-options.ts";

/**
 * Creates a stub in a page or a worker, without Node; call its `fetch`. `scenario` is a path in `files`; the default is the
 * built-in quickstart.
 * Throws an UnderstudyError that lists the problems of the scenario with file and line, and a RangeError for an invalid option.
 *
 * @example
 * const understudy = createUnderstudy({ profile: "canton-3.5" });
 * const response = await understudy.fetch("/v2/users", { headers: { Authorization: "Bearer any" } });
 */
export function createUnderstudy(options: UnderstudyOptions = {}): Understudy {
  if (options.localnet === true)
    throw new RangeError("option localnet: a page cannot read its fixtures. Use startUnderstudy.");
  const files = textFiles({ ...quickstart, ...options.files });
  const hosting = hostingOf(options, { files, path: "scenarios/quickstart.arazzo.yaml" });
  return new HostedUnderstudy(hosting, defaultWorldId, withoutSocket(options));
}
