import { formatJson, isJsonObject, type Json } from "../../../foundation/json/json.ts";
import { transferFactories } from "../../rules/context-lookups.ts";
import { memberAt, objectAt } from "../../rules/members.ts";
import type { Finding } from "../../rules/rule.ts";
import { emptyArguments, lookupExample, transfer } from "../_samples.ts";
import type { ClientRule } from "../client-rule.ts";

const requested = (extraArgs: Json | undefined) => ({
  ...lookupExample(transfer("1.0")),
  requestBody: { choiceArguments: { ...transfer("1.0"), ...(extraArgs === undefined ? {} : { extraArgs }) } },
});

/** An object with an empty `values` map also counts as empty (Splice 0.7, recorded responses). */
export const lookupContextEmpty: ClientRule = {
  type: "exchange",
  id: "lookup-context-empty",
  section: "2.1",
  severity: "error",
  sentence:
    "The arguments are encoded as the ledger encodes them in JSON, and `extraArgs.context` and `extraArgs.meta` are empty objects.",
  summary: "A lookup sends empty objects as extraArgs.context and extraArgs.meta.",
  why: "The lookup provides the context. A strict registry rejects other values; a lenient one may respond for another choice than the exercised one.",
  advice:
    'Look up with `"extraArgs": {"context": {"values": {}}, "meta": {"values": {}}}`, and add the context afterwards.',
  operations: transferFactories,
  appliesTo: ({ requestJson }) => Object.keys(objectAt(requestJson, "choiceArguments") ?? {}).length > 0,
  check: ({ requestJson }) =>
    ["context", "meta"].flatMap((name): readonly Finding[] => {
      const value = memberAt(requestJson, "choiceArguments", "extraArgs", name);
      if (isEmpty(value)) return [];
      const actual = value === undefined ? "nothing" : formatJson(value).slice(0, 200);
      return [{ expected: "an empty object", actual, pointer: `/choiceArguments/extraArgs/${name}` }];
    }),
  examples: {
    kept: [
      { ...requested(emptyArguments), name: "maps without values" },
      { ...requested({ context: {}, meta: {} }), name: "empty objects" },
      { ...requested(undefined), name: "no arguments", requestBody: { choiceArguments: {} } },
    ],
    broken: [
      {
        ...requested({
          ...emptyArguments,
          context: { values: { "open-round": { tag: "AV_ContractId", value: "00ab" } } },
        }),
        name: "the context of an earlier lookup",
      },
      { ...requested({ ...emptyArguments, meta: { values: { reason: "rent" } } }), name: "a memo" },
      { ...requested(undefined), name: "missing context and meta" },
    ],
  },
};

function isEmpty(value: Json | undefined): boolean {
  if (!isJsonObject(value)) return false;
  for (const name in value) if (name !== "values") return false;
  const values = value["values"];
  return values === undefined || (isJsonObject(values) && Object.keys(values).length === 0);
}
