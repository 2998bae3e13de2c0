import type { JsonObject } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, optionalTextOf, textOf, textsOf } from "../../foundation/json/members.ts";
import { isIdentifier } from "../../foundation/spec/identifiers.ts";
import { tableOf } from "../../foundation/table/table.ts";
import { ledgerContract } from "../../simulator/daml/commit.ts";
import { DamlMismatch, valueFromJson } from "../../simulator/daml/daml-type.ts";
import { holdingContract } from "../../simulator/daml/token-contracts.ts";
import type { LedgerContract } from "../../simulator/ledger/ledger-state.ts";
import { amountOf, unitsOf } from "../../simulator/registry/amount.ts";
import type {
  Allocation,
  DeclaredTransaction,
  Factory,
  Instrument,
  RegistryContract,
  RegistryState,
  TransactionEffect,
} from "../../simulator/registry/registry-state.ts";
import { derivedContractId, synthesizeContract } from "../../simulator/registry/synthesize-contract.ts";
import { boolean, checkIdentifier, checkUnique, number, string } from "./_reader.ts";
import { type Problem, problemAt } from "./problem.ts";
import type { SourceFile } from "./source-file.ts";

/** Problems of a registry fixture that its schema cannot detect, without those of references. */
export function checkRegistryFixture(source: SourceFile): readonly Problem[] {
  const root = objectOf(source.value);
  const contracts = objectsOf(root["contracts"]);
  const admin = [
    ...checkIdentifier(source, "partyId", textOf(root["admin"]), ["admin"]),
    ...checkInstant(source, root, "featuredAppRightsEndAt", ["featuredAppRightsEndAt"]),
  ];
  const ids = contracts.flatMap((entry, index) => [
    ...checkIdentifier(source, "templateId", textOf(entry["templateId"]), ["contracts", index, "templateId"]),
    ...(entry["synchronizer"] === ""
      ? []
      : checkIdentifier(source, "synchronizerId", textOf(entry["synchronizer"]), ["contracts", index, "synchronizer"])),
    ...checkPayload(source, entry, ["contracts", index, "payload"]),
    ...checkInstant(source, entry, "createdAt", ["contracts", index, "createdAt"]),
    ...checkInstant(source, entry, "opensAt", ["contracts", index, "opensAt"]),
    ...checkInstant(source, entry, "closesAt", ["contracts", index, "closesAt"]),
    ...(entry["contractId"] === undefined
      ? []
      : checkIdentifier(source, "contractId", textOf(entry["contractId"]), ["contracts", index, "contractId"])),
  ]);
  const twice = [
    ...checkUnique(source, "contracts", "name", contracts),
    ...checkUnique(source, "instruments", "id", objectsOf(root["instruments"])),
    ...checkUnique(source, "preapprovals", "receiver", objectsOf(root["preapprovals"])),
    ...checkUnique(source, "allocations", "contract", objectsOf(root["allocations"])),
    ...checkUnique(source, "holdings", "name", objectsOf(root["holdings"])),
    ...checkUnique(source, "preparedTransactions", "value", objectsOf(root["preparedTransactions"])),
  ];
  return [...admin, ...ids, ...twice, ...checkEffects(source, root)];
}

/** Checks a payload against the limits of a contract argument: numbers and depth. */
function checkPayload(source: SourceFile, entry: JsonObject, path: readonly (string | number)[]): readonly Problem[] {
  try {
    valueFromJson(objectOf(entry["payload"]), { type: "any" });
    return [];
  } catch (error) {
    if (!(error instanceof DamlMismatch)) throw error;
    const problem = `${path.join(".")} is not a valid contract payload: ${error.message}`;
    return [problemAt(source, path, problem, "Write numbers that are too large as texts, and nest it less deeply.")];
  }
}

/** The schema allows a leap second, but Date does not. */
function checkInstant(
  source: SourceFile,
  entry: JsonObject,
  member: string,
  path: readonly (string | number)[],
): readonly Problem[] {
  const instant = optionalTextOf(entry[member]);
  if (instant === undefined || !Number.isNaN(Date.parse(instant))) return [];
  const problem = `${path.join(".")} is ${JSON.stringify(instant)}, which is not a valid timestamp`;
  return [problemAt(source, path, problem, "Write it as 2026-01-01T00:00:00Z.")];
}

/** Problems of the declared effects of prepared transactions. */
function checkEffects(source: SourceFile, root: JsonObject): readonly Problem[] {
  const holdings = new Map(objectsOf(root["holdings"]).map((entry) => [textOf(entry["name"]), entry]));
  const owners = [...holdings.values()].flatMap((entry, index) =>
    checkIdentifier(source, "partyId", textOf(entry["owner"]), ["holdings", index, "owner"]),
  );
  const effects = objectsOf(root["preparedTransactions"]).flatMap((entry, index) => {
    const at = ["preparedTransactions", index] as const;
    const submitters = textsOf(entry["actAs"]);
    const named = [
      ...checkPadding(source, textOf(entry["value"]), [...at, "value"]),
      ...submitters.flatMap((party, place) => checkIdentifier(source, "partyId", party, [...at, "actAs", place])),
    ];
    const problem = effectProblem(objectOf(entry["effect"]), submitters[0] ?? "", holdings);
    if (problem === undefined) return named;
    return [...named, problemAt(source, [...at, "effect"], `${at.join(".")} ${problem.text}`, problem.advice)];
  });
  return [...owners, ...effects];
}

/** A problem unless base64 has its padding. Its characters are checked by the schema. */
function checkPadding(source: SourceFile, base64: string, path: readonly (string | number)[]): readonly Problem[] {
  if (base64.length % 4 === 0) return [];
  const problem = `${path.join(".")} is base64 without its padding`;
  return [problemAt(source, path, problem, "End it with = until its length is a multiple of four.")];
}

function effectProblem(
  effect: JsonObject,
  sender: string,
  holdings: ReadonlyMap<string, JsonObject>,
): { readonly text: string; readonly advice: string } | undefined {
  if (effect["preapprove"] !== undefined && effect["transfer"] !== undefined)
    return { text: "has two effects", advice: "Declare a prepared transaction for each." };
  if (effect["transfer"] === undefined) return undefined;
  const [inputs, to] = [textsOf(effect["inputs"]), textOf(effect["to"])];
  if (inputs.some((name) => !holdings.has(name))) return undefined;
  const instruments = new Set(inputs.map((name) => holdings.get(name)?.["instrument"]));
  if (new Set(inputs).size !== inputs.length)
    return { text: "consumes a holding twice", advice: "Name each input once." };
  if (instruments.size !== 1)
    return {
      text: "consumes no holdings, or holdings of several instruments",
      advice: "Name inputs of one instrument.",
    };
  if (!isIdentifier("partyId", to) || textOf(effect["amount"]) === "")
    return { text: "has no receiver or no amount", advice: "Give to: a party, and amount: a decimal in quotes." };
  return effect["transfer"] === "self" && to !== sender
    ? { text: `transfers to ${to}, which is not the sender`, advice: "A self-transfer goes to the first of actAs." }
    : undefined;
}

/** The registry state of a checked fixture; missing ids and blobs are generated from the seed. */
export function registryFrom(source: SourceFile, seed: number): RegistryState {
  const root = objectOf(source.value);
  const admin = textOf(root["admin"]);
  const featuredAppRightsEndAt = optionalTextOf(root["featuredAppRightsEndAt"]);
  const contracts = tableOf(
    objectsOf(root["contracts"]).map((entry) => [textOf(entry["name"]), contractFrom(entry, admin, seed)]),
  );
  return {
    admin,
    areInstrumentsChecked: boolean(root["instrumentsChecked"], false),
    instruments: tableOf(objectsOf(root["instruments"]).map((entry) => [textOf(entry["id"]), instrumentFrom(entry)])),
    contracts,
    allocations: tableOf(
      objectsOf(root["allocations"]).map((entry) => [
        contracts.get(textOf(entry["contract"]))?.contractId ?? "",
        allocationFrom(entry),
      ]),
    ),
    factory: factoryFrom(objectOf(root["factory"])),
    featuredAppRightsEndAtMs: featuredAppRightsEndAt === undefined ? undefined : Date.parse(featuredAppRightsEndAt),
    preparedTransactions: tableOf(
      objectsOf(root["preparedTransactions"]).map((entry) => [textOf(entry["value"]), declaredFrom(entry, seed)]),
    ),
    preapprovals: tableOf(
      objectsOf(root["preapprovals"]).map((entry) => [
        textOf(entry["receiver"]),
        {
          receiver: textOf(entry["receiver"]),
          contract: optionalTextOf(entry["contract"]),
          featuredAppRight: optionalTextOf(entry["featuredAppRight"]),
        },
      ]),
    ),
  };
}

function allocationFrom(entry: JsonObject): Allocation {
  return {
    type: (["v1", "v2", "instruction"] as const).find((known) => known === entry["type"]) ?? "v2",
    contract: textOf(entry["contract"]),
    locked: optionalTextOf(entry["locked"]),
    featuredAppRight: optionalTextOf(entry["featuredAppRight"]),
  };
}

function instrumentFrom(entry: JsonObject): Instrument {
  const id = textOf(entry["id"]);
  return {
    id,
    name: string(entry["name"], id),
    symbol: string(entry["symbol"], id),
    decimals: number(entry["decimals"], 10),
  };
}

/** The holdings of a checked fixture, as initial contracts of the ledger. */
export function holdingsFrom(
  source: SourceFile,
  registry: RegistryState,
  seed: number,
  nowMs: number,
): readonly LedgerContract[] {
  const createdAtMicros = BigInt(nowMs) * 1000n;
  return objectsOf(objectOf(source.value)["holdings"]).map((entry, index) => {
    const contract = holdingContract(registry, {
      owner: textOf(entry["owner"]),
      instrumentId: textOf(entry["instrument"]),
      amount: amountOf(unitsOf(textOf(entry["amount"])) ?? 0n),
      lock: undefined,
    });
    const contractId = holdingId(seed, textOf(entry["name"]));
    const nodeId = registry.contracts.size + index;
    return ledgerContract({ ...contract, contractId }, { offset: 0n, nodeId, createdAtMicros });
  });
}

function holdingId(seed: number, name: string): string {
  return derivedContractId(String(seed), `holding ${name}`);
}

function declaredFrom(entry: JsonObject, seed: number): DeclaredTransaction {
  return {
    value: textOf(entry["value"]),
    actAs: textsOf(entry["actAs"]),
    commandId: textOf(entry["commandId"]),
    synchronizerId: optionalTextOf(entry["synchronizer"]),
    effect: effectFrom(objectOf(entry["effect"]), seed),
  };
}

function effectFrom(entry: JsonObject, seed: number): TransactionEffect {
  const receiver = optionalTextOf(entry["preapprove"]);
  if (receiver !== undefined) return { type: "preapprove", receiver };
  const kind = (["self", "direct", "offer"] as const).find((known) => known === entry["transfer"]);
  if (kind === undefined) return { type: "none" };
  return {
    type: "transfer",
    kind,
    inputs: textsOf(entry["inputs"]).map((name) => holdingId(seed, name)),
    receiver: textOf(entry["to"]),
    amount: textOf(entry["amount"]),
  };
}

function factoryFrom(entry: JsonObject): Factory {
  return {
    contract: textOf(entry["contract"]),
    missing: string(entry["missing"], "No active factory contract"),
    disclosed: entry["disclosed"] === "first" ? "first" : "last",
    context: objectsOf(entry["context"]).map((context) => ({
      key: textOf(context["key"]),
      contracts: textsOf(context["contracts"]),
      missing: optionalTextOf(context["missing"]),
      isInAllocationsV2: boolean(context["inAllocationsV2"], true),
    })),
  };
}

function contractFrom(entry: JsonObject, admin: string, seed: number): RegistryContract {
  const [opensAt, closesAt] = [optionalTextOf(entry["opensAt"]), optionalTextOf(entry["closesAt"])];
  const signatories = textsOf(entry["signatories"]);
  return synthesizeContract({
    name: textOf(entry["name"]),
    templateId: textOf(entry["templateId"]),
    packageName: textOf(entry["packageName"]),
    contractId: optionalTextOf(entry["contractId"]),
    createdEventBlob: optionalTextOf(entry["createdEventBlob"]),
    createdAt: textOf(entry["createdAt"]),
    payload: objectOf(entry["payload"]),
    opensAtMs: opensAt === undefined ? undefined : Date.parse(opensAt),
    closesAtMs: closesAt === undefined ? undefined : Date.parse(closesAt),
    synchronizerId: textOf(entry["synchronizer"]),
    reassignmentCounter: number(entry["reassignmentCounter"], 0),
    seed: String(seed),
    signatories: signatories.length === 0 ? [admin] : signatories,
  });
}
