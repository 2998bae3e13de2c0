/** A page of the docs: its path in the package, and its text in Markdown. */
export interface DocsPage {
  readonly path: string;
  readonly text: string;
}

/** A section of a page. */
interface DocsSection {
  readonly page: string;
  /** Headings from the title of the page down to the section. */
  readonly heading: string;
  readonly text: string;
}

interface IndexedSection extends DocsSection {
  /** Occurrences of each word; a word of the heading counts several times. */
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
  readonly weight: number;
}

/** How much a section counts on a generated page, which lists much, and on a page about decisions. Other pages explain. */
const listingWeight = 0.5;

const headingWeight = 8;
/** How much the length of a section counts, and where further occurrences of a word stop to count: the usual values of BM25. */
const [lengthWeight, saturation] = [0.75, 1.2];

/** Words of questions that say nothing about their subject. */
const questionWords: ReadonlySet<string> = new Set(
  "a an and are can do does for how i in is it mean my of on the to what when where which why with".split(" "),
);

/** Full-text search over sections of the docs, ranked by BM25. The pages are read at the first search. */
export class DocsIndex {
  readonly #read: () => readonly DocsPage[];
  #sections: readonly IndexedSection[] | undefined;

  constructor(read: () => readonly DocsPage[]) {
    this.#read = read;
  }

  /** The sections that fit the query best. A word of the query also finds words that begin with it. */
  search(query: string, limit: number): readonly DocsSection[] {
    this.#sections ??= this.#read().flatMap(indexedSections);
    const sections = this.#sections;
    const meanLength = sections.reduce((sum, { length }) => sum + length, 0) / Math.max(1, sections.length);
    const scores = new Map<IndexedSection, number>();
    for (const word of new Set(wordsOf(query).filter((each) => !questionWords.has(each)))) {
      const counts = sections.map((section) => countOf(word, section));
      const found = counts.filter((count) => count > 0).length;
      const rarity = Math.log(1 + (sections.length - found + 0.5) / (found + 0.5));
      sections.forEach((section, index) => {
        const count = counts[index] ?? 0;
        if (count === 0) return;
        const norm = 1 - lengthWeight + (lengthWeight * section.length) / meanLength;
        const score = (section.weight * rarity * count * (saturation + 1)) / (count + saturation * norm);
        scores.set(section, (scores.get(section) ?? 0) + score);
      });
    }
    return [...scores]
      .sort(([, left], [, right]) => right - left)
      .slice(0, limit)
      .map(([{ page, heading, text }]) => ({ page, heading, text }));
  }
}

/** The sections of a page, each with its text without the heading. A `#` in a code block is no heading. */
function sectionsOf({ path, text }: DocsPage): readonly DocsSection[] {
  const sections: { page: string; heading: string; lines: string[] }[] = [];
  const above: string[] = [];
  let isCode = false;
  for (const line of text.split("\n")) {
    if (line.startsWith("```")) isCode = !isCode;
    const [, marks = "", title = ""] = isCode ? [] : (/^(#{1,4}) (.+)$/.exec(line) ?? []);
    if (title === "") sections.at(-1)?.lines.push(line);
    else {
      above.splice(marks.length - 1, above.length, title);
      sections.push({ page: path, heading: above.join(" › "), lines: [] });
    }
  }
  return sections
    .map(({ page, heading, lines }) => ({ page, heading, text: lines.filter(isShown).join("\n").trim() }))
    .filter(({ text: content }) => content !== "");
}

/** Comments for tools are not part of the text. */
function isShown(line: string): boolean {
  return !/^<!--.*-->$/.test(line);
}

function indexedSections(page: DocsPage): readonly IndexedSection[] {
  const isListing = page.text.startsWith("<!-- Made by") || page.path.includes("/decisions/");
  const weight = isListing ? listingWeight : 1;
  return sectionsOf(page).map((section) => ({ ...section, ...countedWords(section), weight }));
}

function countedWords(section: DocsSection): Pick<IndexedSection, "counts" | "length"> {
  const words = wordsOf(section.text);
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  for (const word of wordsOf(section.heading)) counts.set(word, (counts.get(word) ?? 0) + headingWeight);
  return { counts, length: words.length };
}

/** Length from which a word of a query finds longer words too. */
const prefixLengthMin = 4;

function countOf(word: string, { counts }: IndexedSection): number {
  if (word.length < prefixLengthMin) return counts.get(word) ?? 0;
  let sum = 0;
  for (const [other, count] of counts) if (other.startsWith(word)) sum += count;
  return sum;
}

/** The words of a text in lower case; a plural counts as its singular. */
function wordsOf(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => (word.length > prefixLengthMin && /[^s]s$/.test(word) ? word.slice(0, -1) : word));
}
