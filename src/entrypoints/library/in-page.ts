import { defaultWorldId } from "../../stub/hosting/hosting.ts";
import quickstart from "./generated/quickstart.json" with { type: "json" };
import { HostedUnderstudy } from "./hosted-understudy.ts";
import { hostingOf, type UnderstudySettings } from "./settings.ts";
import { textFiles } from "./texts.ts";
import type { Understudy } from "./understudy.ts";

export type { UnderstudySettings } from "./settings.ts";
export type { Understudy } from "./understudy.ts";

/**
 * A stand-in within a page or a worker, without Node: its `fetch` answers. A scenario is named by its path in `files`;
 * the built-in quickstart when none is named.
 * Throws an Error that lists the mistakes of the scenario with file and line, and a RangeError for a setting that cannot be.
 *
 * @example
 * const understudy = createUnderstudy({ profile: "canton-3.5" });
 * const answer = await understudy.fetch("/v2/users", { headers: { Authorization: "Bearer any" } });
 */
export function createUnderstudy(settings: UnderstudySettings = {}): Understudy {
  const files = textFiles({ ...quickstart, ...settings.files });
  const hosting = hostingOf(settings, { files, path: "scenarios/quickstart.arazzo.yaml" });
  return new HostedUnderstudy(hosting, defaultWorldId, "http://understudy.invalid", async () => undefined);
}
