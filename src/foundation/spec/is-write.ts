/** Read-only operations with another method than GET. */
const reads: ReadonlySet<string> = new Set([
  "postV2Interactive-submissionPrepare",
  "postV2Package-vettingList",
  "postV2PartiesExternalGenerate-topology",
  "postV2StateActive-contracts",
  "postV2UpdatesTransaction-by-id",
  "postV2UpdatesUpdate-by-id",
  "postValidatorSetupProposalPrepareAccept",
  "postValidatorTopologyGenerate",
]);

/** An operation, or a request to a path without one. */
interface Destination {
  readonly api: string;
  readonly operationId: string | undefined;
}

/** Whether a request may change its target. Reads, and lookups of registry and scan do not; a request without an operation may. */
export function isWrite(method: string, { api, operationId }: Destination): boolean {
  if (method === "GET" || method === "HEAD") return false;
  if (operationId === undefined) return true;
  return !reads.has(operationId) && (api !== "registry" || operationId.startsWith("postValidator"));
}
