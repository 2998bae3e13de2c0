import type { Json, JsonObject } from "../../src/foundation/json/json.ts";
import type { Random } from "../../src/scenarios/generation/random.ts";
import { pick } from "./_draw-plan.ts";
import type { Names } from "./_stock.ts";
import { ownUser, ref, type Step } from "./steps/_step.ts";

/** The last value in a response under that name; an unused value if there was none. */
function seen(name: SeenName): JsonObject {
  return { $seen: name };
}

/** Values of responses that later requests use, in addition to those of `captures`: JSON pointers by operation. */
export const seenNames = {
  contextValues: {
    getTransferFactory: "/choiceContext/choiceContextData/values",
    getTransferInstructionAcceptContext: "/choiceContextData/values",
  },
  disclosed: {
    getTransferFactory: "/choiceContext/disclosedContracts",
    getTransferInstructionAcceptContext: "/disclosedContracts",
  },
  prepared: { "postV2Interactive-submissionPrepare": "/preparedTransaction" },
  scheme: { "postV2Interactive-submissionPrepare": "/hashingSchemeVersion" },
} as const;
export type SeenName = keyof typeof seenNames;

/** Values for names that no response has shown yet. */
export const unseen: Readonly<Record<SeenName, Json>> = {
  contextValues: {},
  disclosed: [],
  prepared: "AAAA",
  scheme: "HASHING_SCHEME_VERSION_V2",
};

/** A transfer as a wallet makes it: look up, prepare, execute; and a receiver who accepts. */
export function drawTransfer(random: Random, names: Names): readonly Step[] {
  const holding = pick(random, names.holdings);
  const transfer = transferOf(random, names, holding);
  const command = {
    ExerciseCommand: {
      templateId: "#splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1:TransferFactory",
      contractId: ref("factoryId"),
      choice: "TransferFactory_Transfer",
      choiceArgument: argumentOf(names, transfer, seen("contextValues")),
    },
  };
  const sent = [
    step("getTransferFactory", { body: { choiceArguments: argumentOf(names, transfer, {}) } }),
    prepared(random, holding.owner, command),
    executed(random, holding.owner),
    step("postV2StateActive-contracts", { body: activeOf(holding.owner) }),
  ];
  return random.happens(0.5) ? sent : [...sent, ...accepted(random, String(transfer["receiver"]))];
}

function transferOf(random: Random, names: Names, holding: Names["holdings"][number]): JsonObject {
  return {
    sender: holding.owner,
    receiver: pick(random, names.parties),
    amount: pick(random, ["1", "0.0000000001", "24.5", "1000000", "10"]),
    instrumentId: { ...names.instrument },
    requestedAt: names.past,
    executeBefore: names.future,
    inputHoldingCids: [holding.contractId],
    meta: { values: {} },
  };
}

function argumentOf({ instrument }: Names, transfer: JsonObject, values: Json): JsonObject {
  return {
    expectedAdmin: instrument.admin,
    transfer,
    extraArgs: { context: { values }, meta: { values: {} } },
  };
}

function accepted(random: Random, receiver: string): readonly Step[] {
  const command = {
    ExerciseCommand: {
      templateId:
        "#splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1:TransferInstruction",
      contractId: ref("instructionId"),
      choice: pick(random, [
        "TransferInstruction_Accept",
        "TransferInstruction_Reject",
        "TransferInstruction_Withdraw",
      ]),
      choiceArgument: { extraArgs: { context: { values: seen("contextValues") }, meta: { values: {} } } },
    },
  };
  return [
    step("getWorld", { path: { world: "default" } }),
    step("getTransferInstructionAcceptContext", { path: { transferInstructionId: ref("instructionId") }, body: {} }),
    prepared(random, receiver, command),
    executed(random, receiver),
  ];
}

function prepared(random: Random, actAs: string, command: Json): Step {
  const body = {
    commandId: `command-${random.below(40)}`,
    commands: [command],
    actAs: [actAs],
    disclosedContracts: seen("disclosed"),
  };
  return step("postV2Interactive-submissionPrepare", { body });
}

function executed(random: Random, party: string): Step {
  const signature = {
    format: "SIGNATURE_FORMAT_CONCAT",
    signature: "AAAA",
    signedBy: `1220${"a".repeat(64)}`,
    signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519",
  };
  const body = {
    preparedTransaction: seen("prepared"),
    hashingSchemeVersion: seen("scheme"),
    submissionId: `submission-${random.below(40)}`,
    deduplicationPeriod: pick<Json>(random, [
      { Empty: {} },
      { DeduplicationDuration: { value: { seconds: 5, nanos: 0 } } },
    ]),
    partySignatures: { signatures: [{ party, signatures: [signature] }] },
  };
  const operations = ["Executeandwait", "Executeandwait", "Execute", "Executeandwaitfortransaction"];
  return step(`postV2Interactive-submission${pick(random, operations)}`, { body });
}

function activeOf(party: string): Json {
  const everything = { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: true } } } };
  return {
    activeAtOffset: 0,
    eventFormat: { filtersByParty: { [party]: { cumulative: [everything] } }, verbose: true },
  };
}

function step(operationId: string, parts: { readonly path?: JsonObject; readonly body?: Json }): Step {
  const { path = {}, body } = parts;
  return { operationId, path, query: {}, body, rawBody: undefined, token: "administrator" };
}

const providers = ["idp-1", "idp-2", "idp-3"];

/** A generated request with existing names in its path and in a few members. */
export function aimed(random: Random, names: Names, generated: Step): Step {
  if (random.happens(0.2)) return generated;
  const known: Readonly<Record<string, readonly Json[]>> = {
    "user-id": [...names.users, ownUser(1), ownUser(2)],
    "idp-id": [...providers, ...names.identityProviders],
    party: [...names.parties, ref("party")],
    "package-id": names.packages.map(({ id }) => id),
    instrumentId: [names.instrument.id],
    transferInstructionId: [ref("instructionId")],
  };
  const path = Object.fromEntries(
    Object.entries(generated.path).map(([name, value]) => {
      const values = known[name] ?? [];
      return [name, values.length === 0 ? value : pick(random, values)];
    }),
  );
  return {
    ...generated,
    path,
    body: generated.body === undefined ? undefined : aimedBody(random, names, generated.body, path),
  };
}

function aimedBody(random: Random, names: Names, body: Json, path: JsonObject): Json {
  const within = (value: Json, name: string): Json => {
    if (name === "userId" && path["user-id"] !== undefined) return path["user-id"];
    if (name === "identityProviderId" && value !== "") return path["idp-id"] ?? pick(random, providers);
    if (/IdentityProviderId$/.test(name)) return pick(random, ["", "", ...providers, ...names.identityProviders]);
    if (name === "updateId") return ref("updateId");
    if (name === "synchronizerId" || name === "synchronizer")
      return names.synchronizers.length === 0 ? value : pick(random, names.synchronizers).id;
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((inner) => within(inner, name));
    return Object.fromEntries(Object.entries(value).map(([inner, member]) => [inner, within(member, inner)]));
  };
  return within(body, "");
}
