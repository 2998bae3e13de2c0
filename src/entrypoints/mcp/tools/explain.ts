import type { JsonObject } from "../../../foundation/json/json.ts";
import { textOf } from "../../../foundation/json/members.ts";
import { contracts } from "../../../foundation/spec/contracts.ts";
import { advise } from "../../../foundation/text/suggestion.ts";
import { UnderstudyError } from "../../library/understudy-error.ts";
import { bounds } from "../bounds.ts";
import { referenceEntries } from "../reference-entries.ts";
import type { Tool } from "../tool.ts";

export const explain: Tool = {
  name: "explain",
  title: "Explain an id or a message",
  description:
    "Explains a rule, client rule, probe, known divergence (DIV-…), ledger error code or operation. Takes its id, or a message of Understudy or of a node that contains ids.",
  isReadOnly: true,
  input: {
    about: {
      type: "string",
      minLength: 1,
      examples: ["page-tokens-from-pages"],
      description: "An id such as page-tokens-from-pages, DIV-001 or USER_NOT_FOUND, or a message that contains one.",
    },
  },
  required: ["about"],
  run: async (given) => explained(textOf(given["about"]).trim()),
};

function explained(about: string): JsonObject {
  const entries = referenceEntries();
  const words = new Set([about, ...about.split(/[^\w-]+/)].map((word) => word.toLowerCase().replace(/^-+|-+$/g, "")));
  const found = entries.filter(({ id }) => words.has(id.toLowerCase()));
  const unserved = found.length === 0 ? unservedOperation(about) : undefined;
  if (unserved !== undefined)
    return {
      entries: [
        {
          id: unserved,
          kind: "operation that the stub does not serve",
          summary: "A release of the node has it; the stub returns 404, or 405 on a path with other methods.",
          page: "docs/reference/supported-endpoints.md",
        },
      ],
    };
  if (found.length === 0)
    throw new UnderstudyError(
      unknownText(
        about,
        entries.map(({ id }) => id),
      ),
    );
  return {
    entries: found.slice(0, bounds.entries).map((entry) => ({ ...entry })),
    ...(found.length > bounds.entries
      ? {
          note: `Not shown: ${found
            .slice(bounds.entries)
            .map(({ id }) => id)
            .join(", ")}.`,
        }
      : {}),
  };
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

function unknownText(about: string, ids: readonly string[]): string {
  if (/\s/.test(about))
    return "about: the message contains no id of a rule, probe, divergence, error code or operation. Use search_docs with its words.";
  return `about: there is no rule, probe, divergence, error code or operation ${JSON.stringify(about)}. ${advise(about, ids, "search_docs finds the pages that list them.")}`;
}
