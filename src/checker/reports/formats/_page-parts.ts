import { type Markup, markup, noMarkup } from "./_markup.ts";

/** A part of a page under a heading. */
export function section(id: string, title: string, parts: readonly Markup[]): Markup {
  return markup`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${parts}</section>
`;
}

/** A folded list with a title; nothing for an empty list. */
export function list(title: string, members: readonly string[]): Markup {
  return members.length === 0 ? noMarkup : folded(`${title} (${members.length})`, items(members));
}

export function items(members: readonly string[]): Markup {
  return markup`<ul>${members.map((member) => markup`<li>${member}</li>`)}</ul>\n`;
}

export function folded(title: string, inner: Markup): Markup {
  return markup`<details><summary>${title}</summary><div class="body">${inner}</div></details>\n`;
}

export function table(head: readonly string[], rows: readonly (readonly (string | Markup)[])[]): Markup {
  return markup`<div class="scroll"><table>
<thead><tr>${head.map((name) => markup`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => markup`<tr>${cells.map((cell) => markup`<td>${cell}</td>`)}</tr>\n`)}</tbody>
</table></div>
`;
}
