import type { Response } from "../../src/foundation/http/response.ts";
import { type Json, type JsonObject, jsonIn } from "../../src/foundation/json/json.ts";
import {
  changing,
  changingBody,
  isOf,
  json,
  listIn,
  type Mutant,
  objectIn,
  requestBody,
  withBody,
  withContentType,
  withJson,
  without,
  withText,
} from "./_mutant.ts";

// Faults of the registry's lookup.

const statuses: readonly Mutant[] = [
  changing("lookup-200-as-201", "lookup", (answer) => (answer.status === 200 ? { ...answer, status: 201 } : undefined)),
  changing("lookup-200-as-text", "lookup", (answer) =>
    answer.status === 200 ? withContentType(answer, "text/plain") : undefined,
  ),
  changing("lookup-400-as-422", "lookup", (answer) => (answer.status === 400 ? { ...answer, status: 422 } : undefined)),
  changing("lookup-400-as-500", "lookup", (answer) => (answer.status === 400 ? { ...answer, status: 500 } : undefined)),
  changing("lookup-400-as-text", "lookup", (answer) =>
    answer.status === 400 ? withText(answer, "bad", "text/plain") : undefined,
  ),
  changing("lookup-409-as-text", "lookup", (answer) =>
    answer.status === 409 ? withText(answer, "later", "text/plain") : undefined,
  ),
  changing("lookup-409-as-423", "lookup", (answer) => (answer.status === 409 ? { ...answer, status: 423 } : undefined)),
  changing("lookup-409-empty-object", "lookup", (answer) => (answer.status === 409 ? withJson(answer, {}) : undefined)),
  changing("lookup-401", "lookup", () => json(401, { error: "no token" })),
  changingBody("lookup-error-under-another-name", "lookup", 400, () => ({ message: "bad" })),
  changingBody("lookup-error-null", "lookup", 400, () => ({ error: null })),
  changingBody("lookup-error-list", "lookup", 400, () => ({ error: ["bad"] })),
  changing("lookup-error-cut-short", "lookup", (answer) =>
    answer.status === 400 ? { ...answer, body: answer.body.subarray(0, 5) } : undefined,
  ),
];

const members: readonly Mutant[] = [
  ...["factoryId", "transferKind", "choiceContext"].map((member) =>
    eachAnswer(`lookup-without-${member}`, (answer) => without(answer, member)),
  ),
  eachAnswer("lookup-factory-null", (answer) => ({ ...answer, factoryId: null })),
  eachAnswer("lookup-factory-a-name", (answer) => ({ ...answer, factoryId: "external-party-amulet-rules" })),
  eachAnswer("lookup-factory-not-disclosed", (answer) => ({ ...answer, factoryId: `00${"ee".repeat(68)}` })),
  eachAnswer("lookup-kind-in-capitals", (answer) => ({ ...answer, transferKind: "OFFER" })),
  eachContext("lookup-without-data", (context) => without(context, "choiceContextData")),
  eachContext("lookup-data-null", (context) => ({ ...context, choiceContextData: null })),
  eachContext("lookup-data-without-values", (context) => ({ ...context, choiceContextData: {} })),
  eachContext("lookup-data-untagged", (context) => ({ ...context, choiceContextData: { values: { a: "00" } } })),
  eachContext("lookup-without-contracts", (context) => without(context, "disclosedContracts")),
  eachContext("lookup-contracts-null", (context) => ({ ...context, disclosedContracts: null })),
  eachContext("lookup-contracts-of-texts", (context) => ({ ...context, disclosedContracts: ["00"] })),
  eachContext("lookup-contract-left-out", (context) => ({
    ...context,
    disclosedContracts: listIn(context["disclosedContracts"]).slice(1),
  })),
  eachContext("lookup-contract-twice", (context) => ({
    ...context,
    disclosedContracts: [...listIn(context["disclosedContracts"]), ...listIn(context["disclosedContracts"]).slice(-1)],
  })),
  eachContext("lookup-blobs-mixed-up", (context) => {
    const contracts = listIn(context["disclosedContracts"]).map(objectIn);
    const blobs = contracts.map((contract) => contract["createdEventBlob"] ?? null);
    return {
      ...context,
      disclosedContracts: contracts.map((contract, index) => ({
        ...contract,
        createdEventBlob: blobs[(index + 1) % blobs.length] ?? null,
      })),
    };
  }),
  ...["templateId", "contractId", "createdEventBlob", "synchronizerId"].flatMap((member) => [
    eachContract(`contract-without-${member}`, (contract) => without(contract, member)),
    eachContract(`contract-${member}-null`, (contract) => ({ ...contract, [member]: null })),
  ]),
  eachContract("contract-id-in-capitals", (contract) => ({
    ...contract,
    contractId: String(contract["contractId"]).toUpperCase(),
  })),
  eachContract("contract-blob-empty", (contract) => ({ ...contract, createdEventBlob: "" })),
  eachContract("contract-blob-no-base64", (contract) => ({ ...contract, createdEventBlob: "not base64!" })),
  eachContract("contract-blob-of-nothing-known", (contract) => ({ ...contract, createdEventBlob: "aGVsbG8=" })),
  eachContract("contract-blob-cut-short", (contract) => ({
    ...contract,
    createdEventBlob: String(contract["createdEventBlob"]).slice(0, 40),
  })),
  eachContract("contract-of-another-template", (contract) => ({
    ...contract,
    templateId: `${String(contract["templateId"])}2`,
  })),
  eachContract("contract-template-unqualified", (contract) => ({ ...contract, templateId: "AmuletRules" })),
  eachContract("contract-template-by-name", (contract) => ({
    ...contract,
    templateId: String(contract["templateId"]).replace(/^[0-9a-f]+/, "#splice-amulet"),
  })),
  eachContract("contract-synchronizer-empty", (contract) => ({ ...contract, synchronizerId: "" })),
  eachContract("contract-synchronizer-alias", (contract) => ({ ...contract, synchronizerId: "global" })),
  eachContract("contract-debug-date", (contract) => ({ ...contract, debugCreatedAt: "yesterday" })),
  eachContract("contract-debug-payload", (contract) => ({ ...contract, debugPayload: "x" })),
  eachContract("contract-debug-null", (contract) => ({ ...contract, debugPackageName: null })),
  eachContract("contract-debug-of-another-name", (contract) => ({ ...contract, debugSignatories: [] })),
];

const meanings: readonly Mutant[] = [
  {
    id: "lookup-debug-though-excluded",
    profile: "document",
    wrap: (inner) => (request) =>
      inner(
        isOf("lookup", request) && isWhole(request.body)
          ? withBody(request, { ...requestBody(request), excludeDebugFields: false })
          : request,
      ),
  },
  {
    id: "lookup-debug-excluded-by-default",
    profile: "document",
    wrap: (inner) => (request) => {
      const body = requestBody(request);
      const isDefault = isOf("lookup", request) && isWhole(request.body) && body["excludeDebugFields"] === undefined;
      return inner(isDefault ? withBody(request, { ...body, excludeDebugFields: true }) : request);
    },
  },
  eachAnswer("lookup-self-between-two", (answer) => ({ ...answer, transferKind: "self" })),
  eachAnswer("lookup-offer-always", (answer) => ({ ...answer, transferKind: "offer" })),
  eachAnswer("lookup-direct-always", (answer) => ({ ...answer, transferKind: "direct" })),
  changingBody("lookup-offer-though-approved", "lookup", 200, (answer) =>
    answer["transferKind"] === "direct" ? { ...answer, transferKind: "offer" } : undefined,
  ),
  changingBody("lookup-direct-though-not-approved", "lookup", 200, (answer) =>
    answer["transferKind"] === "offer" ? { ...answer, transferKind: "direct" } : undefined,
  ),
  remembering("lookup-200-while-reassigned", (answer, last) => (answer.status === 409 ? last : undefined)),
  remembering("lookup-synchronizer-of-before", (answer, last) => (answer.status === 200 ? last : undefined)),
  changingBody("lookup-context-by-inputs", "lookup", 200, (answer, request) => {
    const transfer = objectIn(objectIn(requestBody(request)["choiceArguments"])["transfer"]);
    const inputs = listIn(transfer["inputHoldingCids"]).map((value) => ({ tag: "AV_ContractId", value }));
    const context = objectIn(answer["choiceContext"]);
    const values = {
      ...objectIn(objectIn(context["choiceContextData"])["values"]),
      inputs: { tag: "AV_List", value: inputs },
    };
    return { ...answer, choiceContext: { ...context, choiceContextData: { values } } };
  }),
  accepting("lookup-malformed-accepted", (text) => text !== "" && jsonIn(new TextEncoder().encode(text)) === undefined),
  accepting(
    "lookup-without-arguments-accepted",
    (text) => isWhole(new TextEncoder().encode(text)) && !text.includes("choiceArguments"),
  ),
];

function eachAnswer(id: string, spoil: (answer: JsonObject) => Json): Mutant {
  return changingBody(id, "lookup", 200, spoil);
}

function eachContext(id: string, spoil: (context: JsonObject) => Json): Mutant {
  return eachAnswer(id, (answer) => ({ ...answer, choiceContext: spoil(objectIn(answer["choiceContext"])) }));
}

function eachContract(id: string, spoil: (contract: JsonObject) => Json): Mutant {
  return eachContext(id, (context) => ({
    ...context,
    disclosedContracts: listIn(context["disclosedContracts"]).map((contract) => spoil(objectIn(contract))),
  }));
}

/** A fault that goes by the last lookup of the same kind that succeeded. */
function remembering(
  id: string,
  change: (answer: Response, last: Response | undefined) => Response | undefined,
): Mutant {
  return {
    id,
    profile: "document",
    wrap: (inner) => {
      let first: Response | undefined;
      return async (request) => {
        const answer = await inner(request);
        if (answer.type === "broken" || !isOf("lookup", request)) return answer;
        const changed = change(answer, first);
        if (answer.status === 200) first ??= answer;
        return changed ?? answer;
      };
    },
  };
}

const someAnswer = {
  factoryId: `00${"ab".repeat(68)}`,
  transferKind: "offer",
  choiceContext: { choiceContextData: { values: {} }, disclosedContracts: [] },
};

/** A fault that answers what has to be refused. */
function accepting(id: string, isBad: (text: string) => boolean): Mutant {
  return changing(id, "lookup", (_, request) =>
    isBad(new TextDecoder().decode(request.body)) ? json(200, someAnswer) : undefined,
  );
}

function isWhole(body: Uint8Array): boolean {
  const value = jsonIn(body);
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export const registryAnswers: readonly Mutant[] = [...statuses, ...members, ...meanings];
