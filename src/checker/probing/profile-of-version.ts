import { contracts } from "../../foundation/spec/contracts.ts";
import { defaultProfileOf } from "../../foundation/spec/spec.ts";

/** The profile of a live target and the reason for the choice. */
export interface ChosenProfile {
  readonly ledger: string;
  readonly reason: string;
}

type Version = readonly [major: number, minor: number, patch: number];

interface Release {
  readonly name: string;
  readonly version: Version;
}

/** Chooses the profile for the version that a node reports; undefined where it reports none. */
export function profileOfVersion(text: string | undefined): ChosenProfile {
  const releases = knownReleases();
  const [oldest, newest] = [releases[0], releases.at(-1)];
  if (oldest === undefined || newest === undefined) throw new Error("invariant: there are releases of the ledger");
  const ledger = defaultProfileOf("ledger");
  if (text === undefined) return { ledger, reason: "the default: the target reports no version" };
  const version = readVersion(text);
  if (version === undefined)
    return { ledger, reason: `the default: the target's version ${JSON.stringify(text)} is unknown` };
  const line = releases.filter((release) => compareLines(release.version, version) === 0);
  const fitting = line.filter((release) => compare(release.version, version) <= 0).at(-1) ?? line[0];
  if (fitting !== undefined) return { ledger: fitting.name, reason: `the target is ${text}` };
  return compareLines(version, newest.version) > 0
    ? { ledger: newest.name, reason: `the newest release: the target is ${text}, newer than every known release` }
    : { ledger: oldest.name, reason: `the nearest release: the target is ${text}, an unknown version` };
}

/** The known releases of the ledger, oldest first. */
function knownReleases(): readonly Release[] {
  return contracts.profiles
    .flatMap(({ name, api, version: text = "" }) => {
      const version = readVersion(text);
      return api === "ledger" && version !== undefined ? [{ name, version }] : [];
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
