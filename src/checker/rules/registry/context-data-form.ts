import { isJsonObject, type Json } from "../../../foundation/json/json.ts";
import { shown } from "../_schema-findings.ts";
import { contextLookups, isSuccessfulLookup, type PlacedContext, placedContext } from "../context-lookups.ts";
import { memberAt, objectAt } from "../members.ts";
import type { CheckedExchange, ExchangeRule, Finding } from "../rule.ts";
import { acceptLookup, disclosedContract, lookup, lookupResponse } from "../sample-bodies.ts";

const withData = (choiceContextData: object) =>
  lookupResponse({}, { choiceContext: { choiceContextData, disclosedContracts: [disclosedContract] } });
const tags: ReadonlySet<string> = new Set(
  ["Text", "Int", "Decimal", "Bool", "Date", "Time", "RelTime", "Party", "ContractId", "List", "Map"].map(
    (name) => `AV_${name}`,
  ),
);

/**
 * The spec leaves the data open; clients pass it on in a choice argument of this form (Splice 0.7,
 * TransferInstructionV1.daml and V2 and recorded responses).
 */
export const contextDataForm: ExchangeRule = {
  type: "exchange",
  id: "context-data-form",
  section: "2.1",
  severity: "warning",
  summary: "The data of a choice context has `values`, each with `tag` and `value`.",
  operations: contextLookups,
  appliesTo: (checked) =>
    isSuccessfulLookup(checked) && objectAt(contextOf(checked)?.context, "choiceContextData") !== undefined,
  check(checked) {
    const { context, pointer } = contextOf(checked) ?? {};
    const values = memberAt(context, "choiceContextData", "values");
    const place = `${pointer}/choiceContextData/values`;
    if (!isJsonObject(values))
      return [{ expected: "values", actual: shown(values ?? null), pointer: place, keyword: "required" }];
    return Object.entries(values).flatMap(([key, value]): readonly Finding[] =>
      isAnyValue(value)
        ? []
        : [
            {
              expected: "a value with tag and value",
              actual: shown(value),
              pointer: `${place}/${key}`,
              keyword: "tag",
            },
          ],
    );
  },
  examples: {
    kept: [{ ...lookup, name: "a contract id" }],
    broken: [
      { ...acceptLookup({}, { choiceContextData: {} }), name: "data without values, to accept" },
      { ...lookup, name: "data without values", body: withData({}) },
      { ...lookup, name: "a tag without a value", body: withData({ values: { rules: { tag: "AV_Text" } } }) },
      { ...lookup, name: "a value without a tag", body: withData({ values: { rules: "00ab" } }) },
    ],
  },
};

function contextOf({ operation, responseJson }: CheckedExchange): PlacedContext | undefined {
  return placedContext(operation.operationId, responseJson);
}

function isAnyValue(value: Json): boolean {
  const tag = memberAt(value, "tag");
  return typeof tag === "string" && tags.has(tag) && memberAt(value, "value") !== undefined;
}
