import type { Compared, ComparedProfile } from "./_observations.ts";
import type { ComparedSample } from "./_samples.ts";

/** The page with this table in its place. */
export function withTable(page: string, subject: "observed bodies" | "samples", table: string): string {
  const [begin, end] = [`<!-- begin ${subject}: npm run fidelity -->`, `<!-- end ${subject} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`invariant: the page has the lines ${begin} and ${end}`);
  return `${page.slice(0, from + begin.length)}\n\n${table}\n${page.slice(to)}`;
}

/** By sample: members of the response, and those that differ, with the reason. Profiles with the same differences share a row. */
export function samplesTable(samples: readonly ComparedSample[]): string {
  const profilesOfRow = new Map<string, readonly string[]>();
  for (const { name, profile, members, differences } of samples) {
    const shown = differences.map(({ member, reason = "unexpected" }) => `\`${member}\`: ${reason}`);
    const row = `| ${name} | ${members} | ${members - differences.length} | ${shown.join("; ") || "–"}`;
    profilesOfRow.set(row, [...(profilesOfRow.get(row) ?? []), `\`${profile}\``]);
  }
  const rows = [...profilesOfRow].map(([row, profiles]) => `${row} | ${profiles.join(", ")} |`);
  return ["| Sample | Members | Same | Differences | Profiles |", `|${" --- |".repeat(5)}`, ...rows, ""].join("\n");
}

export type ComparedByProfile = ReadonlyMap<ComparedProfile, readonly Compared[]>;

/** By operation and profile: the observed bodies with the same verdict, and the refused ones with the same text. Then the differences by kind. */
export function fidelityTable(byProfile: ComparedByProfile): string {
  const [observed = []] = byProfile.values();
  const operations = [...new Set(observed.map(({ observation }) => observation.operationId))];
  const profiles = [...byProfile.keys()].map((profile) => `\`${profile}\``);
  return [
    `| Operation | Bodies, refused | ${profiles.join(" | ")} |`,
    `| --- | --- |${" --- |".repeat(profiles.length)}`,
    ...operations.map((one) => rowOf(`\`${one}\``, byProfile, ({ observation }) => observation.operationId === one)),
    rowOf("all", byProfile, () => true),
    "",
    "| Profile | Bodies | Difference from release 3.5 |",
    "| --- | --- | --- |",
    ...[...byProfile].flatMap(([profile, compared]) =>
      differencesOf(compared).map(([kind, count]) => `| \`${profile}\` | ${count} | ${kind} |`),
    ),
    "",
  ].join("\n");
}

function rowOf(name: string, byProfile: ComparedByProfile, isOf: (compared: Compared) => boolean): string {
  const columns = [...byProfile.values()].map((all) => {
    const compared = all.filter(isOf);
    const verdicts = compared.filter(({ hasSameVerdict }) => hasSameVerdict);
    const texts = compared.filter(({ observation, hasSameText }) => !observation.accepted && hasSameText);
    return `${verdicts.length}, ${texts.length}`;
  });
  const observed = ([...byProfile.values()][0] ?? []).filter(isOf);
  const refused = observed.filter(({ observation }) => !observation.accepted);
  return `| ${name} | ${observed.length}, ${refused.length} | ${columns.join(" | ")} |`;
}

function differencesOf(compared: readonly Compared[]): readonly (readonly [kind: string, count: number])[] {
  const kinds = new Map<string, number>();
  for (const { hasSameText, reason = "unexpected" } of compared)
    if (!hasSameText) kinds.set(reason, (kinds.get(reason) ?? 0) + 1);
  return [...kinds];
}
