import type { JsonObject } from "../../../foundation/json/json.ts";
import { objectOf, objectsOf } from "../../../foundation/json/members.ts";
import { preparedTransactionHash } from "../../../foundation/protobuf/transaction-hash.ts";
import { base64OfBytes } from "../../../foundation/text/base64.ts";
import type { LedgerState } from "../../ledger/ledger-state.ts";
import { isSignedBy } from "../_signature.ts";
import type { Call } from "../operation.ts";
import { notExecuted, type Refusal } from "../refusal.ts";
import { hashingSchemeOf } from "./_hashing-scheme.ts";
import type { Submission } from "./_submission.ts";

/** The hash that the submitters sign; undefined for a declared transaction. */
function hashOf(body: JsonObject, { what }: Submission): Uint8Array | undefined {
  if (what.type === "declared") return undefined;
  // A transaction without nodes has no hash. Nodes were checked before.
  if (what.prepared.transaction?.nodes.size === 0) return undefined;
  const scheme = hashingSchemeOf(body);
  return what.known?.scheme === scheme ? what.known.hash : preparedTransactionHash(what.prepared, scheme);
}

/** The signed hash in base64. */
export function signedHash(body: JsonObject, submission: Submission): string | undefined {
  const hash = hashOf(body, submission);
  return hash === undefined ? undefined : base64OfBytes(hash);
}

/** Checks that each submitter signed with as many keys as its threshold. A declared transaction needs no signatures. */
export function checkSignatures(call: Call, submission: Submission, ledger: LedgerState): Refusal | undefined {
  if (!call.areSignaturesVerified || submission.what.type === "declared") return undefined;
  const hash = hashOf(call.body, submission);
  if (hash === undefined) return notExecuted("the transaction has no nodes, so there is nothing to sign");
  const signing = objectsOf(objectOf(call.body["partySignatures"])["signatures"]);
  for (const party of new Set(submission.actAs)) {
    const { signingKeys = [], signingThreshold = 1 } = ledger.parties.get(party) ?? {};
    const given = signing
      .filter((entry) => entry["party"] === party)
      .flatMap((entry) => objectsOf(entry["signatures"]));
    const valid = signingKeys.filter((key) => given.some((signature) => isSignedBy(signature, key, hash)));
    if (valid.length < signingThreshold)
      return notExecuted(
        `Received ${valid.length} valid signatures from distinct keys (${given.length - valid.length} invalid), but expected at least ${signingThreshold} valid for ${party}`,
      );
  }
  return undefined;
}
