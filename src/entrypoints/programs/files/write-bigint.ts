/** A replacer for JSON.stringify: reports show an integer above 2^53 as text, since their readers would round it. */
export function writeBigint(_name: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}
