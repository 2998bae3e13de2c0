import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { isJsonObject, type Json } from "../../foundation/json/json.ts";
import type { Api } from "../../foundation/spec/contracts.ts";
import type { FoundValue } from "../reports/report.ts";
import { probeIdPrefix } from "../rules/probe-ids.ts";
import type { TargetValues } from "./target.ts";

/** Asks with the administrator's token; undefined where the response is no JSON of a 200. */
export type Ask = (api: Api, target: string) => Promise<Json | undefined>;

export interface Discovered {
  readonly values: TargetValues;
  /** What nobody gave, and where it comes from. */
  readonly found: readonly FoundValue[];
  readonly connectedSynchronizers: readonly string[] | undefined;
}

/** Completes what is known of a target by what it says itself, and by generated parties where those harm nobody. */
export async function discover(
  given: TargetValues,
  { apis, prefix, ask }: { readonly apis: ReadonlySet<Api>; readonly prefix: string; readonly ask: Ask },
): Promise<Discovered> {
  const ledger = apis.has("ledger") ? await discoverLedger(ask) : undefined;
  const registry = apis.has("registry") ? { ...madeUp(prefix), instrument: await instrumentOf(ask) } : {};
  const found = { ...ledger?.values, ...registry };
  const values: TargetValues = { ...found, ...withoutAbsent(given) };
  return {
    values,
    connectedSynchronizers: ledger?.connectedSynchronizers,
    found: Object.entries(withoutAbsent(found))
      .filter(([name]) => !Object.hasOwn(withoutAbsent(given), name))
      .map(([name, value]) => ({
        name,
        value: typeof value === "string" ? value : JSON.stringify(value),
        origin: name === "sender" || name === "receiver" ? "made up" : "discovered",
      })),
  };
}

/** Users of probes may be gone any moment, so the first one may not do. */
const usersLookedAt = 100;

async function discoverLedger(
  ask: Ask,
): Promise<{ readonly values: TargetValues; readonly connectedSynchronizers: readonly string[] | undefined }> {
  const synchronizers = listIn(await ask("ledger", "/v2/state/connected-synchronizers"), "connectedSynchronizers");
  const packages = listIn(await ask("ledger", "/v2/packages"), "packageIds");
  const users = listIn(await ask("ledger", `/v2/users?pageSize=${usersLookedAt}`), "users");
  const parties = listIn(await ask("ledger", "/v2/parties"), "partyDetails");
  const connectedSynchronizers = synchronizers?.flatMap((entry) => textIn(entry, "synchronizerId") ?? []);
  return {
    connectedSynchronizers,
    values: {
      synchronizer: connectedSynchronizers?.[0],
      package: packages?.find((id) => typeof id === "string"),
      someUser: users?.flatMap((user) => textIn(user, "id") ?? []).find((id) => !id.startsWith(probeIdPrefix)),
      party: textIn(parties?.[0], "party"),
    },
  };
}

async function instrumentOf(ask: Ask): Promise<TargetValues["instrument"]> {
  const admin = textIn(await ask("registry", "/registry/metadata/v1/info"), "adminId");
  const id = textIn(listIn(await ask("registry", "/registry/metadata/v1/instruments"), "instruments")?.[0], "id");
  return admin === undefined || id === undefined ? undefined : { admin, id };
}

/** Parties that no registry knows, so that none of them has pre-approved anything. */
function madeUp(prefix: string): TargetValues {
  const party = (hint: string) => `${prefix}-${hint}::1220${bytesToHex(sha256(utf8ToBytes(`${prefix}/${hint}`)))}`;
  return { sender: party("sender"), receiver: party("receiver") };
}

function listIn(value: Json | undefined, member: string): readonly Json[] | undefined {
  const list = isJsonObject(value) ? value[member] : undefined;
  return Array.isArray(list) ? list : undefined;
}

function textIn(value: Json | undefined, member: string): string | undefined {
  const text = isJsonObject(value) ? value[member] : undefined;
  return typeof text === "string" && text !== "" ? text : undefined;
}

function withoutAbsent(values: TargetValues): TargetValues {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
