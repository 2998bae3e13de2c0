import { formatJson, isJsonObject, type Json } from "../../../foundation/json/json.ts";
import { memberAt, objectAt } from "../../rules/members.ts";
import type { Finding } from "../../rules/rule.ts";
import { emptyArguments, lookupExample, transfer } from "../_samples.ts";
import type { ClientRule } from "../client-rule.ts";

const requested = (extraArgs: Json | undefined) => ({
  ...lookupExample(transfer("1.0")),
  requestBody: { choiceArguments: { ...transfer("1.0"), ...(extraArgs === undefined ? {} : { extraArgs }) } },
});

/** An empty map of values is an empty object (Splice 0.7, recorded responses). */
export const lookupContextEmpty: ClientRule = {
  type: "exchange",
  id: "lookup-context-empty",
  section: "2.1",
  severity: "error",
  sentence:
    "It is the JSON encoding of those arguments in the ledger's JSON encoding, with `extraArgs.context` and `extraArgs.meta` set to empty objects.",
  summary: "A lookup asks with empty objects as extraArgs.context and extraArgs.meta.",
  why: "The context is what the lookup is to give. A registry that reads the arguments strictly refuses others, and one that does not may respond for another choice than the one that is exercised.",
  advice:
    'Look up with `"extraArgs": {"context": {"values": {}}, "meta": {"values": {}}}`, and put the context in afterwards.',
  operations: ["getTransferFactory"],
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
      { ...requested(undefined), name: "no arguments at all", requestBody: { choiceArguments: {} } },
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
      { ...requested(undefined), name: "neither" },
    ],
  },
};

function isEmpty(value: Json | undefined): boolean {
  if (!isJsonObject(value)) return false;
  const { values, ...others } = value;
  return (
    Object.keys(others).length === 0 &&
    (values === undefined || (isJsonObject(values) && Object.keys(values).length === 0))
  );
}
