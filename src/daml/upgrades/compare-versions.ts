/** Orders versions of packages by their numbers; negative if the left one is older. */
export function compareVersions(left: string, right: string): number {
  const [first, second] = [left.split(".").map(Number), right.split(".").map(Number)];
  const index = first.findIndex((part, place) => part !== (second[place] ?? 0));
  return index < 0 ? first.length - second.length : (first[index] ?? 0) - (second[index] ?? 0);
}
