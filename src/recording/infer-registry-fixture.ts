import type { Exchange } from "../http/exchange.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../http/json.ts";
import { decodeCreatedEventBlob } from "../protobuf/created-event-blob.ts";

/** A registry fixture that gives the recorded answer again, and what of the recording no fixture can say. */
export type InferredFixture =
  | { readonly type: "inferred"; readonly fixture: JsonObject; readonly leftOut: readonly string[] }
  | { readonly type: "refused"; readonly problem: string };

interface DisclosedContract {
  readonly name: string;
  readonly json: JsonObject;
}

/** Keys of the choice context that belong to the receiver's pre-approval, not to the factory. */
const preapprovalKeys = { contract: "transfer-preapproval", featuredAppRight: "featured-app-right" } as const;

/** Reads the registry's state off a successful transfer-factory lookup. */
export function inferRegistryFixture({ request, answer }: Exchange): InferredFixture {
  if (answer.type === "broken" || answer.status !== 200) return refused("the lookup was not answered with 200");
  const asked = objectOf(jsonOf(request.body));
  const body = objectOf(jsonOf(answer.body));
  const factoryId = text(body["factoryId"]);
  if (factoryId === "" || asked["choiceArguments"] === undefined)
    return refused("it is no transfer-factory lookup: choiceArguments or factoryId is missing");
  const context = objectOf(body["choiceContext"]);
  const values = objectOf(objectOf(context["choiceContextData"])["values"]);
  const contracts = named(list(context["disclosedContracts"]).map(objectOf), values);
  const transfer = objectOf(objectOf(asked["choiceArguments"])["transfer"]);
  const instrument = objectOf(transfer["instrumentId"]);
  const keys = contextKeys(values, contracts);
  return {
    type: "inferred",
    fixture: {
      admin: text(instrument["admin"]),
      instruments: [{ id: text(instrument["id"]) }],
      factory: {
        contract: contracts.find(({ json }) => json["contractId"] === factoryId)?.name ?? "factory",
        disclosed: contracts[0]?.json["contractId"] === factoryId ? "first" : "last",
        context: keys.filter(({ key }) => !isPreapprovalKey(key)).map(({ key, name }) => ({ key, contracts: [name] })),
      },
      ...preapprovals(body, transfer, keys),
      contracts: contracts.map(contractJson),
    },
    leftOut: leftOut(values, keys, contracts, factoryId),
  };
}

/** A contract is named by its key in the context, else by its template. */
function named(disclosed: readonly JsonObject[], values: JsonObject): readonly DisclosedContract[] {
  const taken = new Set<string>();
  return disclosed.map((json) => {
    const key = Object.entries(values).find(([, value]) => objectOf(value)["value"] === json["contractId"])?.[0];
    const base = key ?? kebab(text(json["templateId"]).split(":").at(-1) ?? "contract");
    let name = base;
    for (let number = 2; taken.has(name); number += 1) name = `${base}-${number}`;
    taken.add(name);
    return { name, json };
  });
}

interface ContextKey {
  readonly key: string;
  readonly name: string;
}

/** The keys that name a disclosed contract, in the order of disclosure. */
function contextKeys(values: JsonObject, contracts: readonly DisclosedContract[]): readonly ContextKey[] {
  return contracts.flatMap(({ name, json }) =>
    Object.entries(values)
      .filter(([, value]) => objectOf(value)["value"] === json["contractId"])
      .map(([key]) => ({ key, name })),
  );
}

function preapprovals(body: JsonObject, transfer: JsonObject, keys: readonly ContextKey[]): JsonObject {
  if (body["transferKind"] !== "direct") return {};
  const receiver = text(objectOf(transfer["receiver"])["owner"]);
  const members = Object.entries(preapprovalKeys).flatMap(([member, key]) =>
    keys.filter((candidate) => candidate.key === key).map(({ name }) => [member, name] as const),
  );
  return { preapprovals: [{ receiver, ...Object.fromEntries(members) }] };
}

function contractJson({ name, json }: DisclosedContract): JsonObject {
  const createdEventBlob = text(json["createdEventBlob"]);
  const created = decodeCreatedEventBlob(createdEventBlob);
  const debugCreatedAt = text(json["debugCreatedAt"]);
  return {
    name,
    templateId: text(json["templateId"]),
    packageName: created?.packageName ?? text(json["debugPackageName"]),
    contractId: text(json["contractId"]),
    createdAt: debugCreatedAt === "" ? isoOfMicros(created?.createdAtMicros ?? 0n) : debugCreatedAt,
    synchronizer: text(json["synchronizerId"]),
    ...(isJsonObject(json["debugPayload"]) ? { payload: json["debugPayload"] } : {}),
    createdEventBlob,
  };
}

function leftOut(
  values: JsonObject,
  keys: readonly ContextKey[],
  contracts: readonly DisclosedContract[],
  factoryId: string,
): readonly string[] {
  const unnamed = Object.keys(values).filter((key) => !keys.some((known) => known.key === key));
  const isKnown = ({ name, json }: DisclosedContract) =>
    json["contractId"] === factoryId || keys.some((key) => key.name === name);
  return [
    ...unnamed.map((key) => `the context key ${key}, whose value names no disclosed contract`),
    ...contracts
      .filter((contract) => !isKnown(contract))
      .map(({ name }) => `the disclosure of ${name}, which no context key names`),
    ...(contracts.some(({ json }) => json["contractId"] === factoryId) ? [] : ["the factory, which is not disclosed"]),
  ];
}

function isPreapprovalKey(key: string): boolean {
  return Object.values(preapprovalKeys).some((known) => known === key);
}

const latestMicros = 253_402_300_799_999_999n;

function isoOfMicros(micros: bigint): string {
  if (micros > latestMicros) return isoOfMicros(latestMicros);
  const seconds = new Date(Number(micros / 1000n)).toISOString().slice(0, "2026-01-01T00:00:00".length);
  return `${seconds}.${(micros % 1_000_000n).toString().padStart(6, "0")}Z`;
}

function kebab(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "-").toLowerCase();
}

function refused(problem: string): InferredFixture {
  return { type: "refused", problem };
}

function jsonOf(bytes: Uint8Array): Json | undefined {
  try {
    return parseJson(new TextDecoder().decode(bytes));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
