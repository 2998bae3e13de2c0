import { isJsonObject, type Json } from "../../../foundation/json/json.ts";
import { shown } from "../_schema-findings.ts";
import { memberAt } from "../members.ts";
import type { CheckedExchange, ExchangeRule, Finding } from "../rule.ts";
import { lookup, lookupRequest, lookupResponse } from "../sample-bodies.ts";

export const debugMembersExcluded: ExchangeRule = {
  type: "exchange",
  id: "debug-members-excluded",
  section: "2.1",
  severity: "error",
  summary: "With excludeDebugFields the response has no non-null member whose name starts with `debug`.",
  appliesTo: ({ operation, status, requestJson, responseJson }) =>
    operation.api === "registry" &&
    status === 200 &&
    isJsonObject(requestJson) &&
    requestJson["excludeDebugFields"] === true &&
    responseJson !== undefined,
  check: debugMembers,
  examples: {
    kept: [{ ...lookup, name: "no debug member", requestBody: lookupRequest, body: lookupResponse() }],
    broken: [
      {
        ...lookup,
        name: "a debug member",
        requestBody: lookupRequest,
        body: lookupResponse({ debugPackageName: "splice-amulet" }),
      },
      {
        ...lookup,
        name: "a debug member that is null",
        requestBody: lookupRequest,
        body: lookupResponse({ debugPayload: null }),
      },
    ],
  },
};

/** Skips the context data and contract payloads, whose members are not the response's own. */
function debugMembers({ responseJson, disclosed }: CheckedExchange): readonly Finding[] {
  const findings: Finding[] = [];
  addDebugMembers(findings, responseJson, "");
  addDebugMembers(findings, memberAt(responseJson, "choiceContext"), "/choiceContext");
  for (const { contract, pointer } of disclosed) addDebugMembers(findings, contract, pointer);
  return findings;
}

function addDebugMembers(findings: Finding[], value: Json | undefined, pointer: string): void {
  if (!isJsonObject(value)) return;
  for (const name in value)
    if (name.startsWith("debug")) findings.push(debugMember(value[name] ?? null, pointer, name));
}

function debugMember(value: Json, place: string, name: string): Finding {
  return { expected: `no ${name}`, actual: shown(value), pointer: `${place}/${name}`, value };
}
