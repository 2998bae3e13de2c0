import { isJsonObject, type Json, type JsonObject } from "../../../src/foundation/json/json.ts";

/** A call with references to earlier results (`$ref`) and to created users (`$ownUser`); each side resolves them by itself. */
export interface Step {
  readonly operationId: string;
  readonly path: JsonObject;
  readonly query: JsonObject;
  /** The body as a value; undefined for none. */
  readonly body: Json | undefined;
  /** A body sent unchanged; it need not be JSON. */
  readonly rawBody: string | undefined;
  readonly token: Token;
}

/** The token of a step; `empty` is the header `Bearer` without a token. */
export type Token = "administrator" | "plain" | "unknown" | "empty" | "none";

/** Names of the values that later steps take from earlier responses. */
export const slotNames = [
  "pageToken",
  "updateId",
  "offset",
  "factoryId",
  "instructionId",
  "resourceVersion",
  "topology",
  "fingerprint",
  "party",
] as const;
export type Slot = (typeof slotNames)[number];

/** Values for references without a result yet: valid syntax, unknown to the ledger. */
export const unknownValues: Readonly<Record<Slot, Json>> = {
  pageToken: "",
  updateId: `1220${"0".repeat(64)}`,
  offset: 999_999,
  factoryId: `00${"e".repeat(64)}ca121220${"e".repeat(64)}`,
  instructionId: `00${"f".repeat(64)}ca121220${"f".repeat(64)}`,
  resourceVersion: "0",
  topology: "AAAA",
  fingerprint: `1220${"a".repeat(64)}`,
  party: `unknown::1220${"b".repeat(64)}`,
};

/** JSON pointers into responses, by operation and name. */
export const captures: Readonly<Record<string, Readonly<Partial<Record<Slot, string>>>>> = {
  getV2Users: { pageToken: "/nextPageToken" },
  postV2Users: { resourceVersion: "/user/metadata/resourceVersion" },
  "getV2UsersUser-id": { resourceVersion: "/user/metadata/resourceVersion" },
  "patchV2UsersUser-id": { resourceVersion: "/user/metadata/resourceVersion" },
  "postV2PartiesExternalGenerate-topology": {
    topology: "/topologyTransactions/0",
    fingerprint: "/publicKeyFingerprint",
    party: "/partyId",
  },
  "postV2Interactive-submissionExecuteandwait": { updateId: "/updateId", offset: "/completionOffset" },
  "getV2StateLedger-end": { offset: "/offset" },
  getTransferFactory: { factoryId: "/factoryId" },
  getWorld: { instructionId: "/transferInstructions/0/contractId" },
};

/** A reference to the latest value of a slot. */
export function ref(slot: Slot): JsonObject {
  return { $ref: slot };
}

/** A reference to the id of the nth user that the run creates. */
export function ownUser(nth: number): JsonObject {
  return { $ownUser: nth };
}

/** Resolves references. */
export interface ReferenceResolver {
  slotValue(slot: Slot): Json;
  userId(nth: number): string;
}

/** A value with every reference in it replaced. */
export function resolve(value: Json, references: ReferenceResolver): Json {
  if (Array.isArray(value)) return value.map((entry) => resolve(entry, references));
  if (!isJsonObject(value)) return value;
  const [slot, nth] = [slotNamed(value["$ref"]), value["$ownUser"]];
  if (slot !== undefined) return references.slotValue(slot);
  if (typeof nth === "number") return references.userId(nth);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolve(inner, references)]));
}

function slotNamed(value: Json | undefined): Slot | undefined {
  return slotNames.find((name) => name === value);
}
