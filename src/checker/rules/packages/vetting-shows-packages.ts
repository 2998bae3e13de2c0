import { isJsonObject, type Json } from "../../../foundation/json/json.ts";
import { isIdentifier } from "../../../foundation/spec/identifiers.ts";
import { shown } from "../_schema-findings.ts";
import { vettingOperations } from "../_vetting.ts";
import type { ExchangeRule, Finding } from "../rule.ts";
import { vetting } from "../sample-vetting.ts";

/** The spec shows neither the name of the member nor those of a VettedPackages value. */
export const vettingShowsPackages: ExchangeRule = {
  type: "exchange",
  id: "vetting-shows-packages",
  section: "4.2",
  severity: "error",
  summary: "The response to vetting has a VettedPackages value, whose members have their types.",
  operations: [...vettingOperations],
  yieldsTo: ["body-schema", "success-is-no-error"],
  appliesTo: ({ status, responseJson }) => status === 200 && responseJson !== undefined,
  check({ responseJson = null }) {
    if (!isJsonObject(responseJson) || Object.keys(responseJson).length === 0)
      return [{ expected: "a VettedPackages value", actual: "none", pointer: "", keyword: "required" }];
    const { newVettedPackages = null, pastVettedPackages = null } = responseJson;
    return [
      ...flaws(responseJson, ""),
      ...flaws(newVettedPackages, "/newVettedPackages"),
      ...flaws(pastVettedPackages, "/pastVettedPackages"),
    ];
  },
  examples: {
    kept: [
      { ...vetting, name: "a value", body: '{"newVettedPackages":{"packages":[]}}' },
      { ...vetting, name: "a bare value" },
    ],
    broken: [
      { ...vetting, name: "a text instead of a value", body: '{"newVettedPackages":"x"}' },
      { ...vetting, name: "packages that are no list", body: '{"newVettedPackages":{"packages":{}}}' },
      { ...vetting, name: "a serial below 0", body: '{"newVettedPackages":{"packages":[],"topologySerial":-1}}' },
      {
        ...vetting,
        name: "a synchronizer without a fingerprint",
        body: '{"newVettedPackages":{"packages":[],"synchronizerId":"main"}}',
      },
      { ...vetting, name: "an object without members", body: "{}" },
    ],
  },
};

/** Whether a member of a VettedPackages value is valid, with what is expected. A node without a state responds with null. */
const members: readonly (readonly [name: string, expected: string, isValid: (value: Json) => boolean])[] = [
  ["packages", "a list of objects", (value) => Array.isArray(value) && value.every(isJsonObject)],
  ["participantId", "name::fingerprint", (value) => isId("participantId", value)],
  ["synchronizerId", "name::fingerprint", (value) => isId("synchronizer", value)],
  [
    "topologySerial",
    "a serial",
    (value) => (typeof value === "bigint" || Number.isInteger(value)) && Number(value) >= 0,
  ],
];

function flaws(value: Json, pointer: string): readonly Finding[] {
  if (value === null) return [];
  if (!isJsonObject(value)) return [flaw("an object or null", value, pointer)];
  return members.flatMap(([name, expected, isValid]): readonly Finding[] => {
    const member = value[name];
    return member === undefined || isValid(member) ? [] : [flaw(expected, member, `${pointer}/${name}`)];
  });
}

function flaw(expected: string, value: Json, pointer: string): Finding {
  return { expected, actual: shown(value), pointer, keyword: "type", value };
}

function isId(syntax: string, value: Json): boolean {
  return typeof value === "string" && isIdentifier(syntax, value);
}
