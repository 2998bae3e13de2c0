import type { Json, JsonObject } from "../../src/foundation/json/json.ts";
import type { Random } from "../../src/scenarios/generation/random.ts";
import type { Names } from "./_stock.ts";

/** Operations that are called often enough to reach a planned response. */
const oftenRequested = [
  "getV2Users",
  "postV2Users",
  "getV2UsersUser-id",
  "patchV2UsersUser-id",
  "postV2UsersUser-idRights",
  "patchV2UsersUser-idRights",
  "postV2Package-vetting",
  "getTransferFactory",
  "postV2Interactive-submissionExecuteandwait",
  "postV2PartiesExternalAllocate",
  "getV2StateLedger-end",
];
export const windows: readonly string[] = ["PT0S", "PT1S", "PT30S", "PT5M", "PT26H", "PT0.5S"];
const delays: readonly Json[] = [
  "PT0.1S",
  "PT2S",
  "PT1M",
  { median: "PT0.5S", sigma: 1 },
  { median: "PT1S" },
  { latency: "PT1S", jitter: "PT2S" },
];
const networkFaults: readonly JsonObject[] = [
  { bandwidth: 100 },
  { slices: { bytes: 20, variation: 5, pause: "PT0.1S" } },
  { slowClose: "PT1S" },
  { resetAfter: 20 },
];
const newParty = `planned::1220${"ef".repeat(32)}`;

/** An entry of a plan as a scenario has it; now and then one that makes no sense. */
export function drawEntry(random: Random, names: Names): Json {
  const when: JsonObject = random.happens(0.5)
    ? { at: pick(random, windows) }
    : { on: pick(random, oftenRequested), nth: 1 + random.below(3) };
  if (random.happens(0.05)) return pick<Json>(random, strange);
  if (random.happens(0.5)) return responseEntry(random);
  return { ...when, ...changeIn(random, names, when["at"] !== undefined) };
}

const strange: readonly Json[] = [
  {},
  { at: "PT1S" },
  { at: "PT1S", on: "getV2Users", deactivateUser: "alice" },
  { on: "none-such", instead: { status: 500 } },
  { at: "yesterday", deactivateUser: "alice" },
  { on: "getV2Users", fault: "none-such" },
  { on: "getV2Users", instead: { error: "NO_SUCH_CODE" } },
  { on: "getTransferFactory", instead: { error: "USER_NOT_FOUND" } },
  { at: "PT1S", deactivateUser: "unknown-user" },
  { at: "PT1S", allocateParty: "no party" },
  5,
  null,
];

function responseEntry(random: Random): Json {
  const operation = pick(random, oftenRequested);
  const times = 1 + random.below(3);
  const on = { on: operation, nth: 1 + random.below(2), ...(random.happens(0.5) ? { times } : {}) };
  if (random.happens(0.2))
    return { ...on, fault: pick(random, ["commit-then-timeout", "commit-then-reset", "commit-then-unavailable"]) };
  if (random.happens(0.3)) return { ...on, after: { delay: pick(random, delays) } };
  if (random.happens(0.1)) return { ...on, after: pick(random, networkFaults) };
  const isLedger = operation !== "getTransferFactory";
  const responses: readonly JsonObject[] = [
    { status: 503, body: "busy" },
    { status: 429, body: "later" },
    { status: 503 },
    { status: 200, body: { made: "up" } },
    { gatewayHtml: 502 },
    { gatewayHtml: 504 },
    { notJson: true },
    { reset: true },
    { timeout: true },
    ...(isLedger ? [{ error: "SERVICE_NOT_RUNNING" }, { error: "PERMISSION_DENIED" }] : []),
  ];
  const delay = random.happens(0.2) ? { delay: pick(random, delays) } : {};
  if (random.happens(0.5)) return { ...on, instead: { ...pick(random, responses), ...delay } };
  const after = pick(random, [...responses, { truncate: 0 }, { truncate: 20 }, { truncate: 100_000 }]);
  return { ...on, after: { ...after, ...delay } };
}

function changeIn(random: Random, names: Names, isTimed: boolean): JsonObject {
  const contract = pick(random, [...names.allContracts, "none-such"]);
  const aliases = names.synchronizers.map(({ alias }) => alias);
  const party = pick(random, [...names.parties, newParty]);
  const lasting = isTimed ? { for: pick(random, windows) } : { forCalls: 1 + random.below(3) };
  const changes: readonly JsonObject[] = [
    { reassign: { contract, to: pick(random, [...aliases, "nowhere"]), ...(random.happens(0.9) ? lasting : {}) } },
    { reassign: { contract, to: pick(random, [...aliases, "nowhere"]), ...lasting } },
    { deactivateUser: pick(random, [...names.users, "unknown-user"]) },
    { connect: pick(random, [...aliases, "nowhere"]) },
    { disconnect: pick(random, [...aliases, "nowhere"]) },
    { allocateParty: newParty },
    { createPreapproval: { receiver: party, ...(random.happens(0.3) ? { contract } : {}) } },
    { archivePreapproval: party },
    { authorizeHosting: { party, by: "participant2::1220ab" } },
    { uploadPackage: pick(random, [...names.notUploaded, "f".repeat(64)]) },
  ];
  return pick(random, changes);
}

/** One of them; at least one there must be. */
export function pick<Value>(random: Random, values: readonly Value[]): Value {
  const value = values[random.below(values.length)];
  if (value === undefined) throw new Error("invariant: there is nothing to pick from");
  return value;
}
