import { isJsonObject, type Json, type JsonObject } from "../../../foundation/json/json.ts";
import { limits } from "../../../foundation/limits/limits.ts";
import { decodeCreatedEventBlob } from "../../../foundation/protobuf/created-event-blob.ts";
import { FieldBudget } from "../../../foundation/protobuf/field-budget.ts";
import { memoize } from "../../../foundation/text/memoize.ts";
import { contextLookups } from "../../rules/context-lookups.ts";
import { digestOf as digestOfText } from "../../rules/digest.ts";
import { listAt, textAt } from "../../rules/members.ts";
import { type Finding, notApplicable, type TracedExchange, withFindings } from "../../rules/rule.ts";
import { acceptLookup, contractId, disclosedContract, otherContractId, sampleBlob } from "../../rules/sample-bodies.ts";
import { lookupExample, prepareExample, transfer } from "../_samples.ts";
import { preparation } from "../_submissions.ts";
import type { ClientRule } from "../client-rule.ts";

/** Ledger responses that contain created events with their blobs. */
const ledgerReads: readonly string[] = [
  "postV2StateActive-contracts",
  "postV2UpdatesUpdate-by-id",
  "postV2UpdatesTransaction-by-id",
];

/** Number of different blobs remembered per contract, since ledger and registry may serialize it differently. */
const blobsMax = 10;

const [given, prepared] = [
  lookupExample(transfer("1.0")),
  (createdEventBlob: string) =>
    prepareExample(transfer("1.0"), "YQ==", { disclosedContracts: [{ ...disclosedContract, createdEventBlob }] }),
];

/** Lookups that disclose that many blobs of the contract. */
const givenBlobs = (count: number) =>
  Array.from({ length: count }, (_, index) => lookupExample(transfer("1.0"), { createdEventBlob: `blob${index}` }));

export const blobsForwardedUnchanged: ClientRule = {
  type: "trace",
  id: "blobs-forwarded-unchanged",
  section: "2.1",
  severity: "error",
  sentence:
    "`createdEventBlob`, a required string, is the created event in serialized form, passed on exactly as the ledger returned it.",
  summary: "The created-event blob of a disclosed contract reaches the ledger unchanged.",
  why: "The ledger recomputes the contract id from the blob. The submission fails if the blob was decoded and encoded again, truncated, or taken from another contract.",
  advice: "Pass on `disclosedContracts` of the lookup unchanged, and treat blobs as opaque text.",
  operations: [...contextLookups, ...ledgerReads, preparation],
  assumesExclusiveUse: true,
  watch(memories) {
    const blobs = memories.map<readonly string[]>();
    const digestOf = memoize(digestOfText);
    const remember = (id: string, blob: string): void => {
      const [before, digest] = [blobs.get(id) ?? [], digestOf(blob)];
      if (!before.includes(digest) && before.length < blobsMax) blobs.set(id, [...before, digest]);
    };
    const changed = (contract: Json, index: number): readonly Finding[] => {
      const [id, blob] = [textAt(contract, "contractId") ?? "", textAt(contract, "createdEventBlob") ?? ""];
      const known = blobs.get(id);
      if (known === undefined || known.length >= blobsMax || known.includes(digestOf(blob))) return [];
      const pointer = `/disclosedContracts/${index}/createdEventBlob`;
      return [{ expected: `the blob received for ${id}`, actual: descriptionOf(blob, id), pointer }];
    };
    return {
      ends(traced) {
        if (traced.operation.operationId !== preparation) {
          for (const { id, blob } of createdEventsIn(traced)) remember(id, blob);
          return notApplicable;
        }
        const contracts = listAt(traced.requestJson, "disclosedContracts");
        return contracts.length === 0 ? notApplicable : withFindings(contracts.flatMap(changed));
      },
    };
  },
  examples: {
    kept: [
      { name: "the blob of the lookup", exchanges: [given, prepared(sampleBlob())] },
      {
        name: "a contract that no lookup discloses",
        exchanges: [lookupExample(transfer("1.0"), { contractId: otherContractId }), prepared(sampleBlob())],
      },
      {
        name: "a different blob that the ledger gave",
        exchanges: [
          given,
          {
            operationId: "postV2StateActive-contracts",
            target: "/v2/state/active-contracts",
            requestBody: {},
            status: 200,
            body: JSON.stringify([
              { contractEntry: { JsActiveContract: { createdEvent: { contractId, createdEventBlob: "YQ==" } } } },
            ]),
          },
          prepared("YQ=="),
        ],
      },
      {
        name: "a contract with more blobs than are remembered",
        exchanges: [...givenBlobs(blobsMax), prepared("YQ==")],
      },
    ],
    broken: [
      { name: "a truncated blob", exchanges: [given, prepared(sampleBlob().slice(0, 40))] },
      {
        name: "a truncated blob of an accept context",
        exchanges: [acceptLookup(), prepared(sampleBlob().slice(0, 40))],
      },
      { name: "the blob of another contract", exchanges: [given, prepared(sampleBlob(otherContractId))] },
      {
        name: "a blob that differs from all received ones",
        exchanges: [...givenBlobs(blobsMax - 1), prepared("YQ==")],
      },
      { name: "a missing blob", exchanges: [given, prepared("")] },
    ],
  },
};

function descriptionOf(blob: string, id: string): string {
  if (blob === "") return "none";
  const event = decodeCreatedEventBlob(blob, new FieldBudget(limits.protobufFieldsMax.byDefault));
  if (event === undefined) return "text that is not a created event";
  return event.contractId === id ? "another blob of the same contract" : `a blob of ${event.contractId}`;
}

interface ShownEvent {
  readonly id: string;
  readonly blob: string;
}

/** The disclosed contracts of a lookup, or the created events of a ledger response. */
function createdEventsIn({ operation, status, responseJson, disclosed }: TracedExchange): readonly ShownEvent[] {
  const found: ShownEvent[] = [];
  if (status !== 200) return found;
  if (contextLookups.includes(operation.operationId)) for (const { contract } of disclosed) addEvent(found, contract);
  else addEvents(found, responseJson);
  return found;
}

function addEvents(found: ShownEvent[], value: Json | undefined): void {
  if (typeof value !== "object" || value === null) return;
  if (isJsonObject(value)) addEvent(found, value);
  for (const inner of Object.values(value)) addEvents(found, inner);
}

function addEvent(found: ShownEvent[], { contractId: id, createdEventBlob: blob }: JsonObject): void {
  if (typeof id === "string" && typeof blob === "string") found.push({ id, blob });
}
