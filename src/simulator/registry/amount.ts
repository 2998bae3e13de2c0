// Decimals of the ledger: at most ten digits after the point, counted in units of 10^-10.

const digits = 10;

/** Far beyond every decimal; a longer text takes long to read as a number. */
const lengthMax = 1000;

/** A decimal text in units; undefined for an invalid decimal. */
export function unitsOf(amount: string): bigint | undefined {
  const match = amount.length <= lengthMax ? /^(\d+)(?:\.(\d{1,10}))?$/.exec(amount) : null;
  if (match === null) return undefined;
  return BigInt(`${match[1]}${(match[2] ?? "").padEnd(digits, "0")}`);
}

/** Units as a decimal with ten digits after the point. */
export function amountOf(units: bigint): string {
  const text = units.toString().padStart(digits + 1, "0");
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
