// A lookup and a ledger error with the members, types, keys and codes of recorded ones (Splice LocalNet, August 2026;
// a participant of Canton 3.4). Ids, amounts and times are generated or synthetic.
import { createHash } from "node:crypto";
import type { JsonObject } from "../src/foundation/json/json.ts";
import {
  bool,
  createdEventBlob,
  type DamlValue,
  int64,
  list,
  mapOf,
  numeric,
  optional,
  party,
  record,
  text,
  timestamp,
  unit,
} from "./_created-event.ts";
import { extraArgs } from "./_transfer.ts";

const digest = (name: string) => createHash("sha256").update(name).digest();
const partyId = (hint: string) => `${hint}::1220${digest(hint).toString("hex")}`;
const contractId = (name: string) =>
  `00${digest(name).toString("hex")}ca121220${digest(`${name}, suffix`).toString("hex")}`;

const [sender, receiver, admin] = [partyId("app_user-localparty-1"), partyId("sv"), partyId("DSO")];
const synchronizerId = admin.replace("DSO", "global-domain");
const packageId = digest("splice-amulet").toString("hex");
const startMicros = 1_767_225_600_000_000n;
const [hourMicros, yearMicros] = [3_600_000_000, 31_536_000_000_000];

const ratio = (value: string) => record(numeric(value));
const duration = (micros: number) => record(int64(micros));
const fees = record(
  ratio("0.0000000000"),
  ratio("0.0000251103"),
  record(numeric("0.0000000000"), list()),
  ratio("0.0000000000"),
  numeric("1.0000000000"),
  int64(100),
  int64(100),
  int64(50),
);
const issuance = (amount: string, validators: string, applications: string) =>
  record(
    numeric(amount),
    numeric(validators),
    numeric(applications),
    numeric("0.2000000000"),
    numeric("100.0000000000"),
    numeric("0.6000000000"),
    optional(numeric("2.8500000000")),
  );
const firstIssuance = issuance("40000000000.0000000000", "0.0500000000", "0.1500000000");
const laterIssuances = [
  [yearMicros / 2, issuance("20000000000.0000000000", "0.1200000000", "0.4000000000")],
  [yearMicros * 3, issuance("10000000000.0000000000", "0.1800000000", "0.6200000000")],
  [yearMicros * 10, issuance("2500000000.0000000000", "0.2000000000", "0.7500000000")],
] as const;

const rules = record(
  party(admin),
  record(
    fees,
    record(firstIssuance, list(...laterIssuances.map(([micros, later]) => record(duration(micros), later)))),
    record(record(mapOf([text(synchronizerId), unit])), text(synchronizerId)),
    record(record(int64(400_000), duration(hourMicros)), numeric("16.6700000000"), int64(4), int64(200_000)),
    record(...["0.1.22", "0.1.23", "0.1.8"].map(text)),
    optional(),
    optional(numeric("1.0000000000")),
    list(),
  ),
  bool(true),
);
const round = record(
  party(admin),
  record(int64(275)),
  numeric("0.0050000000"),
  timestamp(startMicros + BigInt(hourMicros)),
  timestamp(startMicros + BigInt(2 * hourMicros)),
  duration(165_000_000_000),
  fees,
  firstIssuance,
  duration(600_000_000),
);
const configState = record(
  party(admin),
  record(int64(205)),
  numeric("0.0050000000"),
  record(ratio("0.0000251103"), int64(100), int64(100), int64(50)),
  timestamp(startMicros + BigInt(48 * hourMicros)),
);

/** A disclosed contract with null for its debug members, as registries send them. */
type DisclosedSample = {
  readonly templateId: string;
  readonly contractId: string;
  readonly createdEventBlob: string;
  readonly synchronizerId: string;
  readonly debugPackageName: null;
  readonly debugPayload: null;
  readonly debugCreatedAt: null;
};

function disclosed(names: string, createArgument: DamlValue, createdAtMicros: bigint): DisclosedSample {
  const templateId = `${packageId}:Splice.${names}`;
  const event = { contractId: contractId(names), templateId, packageName: "splice-amulet", signatory: admin };
  const blob = createdEventBlob({ ...event, createdAtMicros, salt: digest(`${names}, salt`), createArgument });
  return {
    templateId,
    contractId: event.contractId,
    createdEventBlob: blob,
    synchronizerId,
    debugPackageName: null,
    debugPayload: null,
    debugCreatedAt: null,
  };
}

const amuletRules = disclosed("AmuletRules:AmuletRules", rules, startMicros);
const openRound = disclosed("Round:OpenMiningRound", round, startMicros + 440_659_861_266n);
const partyConfig = disclosed(
  "ExternalPartyConfigState:ExternalPartyConfigState",
  configState,
  startMicros + 178_390_772_512n,
);
const factory = disclosed("ExternalPartyAmuletRules:ExternalPartyAmuletRules", record(party(admin)), startMicros);

/** The contracts that the lookup discloses, the factory last. */
export const disclosedSamples: readonly DisclosedSample[] = [amuletRules, openRound, partyConfig, factory];

const contextOf = (...entries: readonly (readonly [key: string, contract: DisclosedSample])[]) =>
  Object.fromEntries(entries.map(([key, contract]) => [key, { tag: "AV_ContractId", value: contract.contractId }]));

interface SampleResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

interface SampleExchange {
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: JsonObject;
  };
  readonly response: SampleResponse;
}

const headers = { "Content-Type": "application/json" };

/** A lookup of an offer at a registry for Amulet, without debug members. */
export const lookupSample: SampleExchange = {
  request: {
    method: "POST",
    url: "http://scan.localhost:4000/registry/transfer-instruction/v2/transfer-factory",
    headers,
    body: {
      choiceArguments: {
        transfer: {
          sender: { owner: sender, provider: null, id: "" },
          receiver: { owner: receiver, provider: null, id: "" },
          amount: "42.5",
          instrumentId: { admin, id: "Amulet" },
          requestedAt: "2026-01-06T02:24:19Z",
          executeBefore: "2026-01-07T02:24:29Z",
          inputHoldingCids: [contractId("holding")],
          meta: { values: { "splice.lfdecentralizedtrust.org/reason": "sample of an offer" } },
        },
        actors: [sender],
        extraArgs,
      },
      excludeDebugFields: true,
    },
  },
  response: {
    status: 200,
    headers,
    body: {
      factoryId: factory.contractId,
      transferKind: "offer",
      choiceContext: {
        choiceContextData: {
          values: contextOf(
            ["open-round", openRound],
            ["external-party-config-state", partyConfig],
            ["amulet-rules", amuletRules],
          ),
        },
        disclosedContracts: disclosedSamples,
      },
    },
  },
};

/** An error about a contract that the participant does not have. */
export const ledgerErrorSample: { readonly response: SampleResponse } = {
  response: {
    status: 404,
    headers,
    body: {
      code: "CONTRACT_NOT_FOUND",
      cause: `Contract could not be found with id ${contractId("license")}`,
      correlationId: "create-license",
      traceId: digest("trace").toString("hex").slice(0, 32),
      context: {
        participant: "'app-provider'",
        category: "11",
        tid: digest("trace").toString("hex").slice(0, 32),
        definite_answer: "false",
        commands: "<log string>",
      },
      resources: [["ErrorResource(CID)", contractId("license")]],
      errorCategory: 11,
      grpcCodeValue: 5,
      retryInfo: null,
      definiteAnswer: null,
    },
  },
};
