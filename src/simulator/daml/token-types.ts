import type { DamlType } from "./daml-type.ts";

// The types of the token standard's choices (Splice 0.7, TransferInstructionV1.daml and V2).

const text: DamlType = { type: "text" };
const party: DamlType = { type: "party" };
const numeric: DamlType = { type: "numeric" };
const timestamp: DamlType = { type: "timestamp" };
const contractId: DamlType = { type: "contract-id" };
const parties: DamlType = { type: "list", inner: party };

function record(fields: Readonly<Record<string, DamlType>>): DamlType {
  return { type: "record", fields: Object.entries(fields) };
}

const metadata = record({ values: { type: "text-map", inner: text } });

const anyValue: DamlType = {
  type: "variant",
  constructors: () => ({
    AV_Text: text,
    AV_Int: { type: "int64" },
    AV_Decimal: numeric,
    AV_Bool: { type: "bool" },
    AV_Date: text,
    AV_Time: timestamp,
    AV_RelTime: record({ microseconds: { type: "int64" } }),
    AV_Party: party,
    AV_ContractId: contractId,
    AV_List: { type: "list", inner: anyValue },
    AV_Map: { type: "text-map", inner: anyValue },
  }),
};

const extraArgs = record({ context: record({ values: { type: "text-map", inner: anyValue } }), meta: metadata });

const account = record({
  owner: { type: "optional", inner: party },
  provider: { type: "optional", inner: party },
  id: text,
});

function transfer(side: DamlType): DamlType {
  return record({
    sender: side,
    receiver: side,
    amount: numeric,
    instrumentId: record({ admin: party, id: text }),
    requestedAt: timestamp,
    executeBefore: timestamp,
    inputHoldingCids: { type: "list", inner: contractId },
    meta: metadata,
  });
}

/** Version of the token standard: v1 names parties, v2 names accounts and actors. */
export type Generation = "v1" | "v2";

export const transferFactoryTypes: Readonly<Record<Generation, DamlType>> = {
  v1: record({ expectedAdmin: party, transfer: transfer(party), extraArgs }),
  v2: record({ transfer: transfer(account), actors: parties, extraArgs }),
};

export const transferInstructionTypes: Readonly<Record<Generation, DamlType>> = {
  v1: record({ extraArgs }),
  v2: record({ actors: parties, extraArgs }),
};

export const tapType: DamlType = record({ receiver: party, amount: numeric, openRound: contractId });
