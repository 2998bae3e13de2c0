// Exchanges for the examples of client rules.
import type { JsonObject } from "../../foundation/json/json.ts";
import type { RuleExample } from "../rules/rule.ts";
import { contractId, disclosedContract, lookup, lookupResponse } from "../rules/sample-bodies.ts";
import { preparation } from "./_submissions.ts";

type Example = Omit<RuleExample, "name">;

export const emptyArguments: JsonObject = { context: { values: {} }, meta: { values: {} } };

/** The arguments of a transfer of this amount. */
export function transfer(amount: string, receiver = "bob::1220ab"): JsonObject {
  return {
    transfer: {
      sender: { owner: "alice::1220ab", provider: null, id: "" },
      receiver: { owner: receiver, provider: null, id: "" },
      amount,
      instrumentId: { admin: "DSO::1220ab", id: "Amulet" },
    },
    actors: ["alice::1220ab"],
  };
}

/** A lookup of a transfer. `contract` overrides members of its one disclosed contract. */
export function lookupExample(of: JsonObject, contract: object = {}): Example {
  return {
    ...lookup,
    requestHeaders: { Authorization: "" },
    requestBody: { choiceArguments: { ...of, extraArgs: emptyArguments }, excludeDebugFields: true },
    body: lookupResponse(contract),
  };
}

/** A lookup that gets 409. */
export function conflictExample(of: JsonObject): Example {
  return { ...lookupExample(of), status: 409, body: '{"error":"a contract is being reassigned"}' };
}

const context: JsonObject = { values: { rules: { tag: "AV_ContractId", value: contractId } } };

/** The command of that transfer, with the context of a lookup. */
export function exercise(of: JsonObject): JsonObject {
  const choiceArgument = { ...of, extraArgs: { ...emptyArguments, context } };
  return { ExerciseCommand: { templateId: "#t:T:F", contractId, choice: "TransferFactory_Transfer", choiceArgument } };
}

/** A preparation of that transfer with the context of a lookup; `more` adds members to its request. */
export function prepareExample(of: JsonObject, preparedTransaction: string, more: JsonObject = {}): Example {
  return {
    operationId: preparation,
    target: "/v2/interactive-submission/prepare",
    requestBody: {
      commandId: "c",
      actAs: ["alice::1220ab"],
      commands: [exercise(of)],
      disclosedContracts: [disclosedContract],
      ...more,
    },
    status: 200,
    body: JSON.stringify({
      preparedTransaction,
      preparedTransactionHash: "YQ==",
      hashingSchemeVersion: "HASHING_SCHEME_VERSION_V2",
    }),
  };
}

/** The same exchange with an error response. */
export function refused(example: Example, code: string, status = 400): Example {
  const body = JSON.stringify({ code, cause: "refused", context: {}, errorCategory: 9 });
  return { ...example, status, body };
}
