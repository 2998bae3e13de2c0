import { type Compared, exceptionOf } from "./_observations.ts";
import { type ComparedSample, sampleExceptions } from "./_samples.ts";

/** The page with this table in its place. */
export function withTable(page: string, subject: "observed bodies" | "samples", table: string): string {
  const [begin, end] = [`<!-- begin ${subject}: npm run fidelity -->`, `<!-- end ${subject} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`invariant: the page has the lines ${begin} and ${end}`);
  return `${page.slice(0, from + begin.length)}\n\n${table}\n${page.slice(to)}`;
}

/** By sample: members of the response, and those that differ, with the reason. */
export function samplesTable(samples: readonly ComparedSample[]): string {
  const rows = samples.map(({ name, members, differences }) => {
    const reasons = differences.map((difference) => `\`${difference}\`: ${reasonOf(difference) ?? "unexpected"}`);
    return `| \`${name}\` | ${members} | ${reasons.join("; ") || "–"} |`;
  });
  return ["| Sample | Members | Differences |", "| --- | --- | --- |", ...rows, ""].join("\n");
}

/** Why the stub differs from a sample in this member; undefined if it should not. */
export function reasonOf(difference: string): string | undefined {
  return sampleExceptions[difference.split(":")[0] ?? ""];
}

/** By operation of one profile: observed bodies, those with the same verdict and the same text, and the differences by kind. */
export function fidelityTable(compared: readonly Compared[]): string {
  const operations = [...new Set(compared.map(({ observation }) => observation.operationId))];
  const rows = operations.map((operationId) =>
    rowOf(
      `\`${operationId}\``,
      compared.filter(({ observation }) => observation.operationId === operationId),
    ),
  );
  return [
    "| Operation | Observed bodies | Same verdict | Refused by the node | Same text | Differences |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows,
    rowOf("all", compared),
    "",
  ].join("\n");
}

function rowOf(name: string, compared: readonly Compared[]): string {
  const refused = compared.filter(({ observation }) => !observation.accepted);
  const numbers = [
    compared.length,
    compared.filter(({ hasSameVerdict }) => hasSameVerdict).length,
    refused.length,
    refused.filter(({ hasSameText }) => hasSameText).length,
  ];
  return `| ${name} | ${numbers.join(" | ")} | ${differencesOf(compared)} |`;
}

function differencesOf(compared: readonly Compared[]): string {
  const kinds = new Map<string, number>();
  for (const { observation, hasSameText } of compared) {
    if (hasSameText) continue;
    const kind = exceptionOf(observation) ?? "unexpected";
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return kinds.size === 0 ? "–" : [...kinds].map(([kind, count]) => `${count}: ${kind}`).join("; ");
}
