import { type AnnouncedRelease, contracts, type Profile } from "../../../../foundation/spec/contracts.ts";
import { profileNamesOf } from "../../../../foundation/spec/spec.ts";
import { oneOf } from "../../flags/one-of.ts";
import { UserError } from "../../user-error.ts";

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

/** Served releases of the ledger, oldest first. */
function servedReleases(): readonly string[] {
  return profileNamesOf("ledger").filter((name) => name !== "spec");
}

/** The release that `--migrate-to` names. Throws a UserError for an unknown one. */
export function targetRelease(name: string): string {
  return oneOf("migrate-to", name, [...new Set([...servedReleases(), ...announcedReleases()])]);
}

function announcedReleases(): readonly string[] {
  return contracts.announcements.map(({ release }) => release);
}

/** The releases between two. Throws a UserError if the second is not later than the first. */
export function migrationOf(from: string, to: string): Migration {
  const order = [...new Set([...servedReleases(), ...announcedReleases()])];
  const isPassed = (name: string) =>
    order.indexOf(name) > order.indexOf(from) && order.indexOf(name) <= order.indexOf(to);
  if (!isPassed(to))
    throw new UserError(
      `--migrate-to ${to} is not later than ${from}, the release of the recording. Name a later release, or the release of the recording with --profile.`,
    );
  const passed = contracts.profiles.filter(({ name }) => servedReleases().includes(name) && isPassed(name));
  const announced = contracts.announcements.filter(({ release }) => isPassed(release));
  return { from, played: passed.at(-1)?.name ?? from, to, passed, announced };
}

/** The first release after the recording's for which a condition holds. */
export function sinceOf({ passed, played }: Migration, holds: (profile: Profile) => boolean): string {
  return passed.find(holds)?.name ?? played;
}
