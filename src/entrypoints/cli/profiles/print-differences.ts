import type { Api, Profile } from "../../../foundation/spec/contracts.ts";
import { UserError } from "../../programs/user-error.ts";
import type { Environment } from "../options.ts";
import type { ReleaseChange } from "./release-change.ts";
import { releaseDifferences } from "./release-differences.ts";

const titles = [
  ["breaks", "Breaks: what worked is refused or missing"],
  ["changes", "Changes: responses differ"],
  ["new", "New"],
] as const;

/** Prints what a client notices that moves from one release to the other, or one JSON value for each difference. */
export function printDifferences(from: Profile, to: Profile, environment: Environment, isJson: boolean): void {
  const changes = releaseDifferences(from, to, apiOf(from, to));
  const lines = isJson
    ? changes.map((change) => JSON.stringify({ event: "difference", from: from.name, to: to.name, ...change }))
    : textLines(from, to, changes);
  for (const line of lines) environment.print(line);
}

function apiOf(from: Profile, to: Profile): Api {
  const apis = new Set([from.api, to.api].filter((api) => api !== "both"));
  if (apis.size > 1)
    throw new UserError(`${from.name} and ${to.name} are profiles of different APIs. Name two releases of one API.`);
  return apis.has("registry") ? "registry" : "ledger";
}

function textLines(from: Profile, to: Profile, changes: readonly ReleaseChange[]): readonly string[] {
  if (changes.length === 0) return [`${from.name} and ${to.name} do not differ.`];
  const counts = titles.map(([effect]) => `${changes.filter((change) => change.effect === effect).length} ${effect}`);
  return [
    `From ${from.name} to ${to.name}: ${counts.join(", ")}.`,
    ...titles.flatMap(([effect, title]) => {
      const ofEffect = changes.filter((change) => change.effect === effect);
      return ofEffect.length === 0 ? [] : ["", title, ...operationLines(ofEffect)];
    }),
  ];
}

/** Each operation with its sentences; operations with the same sentences share them. */
function operationLines(changes: readonly ReleaseChange[]): readonly string[] {
  const byOperation = Map.groupBy(changes, ({ operation }) => operation);
  const texts = [...byOperation].map(([operation, same]) => ({
    operation: operation === "*" ? "all operations" : operation,
    lines: [...new Set(same.map(({ text }) => `    ${text}`))],
  }));
  const groups = Map.groupBy(texts, ({ lines }) => lines.join("\n"));
  return [...groups.values()].flatMap((group) => [
    ...group.map(({ operation }) => `  ${operation}`),
    ...(group[0]?.lines ?? []),
  ]);
}
