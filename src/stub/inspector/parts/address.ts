/** The address of a view of a world, at an exchange where one is named. */
export function addressOf(view: string, world: string, number = 0): string {
  const parts = number === 0 ? [view, world] : [view, world, String(number)];
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}
