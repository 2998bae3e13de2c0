/** Digits of an integer that a double holds exactly. */
const exactDigitsMax = 15;

/** The resource version after this one; both are decimal numbers as text. */
export function nextVersion(version: string): string {
  return version.length <= exactDigitsMax ? String(Number(version) + 1) : String(BigInt(version) + 1n);
}
