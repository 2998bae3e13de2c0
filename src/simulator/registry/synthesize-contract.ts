import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { JsonObject } from "../../foundation/json/json.ts";
import { encodeCreatedEventBlob, encodeTextRecord } from "../../foundation/protobuf/created-event-blob.ts";
import type { RegistryContract } from "./registry-state.ts";

/** A contract of a fixture; absent members derive from seed and name. */
interface ContractDescription {
  readonly name: string;
  readonly templateId: string;
  readonly packageName: string;
  readonly contractId: string | undefined;
  readonly createdEventBlob: string | undefined;
  /** ISO-8601 in UTC. */
  readonly createdAt: string;
  readonly payload: JsonObject;
  readonly opensAtMs: number | undefined;
  readonly closesAtMs: number | undefined;
  readonly synchronizerId: string;
  readonly reassignmentCounter: number;
  readonly seed: string;
  readonly signatories: readonly string[];
  readonly observers: readonly string[];
}

/** Builds a contract whose blob agrees with its outer fields (Splice 0.7, recorded responses and transaction.proto). */
export function synthesizeContract(description: ContractDescription): RegistryContract {
  const { name, templateId, packageName, createdAt, payload, signatories, observers } = description;
  const contractId = description.contractId ?? derivedContractId(description.seed, name);
  const createdAtMicros = microsOf(createdAt);
  const texts = Object.values(payload).filter((value) => typeof value === "string");
  const createdEventBlob =
    description.createdEventBlob ??
    encodeCreatedEventBlob({
      contractId,
      packageName,
      templateId,
      createdAtMicros,
      signatories,
      createArgument: encodeTextRecord(texts),
    });
  const assignment = {
    type: "assigned",
    synchronizerId: description.synchronizerId,
    reassignmentCounter: description.reassignmentCounter,
  } as const;
  const { opensAtMs, closesAtMs } = description;
  const named = { name, templateId, contractId, packageName, createdEventBlob, createdAt };
  return { ...named, payload, opensAtMs, closesAtMs, signatories, observers, assignment };
}

/** Microseconds since the epoch of an ISO-8601 instant; Date keeps only milliseconds. */
function microsOf(instant: string): bigint {
  const fraction = /\.(\d+)/.exec(instant)?.[1] ?? "";
  const wholeSeconds = BigInt(Math.floor(Date.parse(instant) / 1000));
  return wholeSeconds * 1_000_000n + BigInt(fraction.slice(0, 6).padEnd(6, "0"));
}

/** `00`, 32 bytes, then the suffix `ca12` `1220` and 32 bytes: 138 hex digits. */
export function derivedContractId(seed: string, name: string): string {
  const digest = (purpose: string) => bytesToHex(sha256(utf8ToBytes(`${seed}/${purpose}/${name}`)));
  return `00${digest("contract")}ca121220${digest("suffix")}`;
}
