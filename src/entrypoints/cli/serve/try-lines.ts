import { shellWord } from "../../../checker/engine/curl-line.ts";
import type { LedgerState } from "../../../simulator/ledger/ledger-state.ts";
import type { RegistryState } from "../../../simulator/registry/registry-state.ts";
import { defaultWorldId, type Hosting } from "../../../stub/hosting/hosting.ts";
import type { AuthenticationMode } from "../../../stub/pipeline/claims.ts";

const json = "-H 'Content-Type: application/json'";

/** How the world is served beside what it is. */
export interface Trying {
  /** The header that lets into the control API, with a blank after it where there is one; undefined where none is served. */
  readonly control: string | undefined;
  /** The shell line that prints a token of a user; undefined where nobody here can mint one. */
  readonly mint: ((userId: string) => string) | undefined;
}

/** Shell lines that a newcomer can try on the world that is served; each of them gets 200. */
export function tryLines(url: string, hosting: Hosting, { control, mint }: Trying): readonly string[] {
  const world = hosting.worlds.get(defaultWorldId)?.world.state;
  if (world === undefined) return [];
  const access = accessTo(hosting.auth, world.ledger, mint);
  const lines = [
    ...(access === undefined ? [] : ledgerLines(url, access, world.ledger)),
    ...lookupLine(url, world.registry, new Date(world.nowMs)),
    ...(control === undefined ? [] : controlLines({ url, header: control }, world.registry, world.ledger)),
  ];
  // A certificate of one's own is known to no client.
  return url.startsWith("https:") ? lines.map((line) => line.replace(/^curl -s /, "curl -sk ")) : lines;
}

/** A header that lets an administrator in, with a blank after it, and the line that has to go before. */
interface Access {
  readonly before: readonly string[];
  readonly header: string;
}

/** Undefined where the world has no administrator, or nobody here can mint its token. */
function accessTo(
  authentication: AuthenticationMode,
  { users }: LedgerState,
  mint: Trying["mint"],
): Access | undefined {
  if (authentication === "none") return { before: [], header: "" };
  if (authentication === "bearer") return { before: [], header: "-H 'Authorization: Bearer any' " };
  const admin = [...users.values()].find(
    ({ rights, isDeactivated }) => rights.has("ParticipantAdmin") && !isDeactivated,
  );
  if (admin === undefined) return undefined;
  if (authentication === "user") return { before: [], header: `-H ${shellWord(`Authorization: Bearer ${admin.id}`)} ` };
  return mint === undefined
    ? undefined
    : { before: [`TOKEN=$(${mint(admin.id)})`], header: '-H "Authorization: Bearer $TOKEN" ' };
}

function ledgerLines(url: string, { before, header }: Access, ledger: LedgerState): readonly string[] {
  return [
    ...before,
    `curl -s ${header}'${url}/v2/users?pageSize=2'`,
    ...grantLine(url, header, ledger),
    `curl -s ${header}${url}/v2/idps`,
  ];
}

function grantLine(url: string, header: string, { users }: LedgerState): readonly string[] {
  const [userId] = users.nextHigherPair(undefined) ?? [];
  if (userId === undefined) return [];
  const body = JSON.stringify({ userId, rights: [{ kind: { ParticipantAdmin: { value: {} } } }] });
  return [`curl -s ${header}${json} -d ${shellWord(body)} ${url}/v2/users/${encodeURIComponent(userId)}/rights`];
}

function lookupLine(url: string, { admin, instruments }: RegistryState, now: Date): readonly string[] {
  const [instrument] = instruments.nextHigherPair(undefined) ?? [];
  if (instrument === undefined) return [];
  const account = (owner: string) => ({ owner, provider: null, id: "" });
  const transfer = {
    sender: account("alice::1220ab"),
    receiver: account("bob::1220ab"),
    amount: "1.0",
    instrumentId: { admin, id: instrument },
    requestedAt: now.toISOString(),
    executeBefore: new Date(now.getTime() + 24 * 3600 * 1000).toISOString(),
    inputHoldingCids: [],
    meta: { values: {} },
  };
  const empty = { values: {} };
  const choiceArguments = { transfer, actors: ["alice::1220ab"], extraArgs: { context: empty, meta: empty } };
  const body = JSON.stringify({ choiceArguments, excludeDebugFields: true });
  return [`curl -s ${json} -d ${shellWord(body)} ${url}/registry/transfer-instruction/v2/transfer-factory`];
}

/** The window in which a lookup gets 409, opened by hand. */
function controlLines(
  { url, header }: { readonly url: string; readonly header: string },
  { factory, contracts }: RegistryState,
  { synchronizers }: LedgerState,
): readonly string[] {
  const world = `${url}/__understudy/worlds`;
  const assignment = contracts.get(factory.contract)?.assignment;
  const here = assignment?.type === "assigned" ? assignment.synchronizerId : undefined;
  const target = [...synchronizers.values()].find(({ id }) => id !== here)?.alias;
  if (target === undefined || here === undefined) return [`curl -s ${header}${world}`];
  const body = JSON.stringify({ contract: factory.contract, to: target });
  return [
    `curl -s ${header}${world}`,
    `curl -s ${header}-d ${shellWord(body)} ${world}/${defaultWorldId}/reassignments/begin   # the lookup above is 409 now`,
    `curl -s ${header}-d ${shellWord(JSON.stringify({ contract: factory.contract }))} ${world}/${defaultWorldId}/reassignments/complete`,
  ];
}
