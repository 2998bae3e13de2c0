import { isJsonObject, type Json } from "../../http/json.ts";
import type { ExchangeRule, Finding } from "../rule.ts";
import { lookupAnswer, lookupRequest, lookupTarget } from "./_sample-bodies.ts";
import { shown } from "./_schema-findings.ts";

const lookup = { operationId: "getTransferFactory", target: lookupTarget, status: 200 } as const;

export const debugMembersExcluded: ExchangeRule = {
  type: "exchange",
  id: "debug-members-excluded",
  section: "2.1",
  severity: "error",
  summary: "With excludeDebugFields no disclosed contract has a member whose name starts with debug.",
  appliesTo: ({ operation, status, requestJson, responseJson }) =>
    operation.api === "registry" &&
    status === 200 &&
    isJsonObject(requestJson) &&
    requestJson["excludeDebugFields"] === true &&
    responseJson !== undefined,
  check: ({ responseJson }) => debugMembers(responseJson),
  examples: {
    kept: [{ ...lookup, name: "no debug member", requestBody: lookupRequest, body: lookupAnswer("") }],
    broken: [
      {
        ...lookup,
        name: "a package name",
        requestBody: lookupRequest,
        body: lookupAnswer(',"debugPackageName":"splice-amulet"'),
      },
      {
        ...lookup,
        name: "a member that is null",
        requestBody: lookupRequest,
        body: lookupAnswer(',"debugPayload":null'),
      },
    ],
  },
};

function debugMembers(body: Json | undefined): readonly Finding[] {
  const context = isJsonObject(body) ? body["choiceContext"] : undefined;
  const disclosed = isJsonObject(context) ? context["disclosedContracts"] : undefined;
  if (!Array.isArray(disclosed)) return [];
  return disclosed.flatMap((contract: Json, index) => {
    if (!isJsonObject(contract)) return [];
    const names = Object.keys(contract).filter((name) => name.startsWith("debug"));
    return names.map((name) => debugMember(contract[name] ?? null, `/choiceContext/disclosedContracts/${index}`, name));
  });
}

function debugMember(value: Json, contract: string, name: string): Finding {
  return { expected: `no ${name}`, actual: shown(value), pointer: `${contract}/${name}`, value };
}
