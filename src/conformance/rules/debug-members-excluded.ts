import { isJsonObject, type Json } from "../../http/json.ts";
import type { ExchangeRule, Finding } from "../rule.ts";
import { disclosedContracts } from "./_lookup.ts";
import { memberAt } from "./_members.ts";
import { lookup, lookupAnswer, lookupRequest } from "./_sample-bodies.ts";
import { shown } from "./_schema-findings.ts";

export const debugMembersExcluded: ExchangeRule = {
  type: "exchange",
  id: "debug-members-excluded",
  section: "2.1",
  severity: "error",
  summary: "With excludeDebugFields the answer has no member whose name starts with debug.",
  appliesTo: ({ operation, status, requestJson, responseJson }) =>
    operation.api === "registry" &&
    status === 200 &&
    isJsonObject(requestJson) &&
    requestJson["excludeDebugFields"] === true &&
    responseJson !== undefined,
  check: ({ responseJson }) => debugMembers(responseJson),
  examples: {
    kept: [{ ...lookup, name: "no debug member", requestBody: lookupRequest, body: lookupAnswer() }],
    broken: [
      {
        ...lookup,
        name: "a package name",
        requestBody: lookupRequest,
        body: lookupAnswer({ debugPackageName: "splice-amulet" }),
      },
      {
        ...lookup,
        name: "a member that is null",
        requestBody: lookupRequest,
        body: lookupAnswer({ debugPayload: null }),
      },
    ],
  },
};

/** The data of the context and the payload of a contract are not the answer's own members. */
function debugMembers(body: Json | undefined): readonly Finding[] {
  const places: readonly { readonly value: Json | undefined; readonly pointer: string }[] = [
    { value: body, pointer: "" },
    { value: memberAt(body, "choiceContext"), pointer: "/choiceContext" },
    ...disclosedContracts(body).map(({ contract, pointer }) => ({ value: contract, pointer })),
  ];
  return places.flatMap(({ value, pointer }) => {
    if (!isJsonObject(value)) return [];
    const names = Object.keys(value).filter((name) => name.startsWith("debug"));
    return names.map((name) => debugMember(value[name] ?? null, pointer, name));
  });
}

function debugMember(value: Json, place: string, name: string): Finding {
  return { expected: `no ${name}`, actual: shown(value), pointer: `${place}/${name}`, value };
}
