import { Body } from "../../../src/foundation/http/body.ts";
import type { Json, JsonObject } from "../../../src/foundation/json/json.ts";
import { json, listIn, objectIn, requestBody, withContentType, withText } from "../_mutant.ts";
import {
  accepts,
  acceptsTyped,
  acceptsWithout,
  always,
  body,
  ledgerError,
  member,
  type Plant,
  type Row,
  refuses,
  requested,
  requires,
  response,
  text,
  withMember,
} from "./_plant.ts";

const required = "2.1: Required means the field must be present in the request or is always present in the response.";
const types = "2.1: The type of a field is its JSON type.";
const kinds = "2.1: transferKind, enum: self, direct, offer.";
const excluded = "2.1: When true, the response omits every field whose name starts with debug.";
const errors = "2.1: ErrorResponse (registry errors): object with required field error (string).";
const conflict = "7: 409 is returned when a disclosed contract is in the process of being reassigned.";
const isPublic = "5: The registry endpoint declares no security requirement.";

/** Changes the choice context of successful lookups. */
function context(change: (context: JsonObject, request: JsonObject) => Json): Plant {
  return body("lookup", 200, (given, request) => ({
    ...given,
    choiceContext: change(objectIn(given["choiceContext"]), requestBody(request)),
  }));
}

/** Changes every disclosed contract. */
function contracts(change: (contract: JsonObject, request: JsonObject) => Json): Plant {
  return context((given, request) => ({
    ...given,
    disclosedContracts: listIn(given["disclosedContracts"]).map((contract) => change(objectIn(contract), request)),
  }));
}

function contractMember(name: string, value: Json | undefined): Plant {
  return contracts((contract) => withMember(contract, name, value));
}

/** Adds a member to what a lookup without debug members returns. */
function whenExcluded(change: (given: JsonObject) => JsonObject): Plant {
  return body("lookup", 200, (given, request) =>
    requestBody(request)["excludeDebugFields"] === true ? change(given) : undefined,
  );
}

function transferOf(request: JsonObject): JsonObject {
  return objectIn(objectIn(request["choiceArguments"])["transfer"]);
}

function ownerOf(party: Json | undefined): Json | undefined {
  return typeof party === "string" ? party : objectIn(party)["owner"];
}

const requests: readonly Row[] = [
  ["lookup-needs-exclude-debug", "2.1: excludeDebugFields, required: no.", requires("lookup", "excludeDebugFields")],
  [
    "lookup-refuses-exclude-false",
    "2.1: excludeDebugFields, default false.",
    refuses("lookup", (given) => given["excludeDebugFields"] === false),
  ],
  ["lookup-without-arguments", required, acceptsWithout("lookup", "choiceArguments")],
  [
    "lookup-arguments-of-any-type",
    "2.1: choiceArguments, object.",
    acceptsTyped("lookup", "choiceArguments", "object"),
  ],
  [
    "lookup-exclude-of-any-type",
    "2.1: excludeDebugFields, boolean.",
    acceptsTyped("lookup", "excludeDebugFields", "boolean"),
  ],
  [
    "lookup-without-body",
    "4.1: GetFactoryRequest (required body).",
    accepts("lookup", (_, request) => request.body.text() === ""),
  ],
  ["lookup-list-as-body", "2.1: GetFactoryRequest (request body).", accepts("lookup", (given) => Array.isArray(given))],
  ["lookup-needs-a-token", isPublic, refuses("lookup", () => true)],
  ["lookup-always-401", isPublic, always("lookup", 401)],
  ["lookup-always-403", isPublic, always("lookup", 403)],
  ["lookup-always-404", "4.1: 200: TransferFactoryWithChoiceContext.", always("lookup", 404)],
  ["lookup-always-409", conflict, always("lookup", 409)],
  ["lookup-always-500", "4.1: 400, 404, 409: ErrorResponse.", always("lookup", 500)],
  ["lookup-always-503", "4.1: 400, 404, 409: ErrorResponse.", always("lookup", 503)],
  [
    "lookup-refuses-self",
    "2.1: self: sender and receiver are the same party.",
    refuses("lookup", (given) => ownerOf(transferOf(given)["sender"]) === ownerOf(transferOf(given)["receiver"])),
  ],
];

const results: readonly Row[] = [
  ...["factoryId", "transferKind", "choiceContext"].flatMap((name): Row[] => [
    [`result-without-${name}`, required, member("lookup", name, undefined)],
    [`result-${name}-null`, types, member("lookup", name, null)],
    [`result-${name}-number`, types, member("lookup", name, 7)],
  ]),
  [
    "result-factory-empty",
    "2.1: Contract ID of the contract implementing the factory interface.",
    member("lookup", "factoryId", ""),
  ],
  ["result-kind-unknown", kinds, member("lookup", "transferKind", "later")],
  ["result-kind-capital", kinds, member("lookup", "transferKind", "Offer")],
  ["result-kind-empty", kinds, member("lookup", "transferKind", "")],
  [
    "result-kind-self",
    "2.1: self: sender and receiver are the same party.",
    body("lookup", 200, (given) =>
      given["transferKind"] === "offer" ? { ...given, transferKind: "self" } : undefined,
    ),
  ],
  [
    "result-kind-not-self",
    "2.1: self: sender and receiver are the same party.",
    body("lookup", 200, (given) =>
      given["transferKind"] === "self" ? { ...given, transferKind: "offer" } : undefined,
    ),
  ],
  [
    "result-kind-direct",
    "2.1: direct is chosen only if the receiver has pre-approved direct transfers.",
    body("lookup", 200, (given) =>
      given["transferKind"] === "offer" ? { ...given, transferKind: "direct" } : undefined,
    ),
  ],
  [
    "result-as-201",
    "4.1: 200: TransferFactoryWithChoiceContext.",
    response("lookup", 200, (found) => ({ ...found, status: 201 })),
  ],
  [
    "result-as-text",
    "4.1: application/json.",
    response("lookup", 200, (found) => withContentType(found, "text/plain")),
  ],
  [
    "result-without-type",
    "4.1: application/json.",
    response("lookup", 200, (found) => withContentType(found, undefined)),
  ],
  [
    "result-in-latin-1",
    "4.1: application/json.",
    response("lookup", 200, (found) => withContentType(found, "application/json; charset=iso-8859-1")),
  ],
  ["result-empty", required, text("lookup", 200, () => "")],
  ["result-list", types, text("lookup", 200, (whole) => `[${whole}]`)],
  ["result-cut", "4.1: application/json.", text("lookup", 200, (whole) => whole.slice(0, -1))],
  [
    "result-key-twice",
    "4.1: application/json.",
    text("lookup", 200, (whole) => whole.replace("{", '{"factoryId":"00",')),
  ],
];

const contexts: readonly Row[] = [
  ["context-without-data", required, context((given) => withMember(given, "choiceContextData", undefined))],
  ["context-data-list", types, context((given) => ({ ...given, choiceContextData: [] }))],
  ["context-data-text", types, context((given) => ({ ...given, choiceContextData: "" }))],
  ["context-without-contracts", required, context((given) => withMember(given, "disclosedContracts", undefined))],
  ["context-contracts-object", types, context((given) => ({ ...given, disclosedContracts: {} }))],
  ["context-contracts-of-null", types, context((given) => ({ ...given, disclosedContracts: [null] }))],
  [
    "context-discloses-nothing",
    "2.1: Contracts that must be disclosed to the participant node for exercising the choice.",
    context((given) => ({ ...given, disclosedContracts: [] })),
  ],
  [
    "context-names-another",
    "2.1: It refers to disclosed contracts by contract ID.",
    context((given) => ({
      ...given,
      choiceContextData: { values: { more: { tag: "AV_ContractId", value: `00${"ef".repeat(68)}` } } },
    })),
  ],
  ...["templateId", "contractId", "createdEventBlob", "synchronizerId"].flatMap((name): Row[] => [
    [`disclosed-without-${name}`, required, contractMember(name, undefined)],
    [`disclosed-${name}-number`, types, contractMember(name, 7)],
    [`disclosed-${name}-empty`, `2.1: ${name} of a disclosed contract.`, contractMember(name, "")],
  ]),
  [
    "disclosed-template-unqualified",
    "2.1: Fully qualified template identifier.",
    contractMember("templateId", "Amulet"),
  ],
  [
    "disclosed-template-half",
    "2.1: Fully qualified template identifier.",
    contractMember("templateId", "Splice.AmuletRules:AmuletRules"),
  ],
  [
    "disclosed-debug-date",
    "2.1: debugCreatedAt, string, format date-time.",
    contracts((contract) => ("debugCreatedAt" in contract ? { ...contract, debugCreatedAt: "1 January" } : contract)),
  ],
  [
    "disclosed-debug-payload-list",
    "2.1: debugPayload, object.",
    contracts((contract) => ("debugPayload" in contract ? { ...contract, debugPayload: [] } : contract)),
  ],
  [
    "disclosed-debug-name-number",
    "2.1: debugPackageName, string.",
    contracts((contract) => ("debugPackageName" in contract ? { ...contract, debugPackageName: 7 } : contract)),
  ],
  [
    "excluded-debug-ignored",
    excluded,
    requested("lookup", (given) =>
      given["excludeDebugFields"] === true ? { ...given, excludeDebugFields: false } : undefined,
    ),
  ],
  [
    "excluded-debug-by-default",
    "2.1: excludeDebugFields, default false.",
    requested("lookup", (given) =>
      given["excludeDebugFields"] === undefined ? { ...given, excludeDebugFields: true } : undefined,
    ),
  ],
  ...(["debugPackageName", "debugPayload", "debugCreatedAt", "debugOther"] as const).map(
    (name): Row => [
      `excluded-${name}-stays`,
      excluded,
      contracts((contract, request) =>
        request["excludeDebugFields"] === true ? { ...contract, [name]: debugValues[name] } : contract,
      ),
    ],
  ),
  [
    "excluded-debug-in-the-data",
    excluded,
    whenExcluded((given) =>
      inContext(given, (found) => ({
        ...found,
        choiceContextData: { ...objectIn(found["choiceContextData"]), debugNote: "x" },
      })),
    ),
  ],
  [
    "excluded-debug-in-the-context",
    excluded,
    whenExcluded((given) => inContext(given, (found) => ({ ...found, debugNote: "x" }))),
  ],
  ["excluded-debug-in-the-result", excluded, whenExcluded((given) => ({ ...given, debugNote: "x" }))],
];

const debugValues = {
  debugPackageName: "splice-amulet",
  debugPayload: {},
  debugCreatedAt: "2026-01-01T00:00:00Z",
  debugOther: 1,
};

function inContext(given: JsonObject, change: (context: JsonObject) => JsonObject): JsonObject {
  return { ...given, choiceContext: change(objectIn(given["choiceContext"])) };
}

const refusals: readonly Row[] = [
  ["refusal-without-error", errors, body("lookup", 400, () => ({ message: "bad" }))],
  ["refusal-error-number", errors, body("lookup", 400, () => ({ error: 400 }))],
  ["refusal-error-null", errors, body("lookup", 400, () => ({ error: null }))],
  ["refusal-error-object", errors, body("lookup", 400, () => ({ error: { text: "bad" } }))],
  ["refusal-of-the-ledger", errors, response("lookup", 400, () => json(400, ledgerError(400)))],
  ["refusal-list", errors, body("lookup", 400, () => [{ error: "bad" }])],
  ["refusal-bare-text", errors, response("lookup", 400, (found) => ({ ...found, body: new Body('"bad"') }))],
  ["refusal-html", errors, response("lookup", 400, (found) => withText(found, "<p>bad</p>", "text/html"))],
  [
    "refusal-500-html",
    errors,
    response("lookup", 400, (found) => ({ ...withText(found, "<p>bad</p>", "text/html"), status: 500 })),
  ],
  [
    "refusal-500-json",
    "7: 400, registry endpoint, ErrorResponse: Bad request.",
    response("lookup", 400, (found) => ({ ...found, status: 500 })),
  ],
  [
    "refusal-422",
    "7: 400, registry endpoint, ErrorResponse: Bad request.",
    response("lookup", 400, (found) => ({ ...found, status: 422 })),
  ],
  ["conflict-as-404", conflict, response("lookup", 409, (found) => ({ ...found, status: 404 })), "spec"],
  ["conflict-as-400", conflict, response("lookup", 409, (found) => ({ ...found, status: 400 })), "spec"],
  ["conflict-as-ledger-error", errors, response("lookup", 409, () => json(409, ledgerError(409))), "spec"],
  ["conflict-as-text", errors, response("lookup", 409, (found) => withText(found, "later", "text/plain")), "spec"],
];

/** Faults of the registry, from sections 2.1, 4.1, 5 and 7. */
export const registryRows: readonly Row[] = [...requests, ...results, ...contexts, ...refusals];
