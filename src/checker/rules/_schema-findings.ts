import { isJsonObject, type Json } from "../../foundation/json/json.ts";
import type { DescribedField } from "../../foundation/spec/described-fields.ts";
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

/**
 * Wrong values of members of the request whose JSON names the spec does not show. A target with another name of a required
 * one must refuse the request too, because it lacks the member.
 */
export function describedFindings(
  checked: CheckedExchange,
  isChecked: (field: DescribedField) => boolean,
): readonly Finding[] {
  const { operation, requestJson, spec } = checked;
  if (operation.api !== "ledger" || operation.requestSchema === undefined || !isJsonObject(requestJson)) return [];
  const members = Object.entries(requestJson);
  return spec
    .describedFields(operation.requestSchema)
    .filter(isChecked)
    .flatMap(({ names, schema }) =>
      members
        .filter(([name]) => names.includes(name))
        .flatMap(([name, value]) =>
          schemaFindings(checked, schema, value).map((finding) => ({
            ...finding,
            pointer: `/${name}${finding.pointer}`,
          })),
        ),
    );
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
