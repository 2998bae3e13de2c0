import { isJsonObject, type Json } from "../../../foundation/json/json.ts";
import { escapeSegment } from "../../../foundation/spec/operation.ts";
import { shown } from "../_schema-findings.ts";
import type { CheckedExchange, ExchangeRule, Finding } from "../rule.ts";
import { lookup, lookupResponse } from "../sample-bodies.ts";

const withKey = { values: { "debug-level": { tag: "AV_Text", value: "x" } } };

export const debugMembersExcluded: ExchangeRule = {
  type: "exchange",
  id: "debug-members-excluded",
  section: "2.1",
  severity: "error",
  summary: "With excludeDebugFields the response has no member whose name starts with `debug`, at any depth.",
  appliesTo: ({ operation, status, requestJson, responseJson }) =>
    operation.api === "registry" &&
    status === 200 &&
    isJsonObject(requestJson) &&
    requestJson["excludeDebugFields"] === true &&
    responseJson !== undefined,
  check: debugMembers,
  examples: {
    kept: [
      { ...lookup, name: "no debug member" },
      {
        ...lookup,
        name: "a key of the context data that starts with debug",
        body: lookupResponse({}, { choiceContext: { choiceContextData: withKey, disclosedContracts: [] } }),
      },
    ],
    broken: [
      { ...lookup, name: "a debug member", body: lookupResponse({ debugPackageName: "splice-amulet" }) },
      { ...lookup, name: "a debug member of the response", body: lookupResponse({}, { debugNote: "x" }) },
      {
        ...lookup,
        name: "a debug member of the context data",
        body: lookupResponse({}, { choiceContext: { choiceContextData: { debugNote: "x" }, disclosedContracts: [] } }),
      },
      { ...lookup, name: "a debug member that is null", body: lookupResponse({ debugPayload: null }) },
    ],
  },
};

/** Skips the keys of text maps in context data, which are data. Releases send null in additional operations too. */
function debugMembers({ operation, responseJson }: CheckedExchange): readonly Finding[] {
  const findings: Finding[] = [];
  addDebugMembers(findings, responseJson, "");
  return operation.isAdditional ? findings.filter(({ value }) => value !== null) : findings;
}

function addDebugMembers(findings: Finding[], value: Json | undefined, pointer: string): void {
  if (typeof value !== "object" || value === null) return;
  if (!isJsonObject(value)) {
    for (const [index, element] of value.entries()) addDebugMembers(findings, element, `${pointer}/${index}`);
    return;
  }
  for (const name in value) {
    const inner = value[name] ?? null;
    if (name.startsWith("debug") && !mapKey.test(pointer)) findings.push(debugMember(inner, pointer, name));
    // Most members are not objects: their pointers are not made.
    else if (typeof inner === "object") addDebugMembers(findings, inner, `${pointer}/${escapeSegment(name)}`);
  }
}

/** A place whose members are keys of a text map in context data. */
const mapKey = /\/choiceContextData(?:\/.*)?\/(?:values|value)$/;

function debugMember(value: Json, place: string, name: string): Finding {
  return { expected: `no ${name}`, actual: shown(value), pointer: `${place}/${name}`, value };
}
