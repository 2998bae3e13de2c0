import type { Json } from "../../foundation/json/json.ts";
import type { SchemaViolation } from "../../foundation/spec/validator.ts";
import { shortened } from "../../foundation/text/shortened.ts";
import type { CheckedExchange, Finding } from "./rule.ts";

/** Checks a value against a schema of the exchange's API and gives each schema violation as a finding. */
export function schemaFindings(
  { spec, operation }: CheckedExchange,
  schemaPointer: string,
  value: Json,
): readonly Finding[] {
  return spec.validate[operation.api](schemaPointer, value).map((violation) => ({
    expected: expectedBy(violation),
    actual: violation.value === undefined ? "nothing" : shown(violation.value),
    pointer: violation.pointer,
    keyword: violation.keyword,
    value: violation.value,
  }));
}

function expectedBy({ keyword, pointer, message }: SchemaViolation): string {
  const place = pointer === "" ? "the body" : pointer;
  return keyword === "required" ? `the member ${place}` : `${place} ${message}`;
}

const shownLengthMax = 200;

export function shown(value: Json): string {
  if (value === null) return "null";
  const text =
    typeof value === "bigint"
      ? value.toString()
      : JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? inner.toString() : inner));
  return shortened(text, shownLengthMax);
}
