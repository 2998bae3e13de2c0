const begin = "<!-- bench:begin -->";
const end = "<!-- bench:end -->";

/** The text with another section between the markers; throws where they are not there. */
export function withSection(readme: string, section: string): string {
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`README.md has no ${begin} before a ${end}`);
  return `${readme.slice(0, from + begin.length)}\n${section}\n${readme.slice(to)}`;
}
