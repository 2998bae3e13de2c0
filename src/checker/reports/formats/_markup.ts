import { printableLines } from "../../../foundation/text/printable.ts";

/** HTML or XML. Only `markup` creates it, so that all inserted text is escaped. */
export interface Markup {
  readonly text: string;
}

type Insert = string | number | Markup | readonly Markup[];

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Template tag for HTML or XML. Inserted strings are escaped for elements and quoted attributes; markup is inserted verbatim. */
export function markup(parts: TemplateStringsArray, ...inserts: readonly Insert[]): Markup {
  return { text: parts.map((part, index) => part + insertedText(inserts[index] ?? "")).join("") };
}

export const noMarkup: Markup = { text: "" };

function insertedText(insert: Insert): string {
  if (typeof insert === "string") return escaped(insert);
  if (typeof insert === "number") return String(insert);
  return "text" in insert ? insert.text : insert.map(({ text }) => text).join("");
}

function escaped(text: string): string {
  return printableLines(text).replaceAll(/[&<>"']/g, (character) => escapes[character] ?? "");
}
