import { jwkOf } from "../../../foundation/crypto/jwk.ts";
import { isAllocated } from "../../ledger/ledger-state.ts";
import { synchronizerProblem, uniqueIdentifierProblem } from "../_identifier-problem.ts";
import { connectedSynchronizer } from "../_synchronizer.ts";
import type { Operation, OperationResult } from "../operation.ts";
import { invalidArgument, nodeError } from "../refusal.ts";

/** `GET /v2/jose/jwks/synchronizer/{synchronizer}/party/{party}`: the keys that sign for an external party (Canton 3.6, source). */
export const getPartyKeys: Operation = {
  operationId: "getV2JoseJwks",
  perform({ path }, { ledger, nowMs }): OperationResult {
    const { synchronizer = "", party: id = "" } = path;
    const misnamed = synchronizerProblem(synchronizer) ?? uniqueIdentifierProblem(id);
    if (misnamed !== undefined) return invalidArgument(misnamed);
    if (connectedSynchronizer(synchronizer, ledger) === undefined)
      return nodeError("SYNCHRONIZER_NOT_FOUND", "Could not find synchronizer.", {
        resources: [["SYNCHRONIZER_ID", synchronizer]],
      });
    const party = ledger.parties.get(id);
    if (party === undefined || !isAllocated(party, nowMs) || party.signingKeys.length === 0)
      return nodeError("PARTY_SIGNING_KEYS_NOT_FOUND", "Could not find signing keys for the requested party.", {
        resources: [["PARTY", id]],
      });
    const keys = party.signingKeys.flatMap(
      ({ spec, publicKey, fingerprint }) => jwkOf(spec, publicKey, fingerprint) ?? [],
    );
    return { type: "succeeded", body: { keys }, changes: [] };
  },
};
