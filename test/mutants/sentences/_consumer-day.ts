import { Body } from "../../../src/foundation/http/body.ts";
import type { Exchange } from "../../../src/foundation/http/exchange.ts";
import type { Handler } from "../../../src/foundation/http/handler.ts";
import { type Json, type JsonObject, jsonOf } from "../../../src/foundation/json/json.ts";
import { app, notUploaded, type ProbedStub } from "../../acceptance/_probed.ts";
import { hostMappingWithKeys, keyOf, signedBy } from "../../acceptance/_topology.ts";
import { objectIn } from "../_mutant.ts";

/** An exchange with the label under which the table of recorded faults names it. */
export type Labelled = Pick<Exchange, "request" | "response"> & { readonly label: string };

type Send = (label: string, line: string, body?: Json, authorization?: string) => Promise<JsonObject>;

const [alice, bob] = [
  "alice::12202bd806c97f0e00af1a1fc3328fa763a9269723c8db8fac4f93af71db186d6e90",
  "bob::122081b637d8fcd2c6da6359e6963113a1170de795e4b725b84d1e0b4cfd9ec58ce9",
];
const admin = "DSO::12206c8fd2dd9768e7414dab87a0e087f4f72026463827e6fb17c516cca1a8cc1686";
const participant = "participant1::122056e00d8eef432e448963fb33d31cbc989835384ec290868e0a0f7573b254b1af";
const synchronizer = "second-domain::12200c3658a471c4732611085ea99d675b626c9a9f409ac0c149df4848e86ee5edc6";
const user = "day-1";

/** The requests of a reasonable application in one day, and deviating ones. */
export async function consumerDay(
  handler: Handler,
  { tokens, values, ledger }: Pick<ProbedStub, "tokens" | "values" | "ledger">,
): Promise<readonly Labelled[]> {
  const day: Labelled[] = [];
  const send: Send = async (label, line, body, authorization = `Bearer ${tokens.administrator}`) => {
    const [method = "", target = ""] = line.split(" ");
    const text = body === undefined ? "" : JSON.stringify(body);
    const length = ["Content-Length", String(Buffer.byteLength(text))] as const;
    const token = authorization === "" ? [] : [["Authorization", authorization] as const];
    const request = { method, target, headers: [...token, length], body: new Body(text) };
    const response = await handler(request);
    day.push({ label, request, response });
    return response.type === "response" ? objectIn(jsonOf(response.body.text())) : {};
  };
  await readUsers(send);
  await grantRights(send);
  await updateUser(send);
  await readUsers(send, "-later");
  await vet(send);
  await allocate(send);
  await execute(send, values, { submitter: tokens.submitter ?? "", isPeriodOptional: ledger === "spec" });
  await lookUp(send);
  for (const [label, authorization] of [
    ["basic", "Basic YWxpY2U6c2VjcmV0"],
    ["empty", "Bearer "],
    ["bare", ""],
  ] as const) {
    await send(`idps-${label}`, "GET /v2/idps", undefined, authorization);
    await send(`status-${label}`, `GET /v2/packages/${app}/status`, undefined, authorization);
    await send(`grant-${label}`, `POST /v2/users/${user}/rights`, { userId: user }, authorization);
  }
  return day;
}

async function readUsers(send: Send, suffix = ""): Promise<void> {
  await send(`idps${suffix}`, "GET /v2/idps");
  if (suffix === "")
    for (const id of [user, "day-2"])
      await send(`create-${id}`, "POST /v2/users", { user: { ...attributes, id }, rights: [] });
  await send(`users${suffix}`, "GET /v2/users?pageSize=1000");
  await send(`users-plain${suffix}`, "GET /v2/users");
  await send(`users-start${suffix}`, "GET /v2/users?pageSize=1000&pageToken=");
  let page = await send(`page-0${suffix}`, "GET /v2/users?pageSize=1");
  for (
    let index = 1;
    index < 20 && typeof page["nextPageToken"] === "string" && page["nextPageToken"] !== "";
    index += 1
  )
    page = await send(
      `page-${index}${suffix}`,
      `GET /v2/users?pageSize=${index}&pageToken=${encodeURIComponent(page["nextPageToken"])}`,
    );
  await send(`users-bad${suffix}`, "GET /v2/users?pageSize=x");
}

const metadata = { resourceVersion: "", annotations: {} };
const attributes = { primaryParty: "", isDeactivated: false, identityProviderId: "", metadata };

async function grantRights(send: Send): Promise<void> {
  const line = `POST /v2/users/${user}/rights`;
  const rights = [alice, bob].map((party) => ({ kind: { CanActAs: { value: { party } } } }));
  await send("grant", line, { userId: user, rights, identityProviderId: "" });
  await send("grant-again", line, { userId: user, rights });
  await send("grant-nothing", line, { userId: user, rights: [], identityProviderId: "" });
  await send("grant-least", line, { userId: user });
  await send("grant-unknown", "POST /v2/users/day-none/rights", { userId: "day-none", rights });
  await send("grant-bad", line, { rights });
  await send("rights", `GET /v2/users/${user}/rights`);
}

async function updateUser(send: Send): Promise<void> {
  const update = (changed: JsonObject, paths: readonly string[], id = user) => ({
    user: { ...attributes, id, ...changed },
    updateMask: { paths, unknownFields: { fields: {} } },
  });
  const line = `PATCH /v2/users/${user}`;
  await send("patch", line, update({ isDeactivated: true, primaryParty: alice }, ["is_deactivated"]));
  const annotated = { metadata: { resourceVersion: "", annotations: { team: "payments" } } };
  await send("patch-annotations", line, update(annotated, ["metadata.annotations"]));
  await send(
    "patch-unknown",
    "PATCH /v2/users/day-none",
    update({ isDeactivated: true }, ["is_deactivated"], "day-none"),
  );
  await send("patch-bad", line, { user: { ...attributes, id: user } });
}

async function vet(send: Send): Promise<void> {
  const change = (packageId: string) => [{ operation: { Vet: { value: { packages: [{ packageId }] } } } }];
  const changes = change(app);
  const line = "POST /v2/package-vetting";
  await send("status", `GET /v2/packages/${app}/status`);
  await send("status-unknown", `GET /v2/packages/${"ab".repeat(32)}/status`);
  await send("vetting-refused", line, { changes: change(notUploaded), synchronizerId: synchronizer, dryRun: true });
  const given = await send("vetting-dry", line, { changes, synchronizerId: synchronizer, dryRun: true });
  const { topologySerial = 1 } = objectIn(given["pastVettedPackages"]);
  const expectedTopologySerial = { serial: { Prior: { value: topologySerial } } };
  await send("vetting-serial", line, { changes, synchronizerId: synchronizer, dryRun: true, expectedTopologySerial });
  await send("vetting-unforced", line, {
    changes,
    synchronizerId: synchronizer,
    dryRun: true,
    updateVettedPackagesForceFlags: [],
  });
  await send("vetting", line, { changes, synchronizerId: synchronizer });
  await send("vetting-again", line, { changes, synchronizerId: synchronizer, dryRun: true });
  await send("vetting-bad", line, { changes: "all", synchronizerId: synchronizer });
}

/** Parties by letter, and the optional member that one of two requests omits. */
const allocations: readonly (readonly [letter: string, more: JsonObject, member: string])[] = [
  ["p", { waitForAllocation: true, userId: user }, "identityProviderId"],
  ["q", { waitForAllocation: false, userId: "" }, "waitForAllocation"],
  ["r", { waitForAllocation: true, userId: "" }, "userId"],
  ["s", { waitForAllocation: true, userId: user }, "waitForAllocation"],
  ["t", { waitForAllocation: true, userId: "" }, "multiHashSignatures"],
];

async function allocate(send: Send): Promise<void> {
  const line = "POST /v2/parties/external/allocate";
  for (const [letter, more, member] of allocations) {
    const key = keyOf(letter);
    const transaction = hostMappingWithKeys(`day-${letter}::${key.fingerprint}`, [key], [{ id: participant }]);
    const signatures = signedBy(key).map((signature) => ({ ...signature }));
    const least = { synchronizer, onboardingTransactions: [{ transaction, signatures }] };
    const full: JsonObject = { ...least, multiHashSignatures: signatures, identityProviderId: "", ...more };
    await send(`allocate-${letter}-bad`, line, { onboardingTransactions: least.onboardingTransactions });
    const { [member]: _, ...rest } = full;
    const requests: readonly JsonObject[] = letter === "q" ? [full, rest] : [rest, full];
    for (const [index, request] of requests.entries()) await send(`allocate-${letter}-${index}`, line, request);
  }
  await send("rights-of-party", `GET /v2/users/${user}/rights`);
}

async function execute(
  send: Send,
  { preparedTransactions = [] }: ProbedStub["values"],
  { submitter, isPeriodOptional }: { readonly submitter: string; readonly isPeriodOptional: boolean },
): Promise<void> {
  const line = "POST /v2/interactive-submission/executeAndWait";
  for (const [index, { userId = "alice", ...submission }] of preparedTransactions.entries()) {
    const least: JsonObject = { ...submission, userId, submissionId: `day-${index}` };
    const full = { ...least, deduplicationPeriod: { Empty: {} } };
    const bearer = `Bearer ${submitter}`;
    if (isPeriodOptional && index > 0) await send(`execute-${index}-least`, line, least, bearer);
    await send(`execute-${index}`, line, full, bearer);
    await send(`execute-${index}-again`, line, { ...full, submissionId: `day-${index}-again` }, bearer);
    await send(`execute-${index}-bad`, line, { ...full, preparedTransaction: 7 }, bearer);
  }
}

async function lookUp(send: Send): Promise<void> {
  const line = "POST /registry/transfer-instruction/v2/transfer-factory";
  const account = (owner: string) => ({ owner, provider: null, id: "" });
  const choiceArguments = (receiver: string) => ({
    transfer: {
      sender: account(alice),
      receiver: account(receiver),
      amount: "1.0",
      instrumentId: { admin, id: "Amulet" },
      requestedAt: "2026-01-01T00:04:00Z",
      executeBefore: "2026-01-02T00:05:00Z",
      inputHoldingCids: [],
      meta: { values: {} },
    },
    actors: [alice],
    extraArgs: { context: { values: {} }, meta: { values: {} } },
  });
  const offer = choiceArguments(`day-p::${keyOf("p").fingerprint}`);
  await send("lookup", line, { choiceArguments: offer });
  await send("lookup-debug", line, { choiceArguments: offer, excludeDebugFields: false });
  await send("lookup-lean", line, { choiceArguments: offer, excludeDebugFields: true });
  await send("lookup-self", line, { choiceArguments: choiceArguments(alice) });
  await send("lookup-direct", line, { choiceArguments: choiceArguments(bob) });
  await send("lookup-bad", line, { choiceArguments: "all" });
  await send("lookup-bare", line);
}
