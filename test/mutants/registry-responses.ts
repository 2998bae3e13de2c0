import { Body } from "../../src/foundation/http/body.ts";
import type { Response } from "../../src/foundation/http/response.ts";
import { type Json, type JsonObject, jsonOf } from "../../src/foundation/json/json.ts";
import {
  changing,
  changingBody,
  changingStatus,
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
  changingStatus("lookup-200-as-201", "lookup", 200, (response) => ({ ...response, status: 201 })),
  changingStatus("lookup-200-as-text", "lookup", 200, (response) => withContentType(response, "text/plain")),
  changingStatus("lookup-400-as-422", "lookup", 400, (response) => ({ ...response, status: 422 })),
  changingStatus("lookup-400-as-500", "lookup", 400, (response) => ({ ...response, status: 500 })),
  changingStatus("lookup-400-as-text", "lookup", 400, (response) => withText(response, "bad", "text/plain")),
  changingStatus("lookup-409-as-text", "lookup", 409, (response) => withText(response, "later", "text/plain")),
  changingStatus("lookup-409-as-423", "lookup", 409, (response) => ({ ...response, status: 423 })),
  changingStatus("lookup-409-empty-object", "lookup", 409, (response) => withJson(response, {})),
  changing("lookup-401", "lookup", () => json(401, { error: "no token" })),
  changingBody("lookup-error-under-another-name", "lookup", 400, () => ({ message: "bad" })),
  changingBody("lookup-error-null", "lookup", 400, () => ({ error: null })),
  changingBody("lookup-error-list", "lookup", 400, () => ({ error: ["bad"] })),
  changingStatus("lookup-error-cut-short", "lookup", 400, (response) => ({
    ...response,
    body: new Body(response.body.bytes().subarray(0, 5)),
  })),
];

const members: readonly Mutant[] = [
  ...["factoryId", "transferKind", "choiceContext"].map((member) =>
    eachResponse(`lookup-without-${member}`, (response) => without(response, member)),
  ),
  eachResponse("lookup-factory-null", (response) => ({ ...response, factoryId: null })),
  eachResponse("lookup-factory-a-name", (response) => ({ ...response, factoryId: "external-party-amulet-rules" })),
  eachResponse("lookup-factory-not-disclosed", (response) => ({ ...response, factoryId: `00${"ee".repeat(68)}` })),
  eachResponse("lookup-kind-in-capitals", (response) => ({ ...response, transferKind: "OFFER" })),
  eachContext("lookup-without-data", (context) => without(context, "choiceContextData")),
  eachContext("lookup-data-null", (context) => ({ ...context, choiceContextData: null })),
  eachContext("lookup-data-without-values", (context) => ({ ...context, choiceContextData: {} })),
  eachContext("lookup-data-untagged", (context) => ({ ...context, choiceContextData: { values: { a: "00" } } })),
  eachContext("lookup-without-contracts", (context) => without(context, "disclosedContracts")),
  eachContext("lookup-contracts-null", (context) => ({ ...context, disclosedContracts: null })),
  eachContext("lookup-contracts-of-texts", (context) => ({ ...context, disclosedContracts: ["00"] })),
  eachContext("lookup-contract-omitted", (context) => ({
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
  eachContract("contract-blob-not-base64", (contract) => ({ ...contract, createdEventBlob: "not base64!" })),
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
    profile: "spec",
    wrap: (inner) => (request) =>
      inner(
        isOf("lookup", request) && isWhole(request.body)
          ? withBody(request, { ...requestBody(request), excludeDebugFields: false })
          : request,
      ),
  },
  {
    id: "lookup-debug-excluded-by-default",
    profile: "spec",
    wrap: (inner) => (request) => {
      const body = requestBody(request);
      const isDefault = isOf("lookup", request) && isWhole(request.body) && body["excludeDebugFields"] === undefined;
      return inner(isDefault ? withBody(request, { ...body, excludeDebugFields: true }) : request);
    },
  },
  eachResponse("lookup-self-between-two", (response) => ({ ...response, transferKind: "self" })),
  eachResponse("lookup-offer-always", (response) => ({ ...response, transferKind: "offer" })),
  eachResponse("lookup-direct-always", (response) => ({ ...response, transferKind: "direct" })),
  changingBody("lookup-offer-though-approved", "lookup", 200, (response) =>
    response["transferKind"] === "direct" ? { ...response, transferKind: "offer" } : undefined,
  ),
  changingBody("lookup-direct-though-not-approved", "lookup", 200, (response) =>
    response["transferKind"] === "offer" ? { ...response, transferKind: "direct" } : undefined,
  ),
  remembering("lookup-200-while-reassigned", (response, first) => (response.status === 409 ? first : undefined)),
  remembering("lookup-synchronizer-of-before", (response, first) => (response.status === 200 ? first : undefined)),
  changingBody("lookup-context-by-inputs", "lookup", 200, (response, request) => {
    const transfer = objectIn(objectIn(requestBody(request)["choiceArguments"])["transfer"]);
    const inputs = listIn(transfer["inputHoldingCids"]).map((value) => ({ tag: "AV_ContractId", value }));
    const context = objectIn(response["choiceContext"]);
    const values = {
      ...objectIn(objectIn(context["choiceContextData"])["values"]),
      inputs: { tag: "AV_List", value: inputs },
    };
    return { ...response, choiceContext: { ...context, choiceContextData: { values } } };
  }),
  accepting("lookup-malformed-accepted", (text) => text !== "" && jsonOf(text) === undefined),
  accepting(
    "lookup-without-arguments-accepted",
    (text) => isWhole(new Body(text)) && !text.includes("choiceArguments"),
  ),
];

function eachResponse(id: string, spoil: (response: JsonObject) => Json): Mutant {
  return changingBody(id, "lookup", 200, spoil);
}

function eachContext(id: string, spoil: (context: JsonObject) => Json): Mutant {
  return eachResponse(id, (response) => ({ ...response, choiceContext: spoil(objectIn(response["choiceContext"])) }));
}

function eachContract(id: string, spoil: (contract: JsonObject) => Json): Mutant {
  return eachContext(id, (context) => ({
    ...context,
    disclosedContracts: listIn(context["disclosedContracts"]).map((contract) => spoil(objectIn(contract))),
  }));
}

/** A fault that depends on the first successful lookup. */
function remembering(
  id: string,
  change: (response: Response, first: Response | undefined) => Response | undefined,
): Mutant {
  return {
    id,
    profile: "spec",
    wrap: (inner) => {
      let first: Response | undefined;
      return async (request) => {
        const response = await inner(request);
        if (response.type === "broken" || !isOf("lookup", request)) return response;
        const changed = change(response, first);
        if (response.status === 200) first ??= response;
        return changed ?? response;
      };
    },
  };
}

const someResponse = {
  factoryId: `00${"ab".repeat(68)}`,
  transferKind: "offer",
  choiceContext: { choiceContextData: { values: {} }, disclosedContracts: [] },
};

/** A fault that accepts invalid requests. */
function accepting(id: string, isBad: (text: string) => boolean): Mutant {
  return changing(id, "lookup", (_, request) => (isBad(request.body.text()) ? json(200, someResponse) : undefined));
}

function isWhole(body: Body): boolean {
  const value = jsonOf(body.text());
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export const registryResponses: readonly Mutant[] = [...statuses, ...members, ...meanings];
