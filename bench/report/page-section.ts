const begin = "<!-- bench:begin -->";
const end = "<!-- bench:end -->";

/** The page with another section between the markers. Throws if the page lacks a marker. */
export function withSection(page: string, section: string): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`the page has no ${begin} before a ${end}`);
  return `${page.slice(0, from + begin.length)}\n${section}\n${page.slice(to)}`;
}
