import { type Field, field, lazy, message, optional, pair, repeated, required, toBytes, union } from "./_message.ts";
import { bool, converted, convertedScalar, int32, sfixed64, sint64, string, type Type } from "./_wire-types.ts";

// A Daml value of the ledger API (com.daml.ledger.api.v2.Value).

export type DamlValue =
  | { readonly type: "unit" }
  | { readonly type: "bool"; readonly value: boolean }
  | { readonly type: "int64"; readonly value: bigint }
  /** Days since 1970-01-01. */
  | { readonly type: "date"; readonly value: number }
  /** Microseconds since the epoch. */
  | { readonly type: "timestamp"; readonly value: bigint }
  /** A decimal as text. */
  | { readonly type: "numeric"; readonly value: string }
  | { readonly type: "party"; readonly value: string }
  | { readonly type: "text"; readonly value: string }
  /** Lower-case hex. */
  | { readonly type: "contract-id"; readonly value: string }
  /** `isNested` marks one inside an optional value, or around one, where the type is known: None is then not null in JSON. */
  | { readonly type: "optional"; readonly value: DamlValue | undefined; readonly isNested?: true | undefined }
  | { readonly type: "list"; readonly elements: readonly DamlValue[] }
  | { readonly type: "text-map"; readonly entries: readonly (readonly [key: string, value: DamlValue])[] }
  | { readonly type: "gen-map"; readonly entries: readonly (readonly [key: DamlValue, value: DamlValue])[] }
  | { readonly type: "record"; readonly id?: string | undefined; readonly fields: readonly DamlField[] }
  | {
      readonly type: "variant";
      readonly id?: string | undefined;
      readonly constructorName: string;
      readonly value: DamlValue;
    }
  | { readonly type: "enum"; readonly id?: string | undefined; readonly constructorName: string };

export type DamlField = readonly [label: string, value: DamlValue];

/** An identifier in the form package:module:entity. */
export const identifierMessage: Type<string> = convertedScalar(
  message({ packageId: field(1, string), moduleName: field(2, string), entityName: field(3, string) }),
  ({ packageId, moduleName, entityName }) => `${packageId}:${moduleName}:${entityName}`,
  (id) => {
    const [packageId = "", moduleName = "", entityName = ""] = id.split(":");
    return { packageId, moduleName, entityName };
  },
);

/** A range with both ends included. */
type Range = readonly [least: bigint, most: bigint];

/** From the year 1 to the year 9999, in days and in microseconds. */
const dates: Range = [-719_162n, 2_932_896n];
export const timestamps: Range = [-62_135_596_800_000_000n, 253_402_300_799_999_999n];

export function isWithin(value: bigint, [least, most]: Range): boolean {
  return value >= least && value <= most;
}

/** The type without values outside the range. */
function within<Value extends bigint | number>(type: Type<Value>, range: Range): Type<Value> {
  const checked = (value: Value) => {
    if (!isWithin(BigInt(value), range)) throw new RangeError("the time is outside the years 1 to 9999");
    return value;
  };
  return convertedScalar(type, checked, (value) => value);
}

/** Whether a contract id can be hashed: whole bytes in lower-case hex, or empty. */
export function isHexId(id: string): boolean {
  return id.length % 2 === 0 && /^[0-9a-f]*$/.test(id);
}

function hexId(id: string): string {
  if (!isHexId(id)) throw new RangeError("the contract id is not hex");
  return id;
}

/** A contract id in lower-case hex. */
export const contractIdText: Type<string> = convertedScalar(string, hexId, (id) => id);

function valued<Value>(number: number, type: Type<Value>): Field<{ readonly value: Value }> {
  return required(
    number,
    converted(
      type,
      (value) => ({ value }),
      ({ value }) => value,
    ),
  );
}

const inner: Type<DamlValue> = lazy(() => valueMessage);
const id = optional(1, identifierMessage);

export const valueMessage: Type<DamlValue> = union<DamlValue>(
  {
    unit: required(1, message({})),
    bool: valued(2, bool),
    int64: valued(3, sint64),
    date: valued(4, within(int32, dates)),
    timestamp: valued(5, within(sfixed64, timestamps)),
    numeric: valued(6, string),
    party: valued(7, string),
    text: valued(8, string),
    "contract-id": valued(9, contractIdText),
    optional: required(10, message({ value: optional(1, inner) })),
    list: required(11, message({ elements: repeated(1, inner) })),
    "text-map": required(12, message({ entries: repeated(1, pair(field(1, string), field(2, inner))) })),
    "gen-map": required(13, message({ entries: repeated(1, pair(field(1, inner), field(2, inner))) })),
    record: required(14, message({ id, fields: repeated(2, pair(field(1, string), field(2, inner))) })),
    variant: required(15, message({ id, constructorName: field(2, string), value: field(3, inner) })),
    enum: required(16, message({ id, constructorName: field(2, string) })),
  },
  () => {
    throw new RangeError("the value has no kind");
  },
);

/** The protobuf of a value. */
export function encodeValue(value: DamlValue): Uint8Array {
  return toBytes(valueMessage, value);
}
