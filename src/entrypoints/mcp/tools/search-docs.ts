import { textOf } from "../../../foundation/json/members.ts";
import { shortened } from "../../../foundation/text/shortened.ts";
import { UnderstudyError } from "../../library/understudy-error.ts";
import { bounds } from "../bounds.ts";
import type { Tool } from "../tool.ts";

const sectionsDefault = 4;

export const searchDocs: Tool = {
  name: "search_docs",
  title: "Search the documentation",
  description:
    "Searches the documentation of this version of Understudy, which the package contains. Returns the sections that fit best, as Markdown: the command line, scenarios, fixtures, the library for tests, recordings, checks in CI, releases, limits.",
  isReadOnly: true,
  input: {
    query: {
      type: "string",
      minLength: 1,
      maxLength: bounds.queryLength,
      examples: ["reassignment 409"],
      description: "Words to look for, such as reassignment 409.",
    },
    limit: { type: "integer", minimum: 1, maximum: bounds.sections, description: `Default: ${sectionsDefault}.` },
  },
  required: ["query"],
  run: async (given, { docs }) => {
    const query = textOf(given["query"]);
    const found = docs.search(query, Number(given["limit"] ?? sectionsDefault));
    if (found.length === 0)
      throw new UnderstudyError(
        `query: no page contains words of ${JSON.stringify(shortened(query, 100))}. Use other words; docs/README.md lists the pages.`,
      );
    return {
      sections: found.map(({ page, heading, text }) => ({
        page,
        heading,
        text: shortened(text, bounds.sectionLength),
      })),
    };
  },
};
