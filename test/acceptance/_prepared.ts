import { ed25519 } from "@noble/curves/ed25519.js";
import { expect } from "vitest";
import { fingerprintOf } from "../../src/foundation/protobuf/fingerprint.ts";
import type { AuthenticationMode } from "../../src/stub/pipeline/claims.ts";
import { empty, transferOf } from "../_transfer.ts";
import { type PlayedProfile, type RequestedStub, stubOver } from "./_stub.ts";

// A ledger with tokens and an app, and functions that prepare and execute transactions.

export const dso = "dso::1220ab";
export const alice = "alice::1220ab";
export const bob = "bob::1220ab";
export const secret: Uint8Array<ArrayBuffer> = new Uint8Array(32).fill(7);
export const publicKey: Uint8Array = ed25519.getPublicKey(secret);
const pkg = "6d1798ffd7e60d49c64fc3ec35f8f814f9aecbcc96cea1056c6973d9c59d7cf0";
const ledger = (keys = "", version = 34) => `participantId: participant1::1220ab
users:
  - { id: alice, rights: [{ CanActAs: "${alice}" }] }
identityProviders: [{ id: i, issuer: i, jwksUrl: j }]
synchronizers:
  - { alias: a, id: "a::1220ab", protocolVersion: ${version} }
  - { alias: b, id: "b::1220ab" }
parties:
  - { id: "${alice}"${keys} }
  - { id: "${bob}" }
packages:
  - { id: ${pkg}, name: splice-amulet, version: 0.1.9 }
  - { id: ${"a".repeat(64)}, name: app, version: 1.9.0 }
  - { id: ${"b".repeat(64)}, name: app, version: 1.10.0 }
templates:
  - { template: "#app:Main:Asset", signatories: [owner], observers: [watchers], choices: { Use: nonconsuming, Spend: consuming } }
`;
const registry = `admin: ${dso}
instruments: [{ id: Amulet }]
factory:
  contract: factory
  context: [{ key: open-round, contracts: [round-1, round-2], missing: none }]
preapprovals: [{ receiver: "${bob}", contract: preapproval }]
contracts:
  - { name: factory, templateId: "${pkg}:Splice.ExternalPartyAmuletRules:ExternalPartyAmuletRules", packageName: splice-amulet, createdAt: 2025-12-31T00:00:00Z, synchronizer: "a::1220ab" }
  - { name: round-1, templateId: "${pkg}:Splice.Round:OpenMiningRound", packageName: splice-amulet, createdAt: 2025-12-31T00:00:00Z, opensAt: 2025-12-31T00:00:00Z, closesAt: 2026-01-01T00:10:00Z, synchronizer: "a::1220ab" }
  - { name: round-2, templateId: "${pkg}:Splice.Round:OpenMiningRound", packageName: splice-amulet, createdAt: 2025-12-31T00:00:00Z, opensAt: 2026-01-01T00:05:00Z, synchronizer: "a::1220ab" }
  - { name: preapproval, templateId: "${pkg}:Splice.AmuletRules:TransferPreapproval", packageName: splice-amulet, createdAt: 2025-12-31T00:00:00Z, synchronizer: "a::1220ab", payload: { receiver: "${bob}" } }
holdings:
  - { name: one, owner: "${alice}", instrument: Amulet, amount: "10" }
  - { name: two, owner: "${alice}", instrument: Amulet, amount: "5" }
  - { name: his, owner: "${bob}", instrument: Amulet, amount: "5" }
`;

export interface Post {
  readonly status: number;
  readonly json: ReturnType<typeof JSON.parse>;
}

export interface Stub extends RequestedStub {
  post(path: string, body: object, token?: string): Post;
}

export function stub(
  more: {
    readonly keys?: string;
    readonly version?: number;
    readonly isVerifying?: boolean;
    readonly auth?: AuthenticationMode;
    readonly profile?: PlayedProfile;
    /** Further lines of the ledger fixture. */
    readonly ledger?: string;
  } = {},
): Stub {
  const requested = stubOver(
    {
      ledger: `${ledger(more.keys, more.version)}${more.ledger ?? ""}`,
      registry,
      extension: "clock: { start: 2026-01-01T00:00:00Z }",
    },
    more.profile ?? "canton-3.5",
    more.auth,
    more.isVerifying,
  );
  return withPost(requested);
}

export function withPost(requested: RequestedStub): Stub {
  const post = (path: string, body: object, token?: string): Post => {
    const headers = path.startsWith("/registry") ? [["Content-Type", "application/json"] as const] : [];
    const response = requested.ask(path, { method: "POST", body, headers, ...(token === undefined ? {} : { token }) });
    return { status: response.status, json: JSON.parse(response.text) };
  };
  return { ...requested, post };
}

export function holdingsOfParty({ post }: Stub, party: string): Post["json"] {
  const filter = { TemplateFilter: { value: { templateId: "#splice-amulet:Splice.Amulet:Amulet" } } };
  const locked = { TemplateFilter: { value: { templateId: "#splice-amulet:Splice.Amulet:LockedAmulet" } } };
  const offset = post("/v2/state/active-contracts", { activeAtOffset: 9_999, filter: {} }).json;
  expect(offset.code).toBe("OFFSET_AFTER_LEDGER_END");
  const cumulative = [{ identifierFilter: filter }, { identifierFilter: locked }];
  const entries = post("/v2/state/active-contracts", {
    activeAtOffset: 0,
    eventFormat: { filtersByParty: { [party]: { cumulative } } },
  }).json;
  return entries.map(
    ({ contractEntry }: { contractEntry: { JsActiveContract: { createdEvent: { contractId: string } } } }) =>
      contractEntry.JsActiveContract.createdEvent,
  );
}

const times = { requestedAt: "2025-12-31T00:00:00Z", executeBefore: "2026-02-01T00:00:00Z" };

function transferArguments(inputs: readonly string[], values: object, more: object = {}): object {
  return {
    expectedAdmin: dso,
    transfer: { ...transferOf(alice, bob, dso), ...times, amount: "4", inputHoldingCids: inputs, ...more },
    extraArgs: { context: { values }, meta: empty },
  };
}

export function lookUp({ post }: Stub, more: object = {}): Post["json"] {
  return post("/registry/transfer-instruction/v1/transfer-factory", {
    choiceArguments: transferArguments([], {}, more),
    excludeDebugFields: true,
  }).json;
}

export function prepareTransfer(
  requested: Stub,
  more: {
    readonly transfer?: object;
    readonly values?: object;
    readonly inputs?: readonly string[];
    /** Further members of the request. */
    readonly body?: object;
  } = {},
): Post {
  const lookup = lookUp(requested, more.transfer);
  const inputs = more.inputs ?? [holdingsOfParty(requested, alice)[0].contractId];
  const values = more.values ?? lookup.choiceContext.choiceContextData.values;
  return prepare(
    requested,
    {
      ExerciseCommand: {
        templateId: "#splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1:TransferFactory",
        contractId: lookup.factoryId,
        choice: "TransferFactory_Transfer",
        choiceArgument: transferArguments(inputs, values, more.transfer),
      },
    },
    { disclosedContracts: lookup.choiceContext.disclosedContracts, ...more.body },
  );
}

let commands = 0;
export function prepare({ post }: Stub, command: object, more: object = {}, token?: string): Post {
  commands += 1;
  return post(
    "/v2/interactive-submission/prepare",
    {
      commandId: `c${commands}`,
      commands: [command],
      actAs: [alice],
      ...more,
    },
    token,
  );
}

export interface Signature {
  readonly format?: string;
  readonly signedBy?: string;
  readonly signingAlgorithmSpec?: string;
  readonly signature: string;
}

export function signed(hash: string, sign: (message: Uint8Array) => Uint8Array, more: object = {}): Signature {
  const signature = Buffer.from(sign(new Uint8Array(Buffer.from(hash, "base64")))).toString("base64");
  return {
    format: "SIGNATURE_FORMAT_CONCAT",
    signature,
    signedBy: fingerprintOf(publicKey),
    signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519",
    ...more,
  };
}

export const signature = (hash: string): Signature => signed(hash, (message) => ed25519.sign(message, secret));

export function execute(
  { post }: Stub,
  prepared: Post,
  {
    signatures,
    party = alice,
    path = "executeAndWait",
    more = {},
    token,
  }: {
    readonly signatures?: readonly object[];
    readonly party?: string;
    readonly path?: string;
    readonly more?: object;
    readonly token?: string;
  } = {},
): Post {
  const { preparedTransaction, preparedTransactionHash, hashingSchemeVersion } = prepared.json;
  return post(
    `/v2/interactive-submission/${path}`,
    {
      preparedTransaction,
      hashingSchemeVersion,
      submissionId: "s",
      deduplicationPeriod: { Empty: {} },
      partySignatures: { signatures: [{ party, signatures: signatures ?? [signature(preparedTransactionHash)] }] },
      ...more,
    },
    token,
  );
}

export const asset = (more: object = {}): { readonly CreateCommand: object } => ({
  CreateCommand: {
    templateId: "#app:Main:Asset",
    createArguments: {
      owner: alice,
      watchers: [bob],
      amount: "1.5",
      count: 3,
      nested: { list: [null, true, "x"] },
      ...more,
    },
  },
});
