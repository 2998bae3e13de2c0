import { portableWord } from "../../../checker/engine/curl-line.ts";
import type { LedgerState } from "../../../simulator/ledger/ledger-state.ts";
import type { RegistryState } from "../../../simulator/registry/registry-state.ts";
import type { Hosting } from "../../../stub/hosting/hosting.ts";
import { defaultWorldId } from "../../../stub/hosting/world-id.ts";
import { type LedgerAccess, ledgerAccess, type MintLine } from "../../../stub/inspection/ledger-access.ts";

const json = '-H "Content-Type: application/json"';

/** Access to the control API and to tokens, for the example lines. */
interface TryLineOptions {
  /** The header for the control API with a trailing space, empty without a token; undefined without a control API. */
  readonly control: string | undefined;
  readonly mint: MintLine | undefined;
}

/** Example shell lines for the served world. Each request gets 200. */
export function tryLines(url: string, hosting: Hosting, { control, mint }: TryLineOptions): readonly string[] {
  const world = hosting.worlds.get(defaultWorldId)?.world.elapse();
  if (world === undefined) return [];
  const access = ledgerAccess(hosting.auth, world.ledger, mint);
  const lines = [
    ...(access === undefined ? [] : ledgerLines(url, access, world.ledger)),
    ...lookupLine(url, world.registry, new Date(world.nowMs)),
    ...(control === undefined ? [] : controlLines({ url, header: control }, world.registry, world.ledger)),
  ];
  // Clients do not trust a self-signed certificate.
  return url.startsWith("https:") ? lines.map((line) => line.replace(/^curl -s /, "curl -sk ")) : lines;
}

function ledgerLines(url: string, { before, header }: LedgerAccess, ledger: LedgerState): readonly string[] {
  return [
    ...before,
    `curl -s ${header}"${url}/v2/users?pageSize=2"`,
    ...grantLine(url, header, ledger),
    `curl -s ${header}${url}/v2/idps`,
  ];
}

function grantLine(url: string, header: string, { users }: LedgerState): readonly string[] {
  const [userId] = users.nextHigherPair(undefined) ?? [];
  if (userId === undefined) return [];
  const body = JSON.stringify({ userId, rights: [{ kind: { ParticipantAdmin: { value: {} } } }] });
  return [`curl -s ${header}${json} -d ${portableWord(body)} ${url}/v2/users/${encodeURIComponent(userId)}/rights`];
}

function lookupLine(
  url: string,
  { admin, instruments, contracts, factory }: RegistryState,
  now: Date,
): readonly string[] {
  const [instrument] = instruments.nextHigherPair(undefined) ?? [];
  if (instrument === undefined || !contracts.has(factory.contract)) return [];
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
  return [`curl -s ${json} -d ${portableWord(body)} ${url}/registry/transfer-instruction/v2/transfer-factory`];
}

/** A reassignment of the factory: while it is in progress, the lookup gets 409. */
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
    `curl -s ${header}-d ${portableWord(body)} ${world}/${defaultWorldId}/reassignments/begin   # the lookup above now gets 409`,
    `curl -s ${header}-d ${portableWord(JSON.stringify({ contract: factory.contract }))} ${world}/${defaultWorldId}/reassignments/complete`,
  ];
}
