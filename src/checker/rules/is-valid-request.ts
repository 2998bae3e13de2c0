import { describedFindings, schemaFindings } from "./_schema-findings.ts";
import type { CheckedExchange } from "./rule.ts";

/** Whether the request has the members and parameters of the spec. A required body that is not recorded is not valid. */
export function isValidRequest(checked: CheckedExchange): boolean {
  const { operation, requestJson, query } = checked;
  const { requestSchema, parameters } = operation;
  const hasBody = requestSchema === undefined || requestJson !== undefined;
  const fits =
    requestSchema === undefined ||
    requestJson === undefined ||
    [...schemaFindings(checked, requestSchema, requestJson), ...describedFindings(checked, () => true)].length === 0;
  return hasBody && fits && parameters.every((parameter) => parameter.in !== "query" || fitsQuery(parameter, query));
}

function fitsQuery(
  { name, schema }: CheckedExchange["operation"]["parameters"][number],
  query: URLSearchParams,
): boolean {
  const values = query.getAll(name);
  return values.length <= 1 && (schema["type"] !== "integer" || values.every((text) => /^[1-9]\d{0,5}$/.test(text)));
}
