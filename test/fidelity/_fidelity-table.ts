import { type Compared, exceptionOf } from "./_observations.ts";

const begin = "<!-- begin observed bodies: npm run fidelity -->";
const end = "<!-- end observed bodies -->";

/** The page with this table in its place. */
export function withFidelityTable(page: string, table: string): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`invariant: the page has the lines ${begin} and ${end}`);
  return `${page.slice(0, from + begin.length)}\n\n${table}\n${page.slice(to)}`;
}

/** By operation: observed bodies, those with the same verdict and the same text, and the differences by kind. */
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
