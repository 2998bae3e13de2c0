import type { Json } from "../../foundation/json/json.ts";
import type { DamlValue } from "../../foundation/protobuf/daml-value.ts";

/** A value in the JSON of the ledger: numbers as text, timestamps in ISO-8601, optional values as themselves or null. */
export function jsonOfValue(value: DamlValue): Json {
  switch (value.type) {
    case "unit":
      return {};
    case "bool":
      return value.value;
    case "int64":
      return value.value.toString();
    case "date":
      return new Date(value.value * 86_400_000).toISOString().slice(0, 10);
    case "timestamp":
      return instantOfMicros(value.value);
    case "optional":
      if (value.isNested || value.value?.type === "optional") return jsonOfNested(value);
      return value.value === undefined ? null : jsonOfValue(value.value);
    case "list":
      return value.elements.map(jsonOfValue);
    case "text-map":
      return Object.fromEntries(value.entries.map(([key, inner]) => [key, jsonOfValue(inner)]));
    case "gen-map":
      return value.entries.map(([key, inner]) => [jsonOfValue(key), jsonOfValue(inner)]);
    case "record":
      return Object.fromEntries(value.fields.map(([label, inner]) => [label, jsonOfValue(inner)]));
    case "variant":
      return { tag: value.constructorName, value: jsonOfValue(value.value) };
    case "enum":
      return value.constructorName;
    default:
      return value.value;
  }
}

/** An optional value of an optional one is a list of at most one element, and so is the inner one. */
function jsonOfNested(value: DamlValue): Json {
  if (value.type !== "optional") return jsonOfValue(value);
  return value.value === undefined ? [] : [jsonOfNested(value.value)];
}

/** A timestamp in ISO-8601 with 0, 3 or 6 decimals, like a node. Evidence: Canton 3.5, observed responses of its codec. */
export function instantOfMicros(micros: bigint): string {
  const rest = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const seconds = Number((micros - rest) / 1_000_000n);
  const timestamp = new Date(seconds * 1000);
  if (Number.isNaN(timestamp.getTime())) return micros.toString();
  const fraction = rest
    .toString()
    .padStart(6, "0")
    .replace(/(?:000)+$/, "");
  const whole = timestamp.toISOString().slice(0, 19);
  return fraction === "" ? `${whole}Z` : `${whole}.${fraction}Z`;
}

/** Microseconds from milliseconds of virtual time. */
export function microsOfMs(ms: number): bigint {
  return BigInt(Math.floor(ms)) * 1000n;
}
