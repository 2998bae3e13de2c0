import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { isJsonObject, type Json } from "../../foundation/json/json.ts";
import type { Api } from "../../foundation/spec/contracts.ts";
import type { ProbeValue } from "../reports/report.ts";
import { probeIdPrefix } from "../rules/probe-ids.ts";
import type { TargetValues } from "./target.ts";

/** Sends a GET request with the administrator's token. Undefined unless the response is 200 with a JSON body. */
type GetJson = (api: Api, target: string) => Promise<Json | undefined>;

interface Discovered {
  readonly values: TargetValues;
  /** Values that no option gave, with their origin. */
  readonly derived: readonly ProbeValue[];
  readonly connectedSynchronizers: readonly string[] | undefined;
}

/** Completes the given values: the target is queried, and parties for registry lookups are generated. */
export async function discover(
  given: TargetValues,
  { apis, prefix, get }: { readonly apis: ReadonlySet<Api>; readonly prefix: string; readonly get: GetJson },
): Promise<Discovered> {
  const ledger = apis.has("ledger") ? await discoverLedger(get) : undefined;
  const registry = apis.has("registry") ? { ...generatedParties(prefix), instrument: await instrumentOf(get) } : {};
  const derived = { ...ledger?.values, ...registry };
  const values: TargetValues = { ...derived, ...withoutAbsent(given) };
  return {
    values,
    connectedSynchronizers: ledger?.connectedSynchronizers,
    derived: Object.entries(withoutAbsent(derived))
      .filter(([name]) => !Object.hasOwn(withoutAbsent(given), name))
      .map(([name, value]) => ({
        name,
        value: typeof value === "string" ? value : JSON.stringify(value),
        origin: name === "sender" || name === "receiver" ? "generated" : "discovered",
      })),
  };
}

/** Users requested. Users of other probe runs are skipped, because they may be deleted at any time. */
const usersPageSize = 100;

async function discoverLedger(
  get: GetJson,
): Promise<{ readonly values: TargetValues; readonly connectedSynchronizers: readonly string[] | undefined }> {
  const synchronizers = listIn(await get("ledger", "/v2/state/connected-synchronizers"), "connectedSynchronizers");
  const packages = listIn(await get("ledger", "/v2/packages"), "packageIds");
  const users = listIn(await get("ledger", `/v2/users?pageSize=${usersPageSize}`), "users");
  const parties = listIn(await get("ledger", "/v2/parties"), "partyDetails");
  const connectedSynchronizers = synchronizers?.flatMap((entry) => textIn(entry, "synchronizerId") ?? []);
  return {
    connectedSynchronizers,
    values: {
      synchronizer: connectedSynchronizers?.[0],
      package: packages?.find((id) => typeof id === "string"),
      existingUser: users?.flatMap((user) => textIn(user, "id") ?? []).find((id) => !id.startsWith(probeIdPrefix)),
      party: textIn(parties?.[0], "party"),
    },
  };
}

async function instrumentOf(get: GetJson): Promise<TargetValues["instrument"]> {
  const admin = textIn(await get("registry", "/registry/metadata/v1/info"), "adminId");
  const id = textIn(listIn(await get("registry", "/registry/metadata/v1/instruments"), "instruments")?.[0], "id");
  return admin === undefined || id === undefined ? undefined : { admin, id };
}

/** Parties that no registry knows, so that no pre-approval exists for them. */
function generatedParties(prefix: string): TargetValues {
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
