import { contracts } from "./contracts.ts";
import { defaultProfileOf } from "./spec.ts";

/** The profile of a live target and the reason for the choice. */
interface ChosenProfile {
  readonly ledger: string;
  readonly reason: string;
}

/** The release that a version belongs to, or the nearest one of an unknown version. */
interface MatchedRelease {
  readonly name: string;
  /** Whether the version is of the release, and before or after every known one. */
  readonly match: "known" | "earlier" | "later";
}

type Version = readonly [major: number, minor: number, patch: number];

interface Release {
  readonly name: string;
  readonly version: Version;
}

/** Chooses the profile for the version that a node reports; undefined where it reports none. */
export function profileOfVersion(text: string | undefined): ChosenProfile {
  const ledger = defaultProfileOf("ledger");
  if (text === undefined) return { ledger, reason: "the default: the target reports no version" };
  const found = releaseOfVersion(text);
  switch (found?.match) {
    case undefined:
      return { ledger, reason: `the default: the target's version ${JSON.stringify(text)} is unknown` };
    case "known":
      return { ledger: found.name, reason: `the target is ${text}` };
    case "later":
      return {
        ledger: found.name,
        reason: `the newest release: the target is ${text}, newer than every known release`,
      };
    case "earlier":
      return { ledger: found.name, reason: `the nearest release: the target is ${text}, an unknown version` };
  }
}

/** Finds the release of a version; undefined for a text that is not a version. */
export function releaseOfVersion(
  text: string,
  { hasAnnounced = false }: { readonly hasAnnounced?: boolean } = {},
): MatchedRelease | undefined {
  const releases = knownReleases(hasAnnounced);
  const [oldest, newest] = [releases[0], releases.at(-1)];
  if (oldest === undefined || newest === undefined) throw new Error("invariant: there are releases of the ledger");
  const version = readVersion(text);
  if (version === undefined) return undefined;
  const line = releases.filter((release) => compareLines(release.version, version) === 0);
  const fitting = line.filter((release) => compare(release.version, version) <= 0).at(-1) ?? line[0];
  if (fitting !== undefined) return { name: fitting.name, match: "known" };
  return compareLines(version, newest.version) > 0
    ? { name: newest.name, match: "later" }
    : { name: oldest.name, match: "earlier" };
}

/** The names of the releases of the ledger, oldest first, with those that are only announced. */
export function releaseNames(): readonly string[] {
  return knownReleases(true).map(({ name }) => name);
}

/** The known releases of the ledger, oldest first. */
function knownReleases(hasAnnounced: boolean): readonly Release[] {
  const served = contracts.profiles.filter(({ api }) => api === "ledger");
  const announced = contracts.announcements.map(({ release, version }) => ({ name: release, version }));
  return [...served, ...(hasAnnounced ? announced : [])]
    .flatMap(({ name, version: text = "" }) => {
      const version = readVersion(text);
      return version === undefined ? [] : [{ name, version }];
    })
    .sort((left, right) => compare(left.version, right.version));
}

/** Parses a version. A suffix such as -SNAPSHOT is ignored. */
function readVersion(text: string): Version | undefined {
  const [found, major, minor, patch] = /^v?(\d{1,6})\.(\d{1,6})(?:\.(\d{1,6}))?(?![\d])/.exec(text) ?? [];
  return found === undefined ? undefined : [Number(major), Number(minor), Number(patch ?? 0)];
}

function compare(left: Version, right: Version): number {
  return compareLines(left, right) || left[2] - right[2];
}

function compareLines(left: Version, right: Version): number {
  return left[0] - right[0] || left[1] - right[1];
}
