import { defaultWorldId } from "../../stub/hosting/hosting.ts";
import quickstart from "./generated/quickstart.json" with { type: "json" };
import { HostedUnderstudy } from "./hosted-understudy.ts";
import { hostingOf, type UnderstudyOptions } from "./settings.ts";
import { textFiles } from "./texts.ts";
import type { Understudy } from "./understudy.ts";

export type { UnderstudyOptions } from "./settings.ts";
export type { Understudy } from "./understudy.ts";

/**
 * A stub within a page or a worker, without Node: its `fetch` answers. A scenario is named by its path in `files`;
 * the built-in quickstart when none is named.
 * Throws an Error that lists the problems of the scenario with file and line, and a RangeError for a setting that cannot be.
 *
 * @example
 * const understudy = createUnderstudy({ profile: "canton-3.5" });
 * const answer = await understudy.fetch("/v2/users", { headers: { Authorization: "Bearer any" } });
 */
export function createUnderstudy(options: UnderstudyOptions = {}): Understudy {
  const files = textFiles({ ...quickstart, ...options.files });
  const hosting = hostingOf(options, { files, path: "scenarios/quickstart.arazzo.yaml" });
  return new HostedUnderstudy(hosting, defaultWorldId, "http://understudy.invalid", async () => undefined);
}
