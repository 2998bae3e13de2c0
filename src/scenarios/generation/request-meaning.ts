import type { JsonObject } from "../../foundation/json/json.ts";
import type { FormatRandom, Formats } from "./faker.ts";
import { formatOf } from "./request-schema.ts";

const noMaps = { const: { values: {} } } as const;
const account = {
  type: "object",
  required: ["owner", "provider", "id"],
  additionalProperties: false,
  properties: { owner: { type: "string", format: formatOf("partyId") }, provider: { const: null }, id: { const: "" } },
} as const;

/**
 * Schemas for rules that the descriptions give in prose, by operation and member: a dry run, a mask of modifiable attributes, arguments of a
 * transfer. The users, parties and packages in these requests are generated, so they change no existing data.
 */
export const meantMembers: Readonly<Record<string, Readonly<Record<string, JsonObject>>>> = {
  "postV2Package-vetting": { dryRun: { const: true } },
  "postV2UsersUser-idRights": { identityProviderId: { const: "" } },
  postV2PartiesExternalAllocate: { identityProviderId: { const: "" } },
  "patchV2UsersUser-id": {
    "user.identityProviderId": { const: "" },
    "user.primaryParty": { type: "string", format: formatOf("partyId") },
    updateMask: {
      type: "object",
      required: ["paths", "unknownFields"],
      additionalProperties: false,
      properties: {
        paths: { enum: [["is_deactivated"], ["primary_party"], ["is_deactivated", "metadata.annotations"]] },
        unknownFields: { const: { fields: {} } },
      },
    },
  },
  getTransferFactory: {
    "choiceArguments.transfer.sender": account,
    "choiceArguments.transfer.receiver": account,
    "choiceArguments.transfer.amount": { type: "string", pattern: "^[1-9][0-9]{0,3}\\.[0-9]$" },
    "choiceArguments.transfer.requestedAt": { const: "2026-01-01T00:00:00Z" },
    "choiceArguments.transfer.executeBefore": { const: "2099-01-01T00:00:00Z" },
    "choiceArguments.transfer.meta": noMaps,
    "choiceArguments.extraArgs": {
      type: "object",
      required: ["context", "meta"],
      additionalProperties: false,
      properties: { context: noMaps, meta: noMaps },
    },
  },
};

/** Schemas of query parameters, narrower than their type. Only an empty page token is valid without a page. */
export const meantParameters: Readonly<Record<string, JsonObject>> = {
  pageSize: { type: "integer", minimum: 1, maximum: 50 },
  pageToken: { const: "" },
};

/** The path to the body member that must equal the user of the path, by operation. */
export const usersInBody: Readonly<Record<string, readonly string[]>> = {
  "postV2UsersUser-idRights": ["userId"],
  "patchV2UsersUser-id": ["user", "id"],
};

const hex = "0123456789abcdef";
const base64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function digits(random: FormatRandom, alphabet: string, count: number): string {
  return Array.from({ length: count }, () => alphabet[random.int(0, alphabet.length - 1)]).join("");
}

/** Generators of identifiers, by syntax; ids that a target lists start with the prefix. */
export function identifierFormats(prefix: string): Formats {
  const fingerprint = (random: FormatRandom) => `1220${digits(random, hex, 64)}`;
  const namespaced = (random: FormatRandom) => `${prefix}-${digits(random, hex, 8)}::${fingerprint(random)}`;
  const makers: Formats = {
    userId: (random) => `${prefix}-${digits(random, hex, 8)}`,
    partyId: namespaced,
    damlParty: namespaced,
    participantId: namespaced,
    synchronizerId: namespaced,
    synchronizer: namespaced,
    fingerprint,
    ledgerString: (random) => `${prefix}-${digits(random, hex, 16)}`,
    packageId: (random) => digits(random, hex, 64),
    packageName: (random) => `${prefix}-${digits(random, hex, 8)}`,
    contractId: (random) => `00${digits(random, hex, 64)}ca121220${digits(random, hex, 64)}`,
    resourceVersion: (random) => String(random.int(0, 999)),
    base64: (random) => digits(random, base64, 4 * random.int(1, 12)),
  };
  return Object.fromEntries(Object.entries(makers).map(([syntax, make]) => [formatOf(syntax), make]));
}
