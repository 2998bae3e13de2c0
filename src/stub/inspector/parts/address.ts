/** The URL fragment of a view of a world; `number` 0 selects no exchange. */
export function addressOf(view: string, world: string, number = 0): string {
  const parts = number === 0 ? [view, world] : [view, world, String(number)];
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}
