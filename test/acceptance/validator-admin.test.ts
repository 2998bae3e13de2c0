import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { expect, test } from "vitest";
import { stubSpec } from "../../src/stub/pipeline/stub.ts";
import { dso, operator, bob as spliceBob, spliceStub } from "./_splice.ts";
import { type Requested, type RequestedStub, stubOf, stubOver } from "./_stub.ts";

const alice = "alice::12202bd806c97f0e00af1a1fc3328fa763a9269723c8db8fac4f93af71db186d6e90";
const namespace = "122056e00d8eef432e448963fb33d31cbc989835384ec290868e0a0f7573b254b1af";
const admin = "/api/validator/v0/admin";
const external = `${admin}/external-party`;
const spec = stubSpec({ ledger: "canton-3.5", registry: "splice-0.7" }, { hasAdditionalOperations: true });

/** Sends a request, and validates a JSON response against its schema. */
function send({ ask }: RequestedStub, target: string, body?: object, token = "any") {
  const method = body === undefined ? "GET" : "POST";
  const requested: Requested = { method, token, headers: [["Content-Type", "application/json"]] };
  const { status, text, contentType } = ask(target, body === undefined ? requested : { ...requested, body });
  const route = spec.route(method, target);
  const schema = route.type === "found" ? route.operation.responses[String(status)]?.schema : undefined;
  const json = contentType === "application/json" ? JSON.parse(text) : text;
  if (contentType === "application/json" && schema !== undefined)
    expect(spec.validate.registry(schema, json)).toEqual([]);
  return { status, json };
}

const quickstart = (auth: "bearer" | "user" = "bearer") => stubOf("quickstart", "canton-3.5", auth);

/** An Ed25519 key as a wallet has it: its hexadecimal public key, and a function that signs hexadecimal bytes. */
function wallet() {
  const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, 7)]);
  const privateKey = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const raw = createPublicKey(privateKey).export({ format: "der", type: "spki" }).subarray(-32);
  return {
    publicKey: raw.toString("hex"),
    sign: (hash: string) => sign(null, Buffer.from(hash, "hex"), privateKey).toString("hex"),
  };
}

test("onboards a user with a party of its own, once", () => {
  const stub = quickstart();
  const onboarded = send(stub, `${admin}/users`, { name: "frank" });
  expect(onboarded).toEqual({ status: 200, json: { party_id: `frank::${namespace}` } });
  expect(send(stub, `${admin}/users`, { name: "frank" })).toEqual(onboarded);
  expect(send(stub, `${admin}/users`).json.usernames).toEqual(["alice", "bob", "frank"]);
  expect(JSON.parse(stub.ask("/v2/users/frank").text).user).toMatchObject({ primaryParty: `frank::${namespace}` });
  expect(JSON.parse(stub.ask("/v2/users/frank/rights").text).rights).toEqual([
    { kind: { CanActAs: { value: { party: `frank::${namespace}` } } } },
  ]);
});

test("gives a user a party that exists, or allocates it on request", () => {
  const stub = quickstart();
  expect(send(stub, `${admin}/users`, { name: "carol", party_id: alice }).json).toEqual({ party_id: alice });
  expect(JSON.parse(stub.ask("/v2/users/carol").text).user.primaryParty).toBe(alice);
  const absent = { name: "gina", party_id: `gina::${namespace}` };
  expect(send(stub, `${admin}/users`, absent).status).toBe(400);
  expect(send(stub, `${admin}/users`, { ...absent, createPartyIfMissing: true }).json).toEqual({
    party_id: absent.party_id,
  });
});

test("users whose names differ have different parties", () => {
  const stub = quickstart();
  const partyOf = (name: string) => send(stub, `${admin}/users`, { name }).json.party_id;
  expect(["a.b", "a_b", "a_002eb", "test@example!", "other-us:er"].map(partyOf)).toEqual(
    ["a_002eb", "a__b", "a__002eb", "test_0040example_0021", "other-us:er"].map((hint) => `${hint}::${namespace}`),
  );
});

test("allocates no party of another namespace", () => {
  const stub = quickstart();
  const foreign = { name: "gina", party_id: `gina::1220${"c".repeat(64)}`, createPartyIfMissing: true };
  expect(send(stub, `${admin}/users`, foreign)).toEqual({
    status: 400,
    json: { error: `The party ${foreign.party_id} does not exist, and its namespace is not that of the participant` },
  });
  expect(stub.ask("/v2/users/gina").status).toBe(404);
});

test.each([
  ["an empty party", { name: "alice", party_id: "" }],
  ["a user id with a blank", { name: "a b" }],
  ["a party without a namespace", { name: "gina", party_id: "gina" }],
])("refuses to onboard %s", (_, body) => {
  expect(send(quickstart(), `${admin}/users`, body).status).toBe(400);
});

test("only the operator administers the validator", () => {
  const stub = quickstart("user");
  expect(send(stub, `${admin}/users`, undefined, "alice").status).toBe(200);
  for (const token of ["participant_admin", "nobody"])
    expect(send(stub, `${admin}/users`, undefined, token)).toEqual({
      status: 403,
      json: "The supplied authentication is not authorized to access this resource",
    });
  expect(send(stub, `${admin}/users`, undefined, "").status).toBe(401);
});

const ledger = `participantId: participant1::1220ab
synchronizers: [{ alias: main, id: "global-domain::1220fa79dd1ee8fe25d601870c1b05bb634a8086134bfbe57f870549e2ddaca444e2" }]
parties: [{ id: "${alice}" }]
users: [{ id: alice, primaryParty: "${alice}" }]
`;

test("onboards an external party that signs three topology transactions, and lets the operator act as it", () => {
  const stub = stubOver({ ledger }, "canton-3.5", "bearer", true);
  const { publicKey, sign: signed } = wallet();
  const { party_id, topology_txs } = send(stub, `${external}/topology/generate`, {
    party_hint: "ext",
    public_key: publicKey,
  }).json;
  expect(topology_txs).toHaveLength(3);
  const signed_topology_txs = topology_txs.map(({ topology_tx, hash }: { topology_tx: string; hash: string }) => ({
    topology_tx,
    signed_hash: signed(hash),
  }));
  const submit = (txs: object) =>
    send(stub, `${external}/topology/submit`, { public_key: publicKey, signed_topology_txs: txs });
  const forged = signed_topology_txs.map((tx: object) => ({ ...tx, signed_hash: "00".repeat(64) }));
  expect(submit(forged).status).toBe(400);
  expect(submit(signed_topology_txs)).toEqual({ status: 200, json: { party_id } });
  expect(JSON.parse(stub.ask("/v2/users/alice/rights").text).rights).toContainEqual({
    kind: { CanActAs: { value: { party: party_id } } },
  });
});

test.each([
  ["generate", { party_hint: "ext", public_key: "xyz" }],
  ["generate", { party_hint: "a/b", public_key: "00".repeat(32) }],
  ["submit", { public_key: "xyz", signed_topology_txs: [] }],
  ["submit", { public_key: "00".repeat(32), signed_topology_txs: [{ topology_tx: "AA==", signed_hash: "0" }] }],
])("refuses to %s a topology of %j", (what, body) => {
  expect(send(quickstart(), `${external}/topology/${what}`, body).status).toBe(400);
});

test("proposes a pre-approval to an external party, which accepts it with its signature", () => {
  const stub = spliceStub(undefined, { isVerifying: true });
  const { publicKey, sign: signed } = wallet();
  const { party_id, topology_txs } = send(stub, `${external}/topology/generate`, {
    party_hint: "ext",
    public_key: publicKey,
  }).json;
  const signed_topology_txs = topology_txs.map(({ topology_tx, hash }: { topology_tx: string; hash: string }) => ({
    topology_tx,
    signed_hash: signed(hash),
  }));
  send(stub, `${external}/topology/submit`, { public_key: publicKey, signed_topology_txs });
  const propose = () => send(stub, `${external}/setup-proposal`, { user_party_id: party_id });
  const { contract_id } = propose().json;
  expect(contract_id).toMatch(/^00/);
  // Ninety days cost 90 USD.
  expect(stub.balance(operator)).toEqual(["820.0000000000"]);
  expect(propose()).toEqual({
    status: 409,
    json: { error: `ExternalPartySetupProposal contract already exists: ${contract_id}` },
  });
  expect(send(stub, `${external}/setup-proposal`).json.contracts).toMatchObject([{ contract: { contract_id } }]);
  const prepare = (id: string) =>
    send(stub, `${external}/setup-proposal/prepare-accept`, { user_party_id: party_id, contract_id: id });
  expect(prepare("00ab")).toEqual({
    status: 400,
    json: { error: "Found contract does not match provided contractId." },
  });
  const { transaction, tx_hash } = prepare(contract_id).json;
  const accept = (signed_tx_hash: string) =>
    send(stub, `${external}/setup-proposal/submit-accept`, {
      submission: { party_id, transaction, signed_tx_hash, public_key: publicKey },
    });
  expect(accept("00".repeat(64))).toMatchObject({ status: 400 });
  const { json, status } = accept(signed(tx_hash));
  expect([status, json]).toEqual([
    200,
    { transfer_preapproval_contract_id: expect.stringMatching(/^00/), update_id: expect.stringMatching(/^1220/) },
  ]);
  const preapproval = json.transfer_preapproval_contract_id;
  const found = send(stub, `/api/validator/v0/scan-proxy/transfer-preapprovals/by-party/${party_id}`).json;
  expect(found.transfer_preapproval.contract).toMatchObject({
    contract_id: preapproval,
    payload: { receiver: party_id, provider: operator, expiresAt: "2026-04-01T00:00:00Z" },
  });
  expect(send(stub, `${external}/setup-proposal`).json).toEqual({ contracts: [] });
  expect(propose().json).toEqual({ error: `TransferPreapproval contract already exists: ${preapproval}` });
});

test("proposes a pre-approval again once the old one has closed, and names the missing funds", () => {
  const closing = () => spliceStub(undefined, { closesAt: "2026-01-01T00:01:00Z" });
  const propose = (stub: RequestedStub, party = spliceBob) =>
    send(stub, `${external}/setup-proposal`, { user_party_id: party });
  const stub = closing();
  expect(propose(stub).status).toBe(409);
  stub.world.advanceBy(60_000);
  expect(propose(stub).status).toBe(200);
  const accepted = closing();
  accepted.world.advanceBy(60_000);
  const template = "#splice-wallet:Splice.Wallet.TransferPreapproval:TransferPreapprovalProposal";
  accepted.create(template, { receiver: spliceBob, provider: operator, expectedDso: dso }, [spliceBob]);
  expect(accepted.contractsOf("Splice.AmuletRules:TransferPreapproval")).toHaveLength(2);
  const proposals = Array.from({ length: 6 }, (_, index) => propose(stub, `ext${index}::1220ab`));
  expect(proposals.map(({ status }) => status)).toEqual([200, 200, 200, 200, 400, 400]);
  expect(proposals.at(-1)?.json).toEqual({
    error: "Insufficient funds for the transfer pre-approval purchase (missing 80.0 CC)",
  });
});

test("proposes no pre-approval to a party that has one, or without a proposal", () => {
  const stub = quickstart();
  const bob = "bob::122081b637d8fcd2c6da6359e6963113a1170de795e4b725b84d1e0b4cfd9ec58ce9";
  expect(send(stub, `${external}/setup-proposal`, { user_party_id: bob })).toEqual({
    status: 409,
    json: { error: expect.stringMatching(/^TransferPreapproval contract already exists: 00/) },
  });
  expect(send(stub, `${external}/setup-proposal`).json).toEqual({ contracts: [] });
  expect(
    send(stub, `${external}/setup-proposal/prepare-accept`, { user_party_id: alice, contract_id: "00ab" }),
  ).toEqual({ status: 404, json: { error: `No ExternalPartySetupProposal contract found for ${alice}` } });
});
