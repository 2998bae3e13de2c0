/** Names in one line: the first ones, and the number of the others. */
export function listed(names: readonly string[], namesMax = 10): string {
  const shown = names.slice(0, namesMax).join(", ");
  return names.length <= namesMax ? shown : `${shown} and ${names.length - namesMax} more`;
}
