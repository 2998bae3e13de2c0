import { type AnnouncedRelease, contracts, type Profile } from "../../../../foundation/spec/contracts.ts";
import { releaseNames, releaseOfVersion } from "../../../../foundation/spec/release-of-version.ts";
import { defaultProfileOf, impliedRegistryProfile, loadSpec, type Spec } from "../../../../foundation/spec/spec.ts";
import { shortened } from "../../../../foundation/text/shortened.ts";
import { advise } from "../../../../foundation/text/suggestion.ts";
import type { ProfileDetector } from "../../../../scenarios/inference/profile-detector.ts";
import { oneOf } from "../../../programs/one-of.ts";
import { UserError } from "../../../programs/user-error.ts";

/** A release of the ledger, and how it was found. */
export interface FoundRelease {
  readonly name: string;
  readonly reason: string;
}

/** The releases of a migration check. */
export interface Migration {
  /** The release of the recording. */
  readonly from: string;
  /** The release that the requests are checked for: the requested one, or the newest described one before it. */
  readonly checked: string;
  /** The requested release. */
  readonly to: string;
  /** The described releases after `from` up to `checked`, oldest first. */
  readonly passed: readonly Profile[];
  /** Changes that no profile describes, of the releases after `from` up to `to`. */
  readonly announced: readonly AnnouncedRelease[];
}

/** The release that `--migrate-to` names. Throws a UserError for an unknown one. */
export function targetRelease(name: string): string {
  const known = releaseNames();
  if (known.includes(name)) return name;
  throw new UserError(`--migrate-to ${name}: unknown release. ${advise(name, known)}`);
}

/** The release of a recording: that of `--profile`, of the version in it, or of the form of its responses. */
export function sourceRelease(detector: ProfileDetector, named: string | undefined): FoundRelease {
  if (named !== undefined) return { name: oneOf("--profile", named, servedReleases()), reason: "set by --profile" };
  const { version } = detector;
  const reported = releaseOfVersion(version, { hasAnnounced: true });
  if (reported?.match === "known")
    return {
      name: reported.name,
      reason: `the recording has version ${shortened(version, 100)}; --profile sets it`,
    };
  const name =
    reported?.name ?? detector.candidates.find((profile) => profile !== "spec") ?? defaultProfileOf("ledger");
  const reason =
    reported === undefined ? "inferred" : `the nearest to version ${shortened(version, 100)} of the recording`;
  return { name, reason: `${reason}; --profile sets it` };
}

/** The releases between two. Throws a UserError if the second is not later than the first. */
export function migrationOf(from: string, to: string): Migration {
  const order = releaseNames();
  const isPassed = (name: string) =>
    order.indexOf(name) > order.indexOf(from) && order.indexOf(name) <= order.indexOf(to);
  if (!isPassed(to)) throw notLater(from, to);
  const passed = servedReleases().flatMap((name) => (isPassed(name) ? (profileNamed(name) ?? []) : []));
  const announced = contracts.announcements.filter(({ release }) => isPassed(release));
  return { from, checked: passed.at(-1)?.name ?? from, to, passed, announced };
}

function notLater(from: string, to: string): UserError {
  return new UserError(
    `--migrate-to ${to} is not later than ${from}, the release of the recording. Name a later release, or the release of the recording with --profile.`,
  );
}

/** The first release after the recording's for which a condition holds. */
export function sinceOf({ passed, checked }: Migration, holds: (profile: Profile) => boolean): string {
  return passed.find(holds)?.name ?? checked;
}

/** Releases with a profile, oldest first. */
function servedReleases(): readonly string[] {
  return releaseNames().filter((name) => profileNamed(name) !== undefined);
}

export function profileNamed(name: string): Profile | undefined {
  return contracts.profiles.find((profile) => profile.name === name);
}

/** The spec of a release with its additional operations. */
export function specOf(release: string): Spec {
  return loadSpec({ ledger: release, registry: impliedRegistryProfile(release) }, { hasAdditionalOperations: true });
}
