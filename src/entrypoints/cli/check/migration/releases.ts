import { type AnnouncedRelease, contracts, type Profile } from "../../../../foundation/spec/contracts.ts";
import { releaseNames, releaseOfVersion } from "../../../../foundation/spec/release-of-version.ts";
import { defaultProfileOf } from "../../../../foundation/spec/spec.ts";
import { shortened } from "../../../../foundation/text/shortened.ts";
import { advise } from "../../../../foundation/text/suggestion.ts";
import type { RecordedWorlds } from "../../../../scenarios/inference/recorded-worlds.ts";
import { oneOf } from "../../flags/one-of.ts";
import { UserError } from "../../user-error.ts";

/** A release of the ledger, and how it was found. */
export interface FoundRelease {
  readonly name: string;
  readonly reason: string;
}

/** The releases of a migration check. */
export interface Migration {
  /** The release of the recording. */
  readonly from: string;
  /** The release that the requests are played on: the requested one, or the newest served one before it. */
  readonly played: string;
  /** The requested release. */
  readonly to: string;
  /** The served releases after `from` up to `played`, oldest first. */
  readonly passed: readonly Profile[];
  /** Changes that no stub plays, of the releases after `from` up to `to`. */
  readonly announced: readonly AnnouncedRelease[];
}

/** The release that `--migrate-to` names. Throws a UserError for an unknown one. */
export function targetRelease(name: string): FoundRelease {
  const known = releaseNames();
  if (known.includes(name)) return { name, reason: "" };
  throw new UserError(
    `--migrate-to ${name}: unknown release. ${advise(name, known)} The URL of a node is possible too.`,
  );
}

/** A version of a recording or a node, for a message. */
export function shownVersion(version: string): string {
  return shortened(version, 100);
}

/** The release of a recording: that of `--profile`, of the version in it, or of the form of its responses. */
export function sourceRelease(worlds: RecordedWorlds, named: string | undefined): FoundRelease {
  if (named !== undefined) return { name: oneOf("profile", named, servedReleases()), reason: "set by --profile" };
  const { version } = worlds;
  const reported = releaseOfVersion(version, { hasAnnounced: true });
  if (reported?.match === "known")
    return {
      name: reported.name,
      reason: `the recording has version ${shownVersion(version ?? "")}; --profile sets it`,
    };
  const name = reported?.name ?? worlds.profiles.find((profile) => profile !== "spec") ?? defaultProfileOf("ledger");
  const reason =
    reported === undefined ? "inferred" : `the nearest to version ${shownVersion(version ?? "")} of the recording`;
  return { name, reason: `${reason}; --profile sets it` };
}

/** The releases between two. Throws a UserError if the second is not later than the first. */
export function migrationOf(from: FoundRelease, to: FoundRelease): Migration {
  const order = releaseNames();
  const isPassed = (name: string) =>
    order.indexOf(name) > order.indexOf(from.name) && order.indexOf(name) <= order.indexOf(to.name);
  if (!isPassed(to.name)) throw notLater(from, to);
  const passed = servedReleases().flatMap((name) => (isPassed(name) ? (profileNamed(name) ?? []) : []));
  const announced = contracts.announcements.filter(({ release }) => isPassed(release));
  return { from: from.name, played: passed.at(-1)?.name ?? from.name, to: to.name, passed, announced };
}

function notLater(from: FoundRelease, to: FoundRelease): UserError {
  const target = `--migrate-to ${to.name}${to.reason === "" ? "" : ` (${to.reason})`}`;
  return new UserError(
    `${target} is not later than ${from.name}, the release of the recording. Name a later release, or the release of the recording with --profile.`,
  );
}

/** The first release after the recording's for which a condition holds. */
export function sinceOf({ passed, played }: Migration, holds: (profile: Profile) => boolean): string {
  return passed.find(holds)?.name ?? played;
}

/** Releases that stubs play, oldest first. */
function servedReleases(): readonly string[] {
  return releaseNames().filter((name) => profileNamed(name) !== undefined);
}

export function profileNamed(name: string): Profile | undefined {
  return contracts.profiles.find((profile) => profile.name === name);
}
