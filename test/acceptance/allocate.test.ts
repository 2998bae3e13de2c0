import {
  CryptoKeyFormat,
  Enums_ParticipantPermission,
  Enums_TopologyChangeOp,
  SigningKeySpec,
  SigningKeyUsage,
} from "@canton-network/core-ledger-proto";
import { expect, test } from "vitest";
import { decentralizedNamespaceOf } from "../../src/foundation/protobuf/fingerprint.ts";
import { decodeTopologyTransaction } from "../../src/foundation/protobuf/topology-transaction.ts";
import { expectRefused, hashOfWorld, type PlayedProfile, stubOf, stubOver } from "./_stub.ts";
import {
  base64,
  decentralized,
  delegation,
  type Host,
  here,
  hostMapping,
  hostMappingWithKeys,
  type Key,
  keyMapping,
  keyOf,
  signedBy,
  there,
  transactionOf,
} from "./_topology.ts";

const profiles: readonly PlayedProfile[] = ["spec", "canton-3.5"];
const synchronizer = "a::1220ab";
const key = keyOf("k");
const party = `nina::${key.fingerprint}`;
const ledger = `participantId: ${here}
identityProviders: [{ id: corporate, issuer: i, jwksUrl: j }]
limits: { rightsPerUserMax: 2 }
synchronizers: [{ alias: a, id: "${synchronizer}" }, { alias: away, id: "away::1220ab", connected: false }]
parties: [{ id: "old::${key.fingerprint}" }]
users:
  - { id: root, rights: [ParticipantAdmin] }
  - { id: nina }
  - { id: full, rights: [CanReadAsAnyParty, CanExecuteAsAnyParty] }
  - { id: erin, identityProviderId: corporate, rights: [IdentityProviderAdmin] }
`;
const path = "/v2/parties/external/allocate";

function request(transactions: readonly string[] = [hostMappingWithKeys(party, [key])], more: object = {}) {
  return {
    synchronizer,
    onboardingTransactions: transactions.map((transaction) => ({ transaction, signatures: [] })),
    multiHashSignatures: signedBy(key),
    ...more,
  };
}

function stub(profile: PlayedProfile = "canton-3.5", auth: "bearer" | "user" = "bearer") {
  const { world, ask } = stubOver({ ledger }, profile, auth);
  const isThere = () => {
    const row = world.state.ledger.parties.get(party);
    return row !== undefined && row.awaiting.length === 0 && row.visibleFromMs <= world.state.nowMs;
  };
  return { world, ask, isThere, allocate: (body: unknown, token?: string) => ask(path, { body, token }) };
}

test("allocates a party from one transaction with hosts and keys, or from the three transactions of earlier releases", () => {
  const three = [delegation(key), keyMapping(party, [key]), hostMapping(party)];
  for (const profile of profiles)
    for (const transactions of [[hostMappingWithKeys(party, [key])], three]) {
      const { allocate, isThere } = stub(profile);
      const response = allocate(request(transactions));
      expect(response).toMatchObject({ status: 200, contentType: "application/json" });
      expect(JSON.parse(response.text)).toEqual({ partyId: party });
      expect(isThere()).toBe(true);
    }
});

test("accepts a signature on each transaction instead of one over all", () => {
  const transactions = [{ transaction: hostMappingWithKeys(party, [key]), signatures: signedBy(key) }];
  expect(stub().allocate({ synchronizer, onboardingTransactions: transactions }).status).toBe(200);
});

test("grants the named user the right to act as the party", () => {
  const { world, allocate } = stub();
  allocate(request(undefined, { userId: "nina" }));
  expect([...(world.state.ledger.users.get("nina")?.rights ?? [])].map(([key]) => key)).toEqual([`CanActAs ${party}`]);
});

test("allocates later in virtual time for a request that does not wait, and refuses a repeated request as in flight", () => {
  const { world, allocate, isThere } = stub();
  expect(allocate(request(undefined, { waitForAllocation: false })).status).toBe(200);
  expect(isThere()).toBe(false);
  expect(JSON.parse(allocate(request()).text)).toMatchObject({ code: "REQUEST_ALREADY_IN_FLIGHT", errorCategory: 2 });
  world.advanceBy(1000);
  expect(isThere()).toBe(true);
  expect(JSON.parse(allocate(request()).text)).toMatchObject({
    code: "INVALID_ARGUMENT",
    cause: `The submitted request has invalid arguments: Party ${party} already exists on synchronizer ${synchronizer}`,
  });
});

test("ignores waitForAllocation for a party of several hosts, which is usable once all hosts have authorized it, and keeps its identity provider", () => {
  const { world, allocate, isThere } = stub();
  const more = { waitForAllocation: true, identityProviderId: "corporate" };
  expect(allocate(request([hostedBy({ id: here }, observer)], more)).status).toBe(200);
  const visibleFromMs = world.state.nowMs + 1000;
  expect(world.state.ledger.parties.get(party)).toMatchObject({ visibleFromMs, identityProviderId: "corporate" });
  world.advanceBy(60_000);
  expect(isThere()).toBe(false);
  expect(world.state.ledger.parties.get(party)).toMatchObject({ hostedBy: [here, there], awaiting: [there] });
});

test("a host that authorized the party before gives its signatures, and the party does not wait for it", () => {
  const { world, allocate, isThere } = stub();
  const unsigned = () => allocate(request([hostedBy({ id: here }, observer)], { multiHashSignatures: [] }));
  expect(unsigned().status).toBe(400);
  world.perform([{ type: "hosting-authorized", party, participantId: there }]);
  expect(unsigned().status).toBe(200);
  world.advanceBy(1000);
  expect(isThere()).toBe(true);
});

test("allocates a decentralized party authorized by its owners, and does not wait for it", () => {
  const owners = [keyOf("x"), keyOf("y"), keyOf("z")];
  const shared = `joint::${decentralizedNamespaceOf(owners.map(({ fingerprint }) => fingerprint))}`;
  const transactions = [
    ...owners.map((owner) => delegation(owner)),
    decentralized(owners, 2),
    keyMapping(shared, [key]),
    hostMapping(shared),
  ];
  const { world, allocate } = stub();
  const response = allocate(request(transactions, { multiHashSignatures: signedBy(key, ...owners) }));
  expect(JSON.parse(response.text)).toEqual({ partyId: shared });
  expect(world.state.ledger.parties.get(shared)?.visibleFromMs).toBe(world.state.nowMs + 1000);
  const unsigned = stub().allocate(request(transactions, { multiHashSignatures: signedBy(key, ...owners.slice(1)) }));
  expect(unsigned.status).toBe(400);
});

const many = Array.from({ length: 11 }, (_, index) => keyOf(String.fromCharCode(97 + index)));
const big = `big::${decentralizedNamespaceOf(many.map(({ fingerprint }) => fingerprint))}`;
const other = keyOf("o");

const observer = { id: there, permission: "OBSERVATION" } as const;
const limits = { oneofKind: "partyHostingLimits" as const, partyHostingLimits: { synchronizerId: "", party } };
const hostedBy = (...hosts: readonly Host[]) => hostMappingWithKeys(party, [key], hosts);
const signedAs = (more: object) => request(undefined, { multiHashSignatures: [{ ...signedBy(key)[0], ...more }] });
const { REMOVE } = Enums_TopologyChangeOp;
const unspecifiedAlgorithm = { signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_UNSPECIFIED" };
const eleven = [decentralized(many, 6), keyMapping(big, [key]), hostMapping(big)];

test.each([
  ["no synchronizer", request([], { synchronizer: "" }), 400, "MISSING_FIELD"],
  ["an invalid synchronizer id", request([], { synchronizer: "nowhere" }), 400, "INVALID_FIELD"],
  ["an unknown synchronizer", request([], { synchronizer: "b::1220ab" }), 400, "INVALID_ARGUMENT"],
  ["a synchronizer that is not connected", request([], { synchronizer: "away::1220ab" }), 400, "INVALID_ARGUMENT"],
  ["bytes that are not a transaction", request(["AAAA"]), 400, "INVALID_FIELD"],
  ["text that is not base64", request(["%%"]), 400, undefined],
  ["a transaction without a mapping", request([base64(new Uint8Array([8, 1, 16, 1]))]), 400, "INVALID_FIELD"],
  ["a removal", request([transactionOf(limits, { operation: REMOVE })]), 400, "INVALID_FIELD"],
  ["a later serial", request([transactionOf(limits, { serial: 2 })]), 400, "INVALID_FIELD"],
  ["no host mapping", request([keyMapping(party, [key])]), 400, "INVALID_ARGUMENT"],
  ["two host mappings", request([hostMapping(party), hostMapping(party)]), 400, "INVALID_ARGUMENT"],
  ["a mapping of another kind", request([hostedBy({ id: here }), transactionOf(limits)]), 400, "INVALID_ARGUMENT"],
  ["keys twice", request([hostMappingWithKeys(party, [key]), keyMapping(party, [key])]), 400, "INVALID_ARGUMENT"],
  ["no keys", request([delegation(key), hostMapping(party)]), 400, "INVALID_ARGUMENT"],
  ["the keys of another party", request([keyMapping("x::1220ab", [key]), hostMapping(party)]), 400, "INVALID_ARGUMENT"],
  ["a threshold above the keys", request([keyMapping(party, [key], 2), hostMapping(party)]), 400, "INVALID_ARGUMENT"],
  ["the namespace of another key", request([delegation(other), hostedBy({ id: here })]), 400, "INVALID_ARGUMENT"],
  [
    "a delegation that is not a root",
    request([delegation(other, key.fingerprint), hostedBy({ id: here })]),
    400,
    "INVALID_ARGUMENT",
  ],
  ["eleven owners", request(eleven), 400, "INVALID_ARGUMENT"],
  ["submission permission", request([hostedBy({ id: here, permission: "SUBMISSION" })]), 400, "INVALID_ARGUMENT"],
  ["only another host", request([hostMappingWithKeys(party, [key], [{ id: there }])]), 400, "INVALID_ARGUMENT"],
  ["an unknown identity provider", request(undefined, { identityProviderId: "none" }), 400, "INVALID_ARGUMENT"],
  ["an invalid user id", request(undefined, { userId: "a b" }), 400, "INVALID_FIELD"],
  ["an unknown user", request(undefined, { userId: "unknown" }), 404, "USER_NOT_FOUND"],
  ["a user with the maximum number of rights", request(undefined, { userId: "full" }), 400, "TOO_MANY_USER_RIGHTS"],
  ["an unspecified signature format", signedAs({ format: "SIGNATURE_FORMAT_UNSPECIFIED" }), 400, "INVALID_FIELD"],
  ["an unspecified algorithm", signedAs(unspecifiedAlgorithm), 400, "INVALID_FIELD"],
  ["an unknown signature format", signedAs({ format: "PEM" }), 400, undefined],
  ["a party that exists", request([hostMappingWithKeys(`old::${key.fingerprint}`, [key])]), 400, "INVALID_ARGUMENT"],
] as const)("refuses %s and changes nothing", (_name, body, status, code) => {
  for (const profile of profiles) {
    const { world, allocate } = stub(profile);
    const isUnread = body.onboardingTransactions.length === 0 && profile === "spec";
    expectRefused(profile, { world, send: () => allocate(body) }, status, isUnread ? undefined : code);
  }
});

test("refuses an empty list: as text in the spec, as a field in a release", () => {
  expect(stub("spec").allocate(request([])).text).toMatch(/^Invalid value for: body/);
  expect(JSON.parse(stub().allocate(request([])).text)).toMatchObject({ code: "INVALID_FIELD" });
  expect(JSON.parse(stub().allocate({}).text)).toMatchObject({
    code: "MISSING_FIELD",
    context: { field_name: "synchronizer" },
  });
});

test.each([
  ["no signature", []],
  ["another key's signature", signedBy(other)],
])("refuses an onboarding with %s as a bare status, and changes nothing", (_name, multiHashSignatures) => {
  const { world, allocate } = stub();
  const before = hashOfWorld(world);
  const response = allocate(request(undefined, { multiHashSignatures }));
  expect(response.status).toBe(400);
  expect(JSON.parse(response.text)).toMatchObject({
    errorCategory: -1,
    grpcCodeValue: 3,
    traceId: null,
    context: {},
    resources: [],
  });
  expect(stub("spec").allocate(request(undefined, { multiHashSignatures }))).toMatchObject({
    status: 400,
    contentType: "text/plain; charset=UTF-8",
  });
  expect(hashOfWorld(world)).toBe(before);
});

test("accepts a repeated allocation once the missing user exists", () => {
  const { world, allocate } = stub();
  expect(allocate(request(undefined, { userId: "later" })).status).toBe(404);
  const nina = world.state.ledger.users.get("nina");
  if (nina !== undefined) world.perform([{ type: "user-created", user: { ...nina, id: "later" } }]);
  expect(allocate(request(undefined, { userId: "later" })).status).toBe(200);
});

test("lets only administrators allocate", () => {
  const by = (token: string, more: object = {}) =>
    stub("spec", "user").allocate(request(undefined, more), token).status;
  expect(by("root")).toBe(200);
  expect(by("nina", { userId: "nina" })).toBe(403);
  expect(by("erin", { identityProviderId: "corporate" })).toBe(200);
  expect(by("erin")).toBe(403);
  expect(by("erin", { identityProviderId: "corporate", userId: "nina" })).toBe(403);
});

test("lets only participant administrators grant rights over a party that is not allocated yet", () => {
  const { world, ask, allocate } = stub("canton-3.5", "user");
  const grant = () => {
    const rights = [{ kind: { CanReadAs: { value: { party } } } }];
    const body = { userId: "erin", identityProviderId: "corporate", rights };
    const response = ask("/v2/users/erin/rights", { body, token: "erin" });
    return [response.status, JSON.parse(response.text).code];
  };
  expect(grant()).toEqual([404, "UNKNOWN_RESOURCE"]);
  allocate(request(undefined, { waitForAllocation: false }), "root");
  world.advanceBy(999);
  expect(grant()).toEqual([404, "UNKNOWN_RESOURCE"]);
  world.advanceBy(1);
  expect(grant()).toEqual([200, undefined]);
});

test("treats a party that awaits another host as unknown", () => {
  const { world, ask, allocate } = stub("canton-3.5", "user");
  allocate(request([hostedBy({ id: here }, observer)]), "root");
  world.advanceBy(60_000);
  const rights = [{ kind: { CanReadAs: { value: { party } } } }];
  const body = { userId: "erin", identityProviderId: "corporate", rights };
  expect(ask("/v2/users/erin/rights", { body, token: "erin" }).status).toBe(404);
});

test("grants rights only to users of the named identity provider", () => {
  const { world, allocate } = stub("canton-3.5", "user");
  expect(allocate(request(undefined, { userId: "erin" }), "root").status).toBe(403);
  expect(allocate(request(undefined, { userId: "erin", identityProviderId: "corporate" }), "root").status).toBe(200);
  expect(world.state.ledger.users.get("erin")?.rights.has(`CanActAs ${party}`)).toBe(true);
});

const hosted = {
  oneofKind: "partyToParticipant" as const,
  partyToParticipant: {
    party,
    threshold: 1,
    participants: [{ participantUid: here, permission: Enums_ParticipantPermission.CONFIRMATION }],
  },
};
const trio = [keyOf("x"), keyOf("y"), keyOf("z")];
const joint = `joint::${decentralizedNamespaceOf(trio.map(({ fingerprint }) => fingerprint))}`;
const roots = trio.map((owner) => delegation(owner));
const own = [{ id: here }];
/** The definition of a decentralized namespace, and the keys and the host of a party. */
const jointly = (of: string, owners = trio, threshold = 2) => [
  decentralized(owners, threshold),
  keyMapping(of, [key]),
  hostMapping(of),
];
const ten = many.slice(0, 10);
const tens = `tens::${decentralizedNamespaceOf(ten.map(({ fingerprint }) => fingerprint))}`;

test.each([
  ["a removal of a host mapping", [keyMapping(party, [key]), transactionOf(hosted, { operation: REMOVE })], [key], 400],
  ["a host mapping of serial 2", [keyMapping(party, [key]), transactionOf(hosted, { serial: 2 })], [key], 400],
  ["the same root twice", [delegation(key), delegation(key), hostMappingWithKeys(party, [key])], [key], 400],
  ["a root that did not sign", [delegation(key), keyMapping(party, [other]), hostMapping(party)], [other], 400],
  ["a key that did not sign beside its hosts", [hostMappingWithKeys(party, [key, other])], [key], 400],
  ["a key that did not sign in a mapping of its own", [keyMapping(party, [other]), hostMapping(party)], [key], 400],
  ["two key mappings", [keyMapping(party, [key]), keyMapping(party, [key]), hostMapping(party)], [key], 400],
  ["a key threshold of 0", [keyMapping(party, [key], 0), hostMapping(party)], [key], 400],
  ["a host threshold of 0", [keyMapping(party, [key]), hostMapping(party, own, 0)], [key], 400],
  ["a host threshold above the confirming hosts", [keyMapping(party, [key]), hostMapping(party, own, 2)], [key], 400],
  ["an unspecified permission", [hostedBy({ id: here }, { id: there, permission: "UNSPECIFIED" })], [key], 400],
  ["an invalid party id", [hostMappingWithKeys(`a!::${key.fingerprint}`, [key])], [key], 400],
  ["ten owners", [...ten.map((owner) => delegation(owner)), ...jointly(tens, ten, 10)], [key, ...ten], 200],
  ["the namespace of other owners", [...roots, ...jointly(party)], [key, ...trio], 400],
  [
    "a root of a key that is not an owner",
    [...roots, delegation(other), ...jointly(joint)],
    [key, other, ...trio],
    400,
  ],
  ["an owner that did not sign", [...roots, ...jointly(joint)], [key, ...trio.slice(1)], 400],
] as const)("answers an onboarding with %s", (_name, transactions, signers, status) => {
  const response = stub().allocate(request(transactions, { multiHashSignatures: signedBy(...signers) }));
  expect([response.status, response.text]).toEqual([status, expect.any(String)]);
});

test("accepts another party in an existing decentralized namespace, signed by as many owners as its threshold", () => {
  const namespace = decentralizedNamespaceOf(trio.map(({ fingerprint }) => fingerprint));
  const { allocate } = stub();
  const joint = (name: string, more: readonly string[], signers: typeof trio) => {
    const transactions = [...more, hostMappingWithKeys(`${name}::${namespace}`, [key])];
    return allocate(request(transactions, { multiHashSignatures: signedBy(key, ...signers) })).status;
  };
  expect(joint("early", [], trio)).toBe(400);
  expect(joint("first", [...trio.map((owner) => delegation(owner)), decentralized(trio, 2)], trio)).toBe(200);
  expect(joint("second", [], trio.slice(0, 1))).toBe(400);
  expect(joint("second", [], trio.slice(0, 2))).toBe(200);
});

test("refuses a decentralized namespace without the delegation of an owner in every profile, unless it is known", () => {
  const own = (owner: Key) => `own::${owner.fingerprint}`;
  const shared = [decentralized(trio, 2), hostMappingWithKeys(joint, [key])];
  for (const profile of profiles) {
    const { world, allocate } = stub(profile);
    const send = (transactions: readonly string[], ...signers: readonly Key[]) =>
      allocate(request(transactions, { multiHashSignatures: signedBy(...signers) }));
    const before = hashOfWorld(world);
    for (const given of [[], roots.slice(1)]) {
      const refused = send([...given, ...shared], key, ...trio);
      expect(refused.status).toBe(400);
      expect(refused.text).toContain(`missing the namespace delegation of ${trio[0]?.fingerprint}`);
    }
    expect(hashOfWorld(world)).toBe(before);
    const [first = other] = trio;
    expect(send([delegation(first), hostMappingWithKeys(own(first), [first])], first).status).toBe(200);
    expect(send([...roots.slice(1), ...shared], key, ...trio).status).toBe(200);
  }
});

test("accepts a party that this node only observes in profile spec, where a release needs a confirming host", () => {
  const observed = request([hostMappingWithKeys(party, [key], [{ id: here, permission: "OBSERVATION" }])]);
  expect(stub("spec").allocate(observed)).toMatchObject({ status: 200, text: JSON.stringify({ partyId: party }) });
  const refused = stub().allocate(observed);
  expect([refused.status, JSON.parse(refused.text).code]).toEqual([400, "INVALID_ARGUMENT"]);
  const tooMany = hostMapping(party, [{ id: here, permission: "OBSERVATION" }], 2);
  expect(stub("spec").allocate(request([keyMapping(party, [key]), tooMany])).status).toBe(400);
});

test("grants no rights if the request does not name a user", () => {
  const { world, allocate } = stub();
  const before = [...world.state.ledger.users.values()];
  expect(allocate(request(undefined, { userId: "" })).status).toBe(200);
  expect([...world.state.ledger.users.values()]).toEqual(before);
});

test("lets a party of several hosts submit only after the other hosts have authorized it", () => {
  const hosted = hostMappingWithKeys(party, [key], [{ id: here }, { id: there }]);
  const registry = `admin: dso::1220ab\nfactory: { context: [] }\ncontracts: []\npreparedTransactions: [{ value: AAAA, actAs: ["${party}"], commandId: c }]\n`;
  const extension = `plan: [{ at: PT1M, authorizeHosting: { party: "${party}", by: "${there}" } }]`;
  const { world, ask } = stubOver({ ledger, registry, extension }, "canton-3.5");
  const execute = () => {
    const signatures = [{ party, signatures: signedBy(key) }];
    const body = {
      preparedTransaction: "AAAA",
      partySignatures: { signatures },
      submissionId: "s",
      hashingSchemeVersion: "HASHING_SCHEME_VERSION_V2",
      deduplicationPeriod: { Empty: {} },
    };
    const { text } = ask("/v2/interactive-submission/executeAndWait", { body });
    return JSON.parse(text).code ?? "done";
  };
  expect(execute()).toBe("UNKNOWN_SUBMITTERS");
  expect(ask(path, { body: request([hosted]) }).status).toBe(200);
  world.advanceBy(59_000);
  expect(execute()).toBe("UNKNOWN_SUBMITTERS");
  world.advanceBy(1_000);
  expect(execute()).toBe("done");
});

/** The values of an enumeration of the published definitions that have a number. */
function numbered(values: object, prefix: string): (readonly [name: string, number: number])[] {
  return Object.entries(values).flatMap(([name, number]) =>
    typeof number === "number" && number > 0 ? [[`${prefix}${name}`, number] as const] : [],
  );
}

test("a generated topology names a key of any published format and curve by its published number, and its three usages", () => {
  const stub = stubOf("quickstart", "canton-3.5");
  const { connectedSynchronizers } = JSON.parse(stub.ask("/v2/state/connected-synchronizers").text);
  const generated = (publicKey: object) => {
    const [{ synchronizerId: synchronizer }] = connectedSynchronizers;
    const body = { synchronizer, partyHint: "olga", publicKey, otherConfirmingParticipantUids: [] };
    const { text } = stub.ask("/v2/parties/external/generate-topology", { body, token: "participant_admin" });
    const [transaction = ""] = JSON.parse(text).topologyTransactions;
    const mapping = decodeTopologyTransaction(transaction)?.mapping;
    return mapping?.type === "party-to-participant" ? mapping.hosting.keys[0] : undefined;
  };
  const given = { format: "CRYPTO_KEY_FORMAT_RAW", keyData: "AAEC", keySpec: "SIGNING_KEY_SPEC_EC_CURVE25519" };
  const usages = [SigningKeyUsage.NAMESPACE, SigningKeyUsage.PROTOCOL, SigningKeyUsage.PROOF_OF_OWNERSHIP];
  for (const [keySpec, spec] of numbered(SigningKeySpec, "SIGNING_KEY_SPEC_"))
    expect(generated({ ...given, keySpec })).toMatchObject({ spec, format: CryptoKeyFormat.RAW, usages });
  const { SYMBOLIC, DER_PKCS8_PRIVATE_KEY_INFO, ...formats } = CryptoKeyFormat;
  for (const [format, number] of numbered(formats, "CRYPTO_KEY_FORMAT_"))
    expect(generated({ ...given, format })).toMatchObject({ format: number });
});
