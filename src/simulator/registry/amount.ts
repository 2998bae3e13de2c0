// Decimals of the ledger: at most ten digits after the point, counted in units of 10^-10.

const digits = 10;
/** One, in units. */
export const unit: bigint = 10n ** 10n;

/** Decimals are below this, in units: they have 28 digits before the point. */
export const amountUnitsEnd: bigint = 10n ** 38n;

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

/** The product of two amounts in units, rounded half-even like a Decimal. */
export function product(left: bigint, right: bigint): bigint {
  return rounded(left * right, unit);
}

/** The quotient of two amounts in units, rounded half-even like a Decimal; the divisor is positive. */
export function quotient(dividend: bigint, divisor: bigint): bigint {
  return rounded(dividend * unit, divisor);
}

function rounded(value: bigint, divisor: bigint): bigint {
  const [whole, twice] = [value / divisor, (value % divisor) * 2n];
  return twice > divisor || (twice === divisor && whole % 2n === 1n) ? whole + 1n : whole;
}

/** Units as Daml shows them: without the zeros at the end, but one. */
export function shownAmount(units: bigint): string {
  return amountOf(units).replace(/(\.\d+?)0+$/, "$1");
}
