import { contractId, list, numeric, optional, parties, party, record, text, timestamp } from "./_types.ts";
import type { DamlType } from "./daml-type.ts";

// The types of the token standard's choices (Splice 0.7, TransferInstructionV1.daml and V2).

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
  owner: optional(party),
  provider: optional(party),
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
    inputHoldingCids: list(contractId),
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
