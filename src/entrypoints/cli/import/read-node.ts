import { type Json, jsonOf } from "../../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf, textsOf } from "../../../foundation/json/members.ts";
import { activeContracts, NodeReads, type Read, type ReadSources, transferLookups } from "./node-reads.ts";

const ledger = (path: string): Read => ({ api: "ledger", method: "GET", path });
const registry = (path: string): Read => ({ api: "registry", method: "GET", path });

/** Receivers whose pre-approvals are looked up in the registry. */
const receiversMax = 200;
const listMax = 200;

/** Reads the state of a node, and of its registry, that the token may see. */
export async function readNode(sources: ReadSources): Promise<NodeReads> {
  const reads = new NodeReads(sources);
  await reads.first(ledger("/v2/version"));
  const participant = textOf(objectOf(await reads.first(ledger("/v2/parties/participant-id")))["participantId"]);
  const parties = await readParties(reads);
  if (sources.send.registry !== undefined) await readRegistry(reads, parties);
  await readUsers(reads);
  await readPackages(reads, participant);
  await readContracts(reads);
  return reads;
}

/** The parties that the participant hosts. */
async function readParties(reads: NodeReads): Promise<readonly string[]> {
  await reads.first(ledger("/v2/idps"));
  await reads.first(ledger("/v2/state/connected-synchronizers"));
  const rows = (await reads.pages(ledger("/v2/parties"))).flatMap(({ partyDetails }) => objectsOf(partyDetails));
  return rows.flatMap(({ party, isLocal }) => (isLocal === true ? [textOf(party)] : []));
}

async function readUsers(reads: NodeReads): Promise<void> {
  for (const { users } of await reads.pages(ledger("/v2/users")))
    for (const { id, identityProviderId } of objectsOf(users)) {
      const provider = textOf(identityProviderId);
      const query = provider === "" ? "" : `?identity-provider-id=${encodeURIComponent(provider)}`;
      await reads.first(ledger(`/v2/users/${encodeURIComponent(textOf(id))}/rights${query}`));
    }
}

async function readPackages(reads: NodeReads, participant: string): Promise<void> {
  const packages = textsOf(objectOf(await reads.first(ledger("/v2/packages")))["packageIds"]);
  for (const id of packages) await reads.first(ledger(`/v2/packages/${encodeURIComponent(id)}/status`));
  const body = { topologyStateFilter: { participantIds: [participant], synchronizerIds: [] } };
  await reads.pages(
    { api: "ledger", method: "POST", path: "/v2/package-vetting/list", body },
    { api: "ledger", method: "GET", path: "/v2/package-vetting", body },
  );
}

/** The contracts of any party, else those of the parties of the token's user. */
async function readContracts(reads: NodeReads): Promise<void> {
  const offset = objectOf(await reads.first(ledger("/v2/state/ledger-end")))["offset"];
  if (offset === undefined) return;
  const [, ofAny] = activeContracts(undefined, offset);
  const isForAny = (await statusOf(reads, { ...ofAny, path: `${ofAny.path}?limit=1` })) !== 403;
  const parties = isForAny ? undefined : await readableParties(reads);
  if (parties?.length === 0) reads.omitted.push("active contracts: the user of the token may read those of no party");
  else await readListed(reads, activeContracts(parties, offset));
}

/** A release without pages lists at most `listMax` contracts at once. */
async function readListed(reads: NodeReads, [page, list]: readonly [page: Read, list: Read]): Promise<void> {
  const before = reads.omitted.length;
  await reads.pages(page, list);
  if (!reads.omitted[before]?.includes(`${list.path}: 413`)) return;
  await reads.first({ ...list, path: `${list.path}?limit=${listMax}` });
  reads.omitted[before] = `active contracts after the first ${listMax}: this release of the node has no pages of them`;
}

async function statusOf(reads: NodeReads, read: Read): Promise<number> {
  const { response } = await reads.send(read);
  return response.type === "response" ? response.status : 0;
}

/** The parties that the user of the token may act or read as. */
async function readableParties(reads: NodeReads): Promise<readonly string[]> {
  const user = objectOf(await jsonAt(reads, "/v2/authenticated-user"))["user"];
  const id = textOf(objectOf(user)["id"]);
  const { rights } = objectOf(await jsonAt(reads, `/v2/users/${encodeURIComponent(id)}/rights`));
  const parties = objectsOf(rights).flatMap((right) => {
    const { CanActAs, CanReadAs } = objectOf(right["kind"]);
    return textOf(objectOf(objectOf(CanActAs ?? CanReadAs)["value"])["party"]) || [];
  });
  return [...new Set(parties)];
}

async function jsonAt(reads: NodeReads, path: string): Promise<Json | undefined> {
  const { response } = await reads.send(ledger(path));
  return response.type === "response" ? jsonOf(response.body.text()) : undefined;
}

/** The metadata, and a lookup of a transfer to each party, which shows the pre-approvals. */
async function readRegistry(reads: NodeReads, parties: readonly string[]): Promise<void> {
  const info = objectOf(await reads.first(registry("/registry/metadata/v1/info")));
  const pages = await reads.pages(registry("/registry/metadata/v1/instruments"));
  const [instrument, ...others] = pages.flatMap(({ instruments }) => objectsOf(instruments));
  const [sender] = parties;
  if (instrument === undefined || sender === undefined) {
    reads.omitted.push("transfer-factory: there is no instrument, or no party of the participant");
    return;
  }
  const nowMs = Date.now();
  const instrumentId = { admin: info["adminId"] ?? "", id: instrument["id"] ?? "" };
  const receivers = parties.length === 1 ? parties : parties.slice(0, receiversMax);
  for (const receiver of receivers) {
    const from = receiver === sender ? (parties[1] ?? sender) : sender;
    await reads.first(...transferLookups({ sender: from, receiver, instrumentId }, nowMs));
  }
  if (others.length > 0) reads.omitted.push(`transfer-factory of ${others.length} other instruments`);
  if (parties.length > receiversMax)
    reads.omitted.push(`pre-approvals of ${parties.length - receiversMax} parties beyond ${receiversMax}`);
}
