// Generates docs/llms.txt, the index of the docs for assistants (https://llmstxt.org), from docs/README.md.

/** Name in the convention for links that a short context can omit. */
const optionalHeading = "Optional";
const internalHeading = "Internals";
/** Pages that the package does not contain. */
const ofRepository = /^(?:\.\.|decisions)\//;

interface IndexEntry {
  readonly title: string;
  readonly link: string;
  readonly text: string;
}

/** The text of llms.txt: a title, a summary, and a list of links for each heading of the index. */
export function llmsText(index: string, description: string): string {
  const sections = index.split(/^## /m).slice(1);
  return [
    "# Understudy",
    "",
    `> ${description}`,
    "",
    "Links are relative to this file. The package `canton-understudy` contains these pages; `understudy mcp` searches them.",
    "",
    ...sections.flatMap(sectionLines),
  ].join("\n");
}

function sectionLines(section: string): readonly string[] {
  const [heading = "", ...lines] = section.split("\n");
  const entries = lines.flatMap((line) => entryOf(line) ?? []).filter(({ link }) => !ofRepository.test(link));
  if (entries.length === 0) return [];
  const title = heading === internalHeading ? optionalHeading : heading;
  return [`## ${title}`, "", ...entries.map((entry) => `- [${entry.title}](${entry.link}): ${entry.text}`), ""];
}

/** The entry of a line: a link with text, or a row of a table with a link in one of its two cells. */
function entryOf(line: string): IndexEntry | undefined {
  const link = String.raw`\[([^\]]+)\]\(([^)]+)\)`;
  const forms = [`^${link}: (.+?)\\.?$`, `^\\| ${link} \\| (.+) \\|$`];
  for (const form of forms) {
    const [, title, target, text] = new RegExp(form).exec(line) ?? [];
    if (title !== undefined && target !== undefined && text !== undefined) return { title, link: target, text };
  }
  const [, text, title, target] = new RegExp(`^\\| ([^|]+) \\| ${link} \\|$`).exec(line) ?? [];
  return title === undefined || target === undefined || text === undefined ? undefined : { title, link: target, text };
}
