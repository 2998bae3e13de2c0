import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";

/** One step of a walk: a call in which earlier results stand as references, so that each side gets its own request. */
export interface Step {
  readonly operationId: string;
  readonly path: JsonObject;
  readonly query: JsonObject;
  /** The body as a value; undefined for none. */
  readonly body: Json | undefined;
  /** A body that is no JSON value, sent as it stands. */
  readonly rawBody: string | undefined;
  readonly token: Token;
  /** Whether all pages are asked for, and of their rows only those counted that the walk made. */
  readonly followsPages: boolean;
}

/** Whose token a step carries; `empty` is a bearer header with nothing behind it. */
export type Token = "administrator" | "plain" | "unknown" | "empty" | "none";

/** What later steps take from the responses of earlier ones. */
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

/** What stands for a result that there is not yet: of the right syntax, and nobody's. */
export const unknownValues: Readonly<Record<Slot, Json>> = {
  pageToken: "",
  updateId: `1220${"0".repeat(64)}`,
  offset: 999_999,
  factoryId: `00${"e".repeat(64)}ca121220${"e".repeat(64)}`,
  instructionId: `00${"f".repeat(64)}ca121220${"f".repeat(64)}`,
  resourceVersion: "0",
  topology: "AAAA",
  fingerprint: `1220${"a".repeat(64)}`,
  party: `nobody::1220${"b".repeat(64)}`,
};

/** Where a response of an operation holds something for later steps. */
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

/** The value that a slot got last. */
export function recall(slot: Slot): JsonObject {
  return { $recall: slot };
}

/** The id of the nth user that the walk makes. */
export function own(nth: number): JsonObject {
  return { $own: nth };
}

/** What references stand for, on one side of a walk. */
export interface Meaning {
  recalled(slot: Slot): Json;
  ownUser(nth: number): string;
}

/** A value with every reference in it replaced. */
export function resolve(value: Json, meaning: Meaning): Json {
  if (Array.isArray(value)) return value.map((entry) => resolve(entry, meaning));
  if (!isJsonObject(value)) return value;
  const [slot, nth] = [slotNamed(value["$recall"]), value["$own"]];
  if (slot !== undefined) return meaning.recalled(slot);
  if (typeof nth === "number") return meaning.ownUser(nth);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolve(inner, meaning)]));
}

function slotNamed(value: Json | undefined): Slot | undefined {
  return slotNames.find((name) => name === value);
}
