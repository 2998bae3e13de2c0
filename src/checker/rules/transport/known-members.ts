import { isJsonObject, type Json } from "../../../foundation/json/json.ts";
import { declaredResponse, escapeSegment } from "../../../foundation/spec/operation.ts";
import type { Shape } from "../../../foundation/spec/shape.ts";
import { shown } from "../_schema-findings.ts";
import type { ExchangeRule, Finding } from "../rule.ts";
import { ledgerError, lookup, lookupResponse } from "../sample-bodies.ts";
import { users } from "../sample-users.ts";

/** Unknown members that one response may report. */
const unknownMax = 20;

/** The spec does not forbid further members; one that it does not name may be a misspelt one. */
export const knownMembers: ExchangeRule = {
  type: "exchange",
  id: "known-members",
  section: "2",
  severity: "warning",
  summary: "A response has only members that the spec names. Objects whose members the spec does not show are skipped.",
  yieldsTo: ["success-is-no-error"],
  appliesTo: (checked) =>
    checked.mediaType === "application/json" && declaredResponse(checked.operation, checked.status) !== undefined,
  check(checked) {
    const { spec, operation, responseJson } = checked;
    const findings: Finding[] = [];
    const schema = declaredResponse(operation, checked.status)?.schema;
    if (schema === undefined || responseJson === undefined) return findings;
    const shape = spec.shapes[operation.api].shapeAt(schema);
    if (hasUnknown(shape, responseJson)) addUnknown(findings, shape, responseJson, "");
    return findings;
  },
  examples: {
    kept: [
      { ...users, name: "only named members" },
      {
        ...lookup,
        name: "any member in context data",
        body: lookupResponse({}, { choiceContext: { choiceContextData: { any: 1 }, disclosedContracts: [] } }),
      },
    ],
    broken: [
      { ...users, name: "another member of a page", body: '{"users":[],"nextToken":""}' },
      { ...users, name: "another member of a user", body: '{"users":[{"id":"a","name":"Alice"}]}' },
      { ...users, name: "another member of an error", status: 503, body: ledgerError.replace("{", '{"message":"x",') },
    ],
  },
};

/** Whether `addUnknown` has findings. Most responses have none, and need no pointers. */
function hasUnknown(shape: Shape, value: Json): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (!isJsonObject(value)) return value.some((element) => hasUnknown(shape.items, element));
  const { properties, isOneKeyWrapper } = shape;
  if (properties.size === 0 || isOneKeyWrapper) return false;
  for (const name in value) {
    const inner = properties.get(name);
    if (inner === undefined || hasUnknown(inner, value[name] ?? null)) return true;
  }
  return false;
}

/** A shape without named members is a map, or an object whose members the spec does not show. */
function addUnknown(findings: Finding[], shape: Shape, value: Json, pointer: string): void {
  if (typeof value !== "object" || value === null || findings.length >= unknownMax) return;
  if (!isJsonObject(value)) {
    for (const [index, element] of value.entries()) addUnknown(findings, shape.items, element, `${pointer}/${index}`);
    return;
  }
  const { properties, isOneKeyWrapper } = shape;
  if (properties.size === 0 || isOneKeyWrapper) return;
  for (const name in value) {
    if (findings.length >= unknownMax) return;
    const [inner, member] = [properties.get(name), value[name] ?? null];
    if (inner === undefined)
      findings.push({ expected: "a member that the spec names", actual: shown(name), pointer, keyword: "unknown" });
    // Most members are not objects: their pointers are not made.
    else if (typeof member === "object") addUnknown(findings, inner, member, `${pointer}/${escapeSegment(name)}`);
  }
}
