import type { JsonObject } from "../../../foundation/json/json.ts";
import { textOf } from "../../../foundation/json/members.ts";
import { UnderstudyError } from "../../library/understudy-error.ts";
import { bounds } from "../bounds.ts";
import { explained, unknownText } from "../explained.ts";
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
  run: async (given) => explanation(textOf(given["about"]).trim()),
};

function explanation(about: string): JsonObject {
  const found = explained(about);
  const others = found.slice(bounds.entries);
  if (found.length === 0)
    throw new UnderstudyError(
      `about: ${unknownText(about, "Use search_docs with its words.", "search_docs finds the pages that list them.")}`,
    );
  return {
    entries: found.slice(0, bounds.entries).map((entry) => ({ ...entry })),
    ...(others.length > 0 ? { note: `Not shown: ${others.map(({ id }) => id).join(", ")}.` } : {}),
  };
}
