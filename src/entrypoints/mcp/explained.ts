import { contracts } from "../../foundation/spec/contracts.ts";
import { advise } from "../../foundation/text/suggestion.ts";
import { type ReferenceEntry, referenceEntries } from "./reference-entries.ts";

/** The entries of an id, or of the ids in a message; empty for a text without an id. */
export function explained(about: string): readonly ReferenceEntry[] {
  const words = new Set([about, ...about.split(/[^\w-]+/)].map((word) => word.toLowerCase().replace(/^-+|-+$/g, "")));
  const found = referenceEntries().filter(({ id }) => words.has(id.toLowerCase()));
  const unserved = found.length === 0 ? unservedOperation(about) : undefined;
  if (unserved === undefined) return found;
  return [
    {
      id: unserved,
      kind: "operation that the stub does not serve",
      summary: "A release of the node has it; the stub returns 404, or 405 on a path with other methods.",
      page: "docs/reference/supported-endpoints.md",
    },
  ];
}

/** The published operation that a method and path name, or a path, or an operation id such as getV2Version. */
function unservedOperation(about: string): string | undefined {
  const words = about.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  const { ledger, registry, webSockets } = contracts.publishedOperations;
  const all = [ledger, registry, webSockets].flatMap((byRelease) => Object.values(byRelease).flat());
  return all.find((operation) => {
    const [compared, path] = [operation, operation.replace(/^\S+ /, "")].map((text) =>
      text.toLowerCase().replaceAll(/[^a-z0-9]/g, ""),
    );
    return words === compared || words === path;
  });
}

/** The message for a text without entries: what to do for a message, and for an id without a similar one. */
export function unknownText(about: string, forMessage: string, forId: string): string {
  const kinds = "rule, probe, divergence, error code or operation";
  if (/\s/.test(about)) return `the message contains no id of a ${kinds}. ${forMessage}`;
  const ids = referenceEntries().map(({ id }) => id);
  return `there is no ${kinds} ${JSON.stringify(about)}. ${advise(about, ids, forId)}`;
}
