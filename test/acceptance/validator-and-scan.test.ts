import { expect, test } from "vitest";
import { loadSpec } from "../../src/foundation/spec/spec.ts";
import { createUnderstudy } from "../../src/index.ts";
import { stubSpec } from "../../src/stub/pipeline/stub.ts";
import { transferLookup } from "../_transfer.ts";
import { type Requested, type RequestedStub, stubOf, stubOver } from "./_stub.ts";

const [alice, bob] = [
  "alice::12202bd806c97f0e00af1a1fc3328fa763a9269723c8db8fac4f93af71db186d6e90",
  "bob::122081b637d8fcd2c6da6359e6963113a1170de795e4b725b84d1e0b4cfd9ec58ce9",
];
const dso = "DSO::12206c8fd2dd9768e7414dab87a0e087f4f72026463827e6fb17c516cca1a8cc1686";
const synchronizer = "global-domain::1220fa79dd1ee8fe25d601870c1b05bb634a8086134bfbe57f870549e2ddaca444e2";
const validator = "/api/validator";
const proxy = `${validator}/v0/scan-proxy`;
const scan = "/api/scan";
const spec = stubSpec({ ledger: "canton-3.5", registry: "splice-0.7" }, { hasAdditionalOperations: true });

/** Sends a request, and validates a JSON response against its schema. */
function send({ ask }: RequestedStub, target: string, requested: Requested = {}) {
  const headers = requested.body === undefined ? [] : [["Content-Type", "application/json"] as const];
  const { status, text, contentType } = ask(target, { ...requested, headers });
  const json = contentType === "application/json" ? JSON.parse(text) : text;
  const route = spec.route(requested.method ?? (requested.body === undefined ? "GET" : "POST"), target);
  if (route.type !== "found") throw new Error(`${target} is not described`);
  const schema = route.operation.responses[String(status)]?.schema;
  // A registry sends null for debug members (DIV-048).
  if (contentType === "application/json" && schema !== undefined && !target.includes("/registry/"))
    expect(spec.validate.registry(schema, json)).toEqual([]);
  return { status, json };
}

/** A contract that the registry discloses in a direct transfer, by the end of its template. */
function disclosed(stub: RequestedStub, entity: string) {
  const { choiceContext } = JSON.parse(
    stub.ask("/registry/transfer-instruction/v2/transfer-factory", {
      body: { ...transferLookup(bob, alice), excludeDebugFields: false },
      headers: [["Content-Type", "application/json"]],
    }).text,
  );
  return choiceContext.disclosedContracts.find(({ templateId }: { templateId: string }) =>
    templateId.endsWith(`:${entity}`),
  );
}

const quickstart = () => stubOf("quickstart", "canton-3.5");

test.each(["validator", "scan"])(
  "responds to health checks of the %s with an empty body and without a token",
  (app) => {
    const stub = quickstart();
    for (const probe of ["livez", "readyz"])
      expect(stub.ask(`/api/${app}/${probe}`, { token: "" })).toEqual({
        status: 200,
        contentType: undefined,
        text: "",
      });
  },
);

test("names the operator without a token, and says whether it is featured", () => {
  expect(send(quickstart(), `${validator}/v0/validator-user`, { token: "" }).json).toEqual({
    party_id: alice,
    user_name: "alice",
    featured: true,
  });
});

const ledgerWith = (users: string, more = "", party = bob) => `participantId: participant1::1220ab
synchronizers: [{ alias: main, id: "${synchronizer}" }]
parties: [{ id: "${alice}" }, { id: "${party}" }]
users:
  - { id: alice, primaryParty: "${alice}" }
${users}${more}`;

test("the operator is the user that the fixture names, or ledger-api-user", () => {
  const operatorIn = (ledger: string) =>
    send(stubOver({ ledger }, "canton-3.5"), `${validator}/v0/validator-user`, { token: "" }).json.user_name;
  const named = `  - { id: bob, primaryParty: "${bob}" }\n`;
  expect(operatorIn(ledgerWith(named, "operator: bob\n"))).toBe("bob");
  expect(operatorIn(ledgerWith(named.replace("bob,", "ledger-api-user,")))).toBe("ledger-api-user");
  expect(operatorIn(ledgerWith("  - { id: aaron }\n"))).toBe("alice");
});

test("has no operator if no user has a primary party", () => {
  const stub = stubOver({ ledger: "participantId: participant1::1220ab\n" }, "canton-3.5");
  expect(send(stub, `${validator}/v0/validator-user`).status).toBe(404);
});

test.each([
  ["operator: carol\n", 'operator is "carol", which is not a user'],
  ["operator: aaron\n", "operator is aaron, a user without a primary party"],
])("refuses a fixture with %j", (line, problem) => {
  expect(() => stubOver({ ledger: ledgerWith("  - { id: aaron }\n", line) }, "canton-3.5")).toThrow(problem);
});

test("names the party of the DSO with and without the proxy", () => {
  const stub = quickstart();
  expect(send(stub, `${proxy}/dso-party-id`).json).toEqual({ dso_party_id: dso });
  expect(send(stub, `${scan}/v0/dso-party-id`, { token: "" }).json).toEqual({ dso_party_id: dso });
});

test("serves the contracts that lookups of the registry disclose, with the same ids and blobs", () => {
  const stub = quickstart();
  const rules = disclosed(stub, "AmuletRules");
  expect(send(stub, `${proxy}/amulet-rules`).json.amulet_rules).toEqual({
    contract: {
      template_id: rules.templateId,
      contract_id: rules.contractId,
      payload: rules.debugPayload,
      created_event_blob: rules.createdEventBlob,
      created_at: rules.debugCreatedAt,
    },
    domain_id: rules.synchronizerId,
  });
  const { open_mining_rounds, issuing_mining_rounds } = send(stub, `${proxy}/open-and-issuing-mining-rounds`).json;
  const ids = open_mining_rounds.map((round: { contract: { contract_id: string } }) => round.contract.contract_id);
  expect(ids).toHaveLength(2);
  expect(ids).toContain(disclosed(stub, "OpenMiningRound").contractId);
  expect(issuing_mining_rounds).toEqual([]);
  expect(
    send(stub, `${proxy}/transfer-preapprovals/by-party/${bob}`).json.transfer_preapproval.contract.contract_id,
  ).toBe(disclosed(stub, "TransferPreapproval").contractId);
  expect(send(stub, `${scan}/v0/featured-apps/${alice}`).json.featured_app_right.contract_id).toBe(
    disclosed(stub, "FeaturedAppRight").contractId,
  );
});

test("shows a pre-approval once it is created on the ledger, and no longer once it is archived", () => {
  const nina = "nina::1220b87657be49f94aaa08f5bcd0e824d5d90ce7ad8de3f1ee532fe2932ef404a34f";
  const stub = stubOver({ ledger: ledgerWith("", `  - { id: nina, primaryParty: "${nina}" }\n`, nina) }, "canton-3.5");
  const target = `${proxy}/transfer-preapprovals/by-party/${nina}`;
  expect(send(stub, target).status).toBe(404);
  const signature = {
    format: "SIGNATURE_FORMAT_CONCAT",
    signature: "AAAA",
    signedBy: "1220ab",
    signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519",
  };
  const executed = stub.ask("/v2/interactive-submission/executeAndWait", {
    body: {
      preparedTransaction: "bmluYSBwcmUtYXBwcm92ZXM=",
      partySignatures: { signatures: [{ party: nina, signatures: [signature] }] },
      submissionId: "s",
      hashingSchemeVersion: "HASHING_SCHEME_VERSION_V2",
      deduplicationPeriod: { Empty: {} },
    },
  });
  expect(executed.status).toBe(200);
  const { contract, domain_id } = send(stub, target).json.transfer_preapproval;
  expect(contract.payload.receiver).toBe(nina);
  expect(domain_id).toBe(synchronizer);
  stub.world.perform([{ type: "preapproval-archived", receiver: nina }]);
  expect(send(stub, target).status).toBe(404);
});

test("shows no synchronizer of a contract that is being reassigned", () => {
  const stub = quickstart();
  stub.world.perform([{ type: "reassignment-begun", contract: "amulet-rules", target: "other::1220ab" }]);
  expect(send(stub, `${proxy}/amulet-rules`).json.amulet_rules).not.toHaveProperty("domain_id");
});

test("each participant of a world has its own validator", async () => {
  const understudy = createUnderstudy({ scenario: "scenarios/two-participants.arazzo.yaml" });
  const userAt = async (base: string) =>
    JSON.parse(await (await understudy.fetch(`${base}${validator}/v0/validator-user`)).text());
  expect(await userAt("")).toMatchObject({ user_name: "alice" });
  expect(await userAt("/w/participant2")).toHaveProperty("error");
});

test("a ledger token is expected below the scan proxy, and found at the registry itself", async () => {
  const lookUp = "/registry/transfer-instruction/v2/transfer-factory";
  const findingsOf = async (target: string) => {
    const understudy = createUnderstudy();
    const headers = { Authorization: "Bearer ledger-token", "Content-Type": "application/json" };
    await understudy.fetch("/v2/users", { headers });
    await understudy.fetch(target, { method: "POST", headers, body: JSON.stringify(transferLookup(bob, alice)) });
    return understudy.clientFindings().filter(({ rule }) => rule === "token-stays-at-ledger");
  };
  expect(await findingsOf(`${proxy}${lookUp}`)).toEqual([]);
  expect(await findingsOf(lookUp)).toHaveLength(1);
});

test("omits the contracts that the client knows", () => {
  const stub = quickstart();
  const rules = `${scan}/v0/amulet-rules`;
  const update = send(stub, rules, { body: {}, token: "" }).json.amulet_rules_update;
  expect(update.contract.contract_id).toBe(disclosed(stub, "AmuletRules").contractId);
  const known = { cached_amulet_rules_contract_id: update.contract.contract_id };
  expect(send(stub, rules, { body: known }).json).toEqual({ amulet_rules_update: { domain_id: synchronizer } });
  const rounds = `${scan}/v0/open-and-issuing-mining-rounds`;
  const ask = (ids: readonly string[]) =>
    send(stub, rounds, {
      body: { cached_open_mining_round_contract_ids: ids, cached_issuing_round_contract_ids: [] },
    }).json.open_mining_rounds;
  const [id = ""] = Object.keys(ask([]));
  expect(ask([])[id].contract.contract_id).toBe(id);
  expect(ask([id, "00ab"])[id]).toEqual({ domain_id: synchronizer });
});

test.each([
  [`/transfer-preapprovals/by-party/${alice}`, `No TransferPreapproval found for party: ${alice}`],
  [`/transfer-command-counter/${alice}`, `No TransferCommandCounter found for party: ${alice}, use 0 for the nonce`],
  [`/ans-entries/by-party/${alice}`, `Party ${alice} does not have any ANSEntry.`],
  ["/dso", "No active DsoRules contract"],
])("has 404 for %s", (path, error) => {
  const stub = quickstart();
  for (const target of [`${proxy}${path}`, `${scan}/v0${path}`])
    expect(send(stub, target)).toEqual({ status: 404, json: { error } });
});

test("a provider without the right has no featured app, and a party without a namespace is refused", () => {
  const stub = quickstart();
  expect(send(stub, `${proxy}/featured-apps/${bob}`)).toEqual({ status: 200, json: {} });
  expect(send(stub, `${proxy}/featured-apps/bob`)).toEqual({
    status: 400,
    json: { error: "Invalid unique identifier `bob` with missing namespace." },
  });
});

test("a member that bought no traffic has zeros", () => {
  expect(send(quickstart(), `${scan}/v0/domains/${synchronizer}/members/PAR::p::1220ab/traffic-status`).json).toEqual({
    traffic_status: { actual: { total_consumed: 0, total_limit: 0 }, target: { total_purchased: 0 } },
  });
});

test("serves the registry below the scan proxy to callers with a token", () => {
  const stub = quickstart();
  for (const { api, path, method } of spec.operations) {
    if (api !== "registry" || !path.startsWith("/registry/") || method !== "GET") continue;
    const target = path.replace("{instrumentId}", "Amulet");
    expect(stub.ask(`${proxy}${target}`)).toEqual(stub.ask(target));
    expect(stub.ask(`${proxy}${target}`, { token: "" })).toMatchObject({
      status: 401,
      text: "The resource requires authentication, which was not supplied with the request",
    });
  }
  const lookUp = { body: transferLookup(bob, alice) };
  const target = "/registry/transfer-instruction/v2/transfer-factory";
  expect(send(stub, `${proxy}${target}`, lookUp)).toEqual(send(stub, target, lookUp));
  expect(send(stub, `${proxy}${target}`, { ...lookUp, token: "" }).status).toBe(401);
});

test("below the scan proxy the user of a token need not exist", () => {
  const stub = stubOf("quickstart", "canton-3.5", "user");
  expect(send(stub, `${proxy}/dso-party-id`, { token: "stranger" }).status).toBe(200);
});

test("an unknown path has the response of a registry, and an operation that the stub lacks is named", () => {
  const stub = quickstart();
  const unknown = { status: 404, text: "The requested resource could not be found." };
  for (const path of [`${validator}/v0/none`, `${scan}/v0/scans`, `${validator}/v0/wallet/balance`])
    expect(stub.ask(path)).toMatchObject(unknown);
  expect(stub.reasonOf(`${validator}/v0/none`)).toMatch(/^unknown path/);
  expect(stub.reasonOf(`${scan}/v0/scans`)).toBe(
    "not supported by Understudy: GET /api/scan/v0/scans (docs/reference/supported-endpoints.md)",
  );
  expect(stub.reasonOf(`${validator}/v0/wallet/balance`)).toMatch(/^not supported by Understudy: GET /);
});

test("--spec-only turns validator, scan and the proxy off", () => {
  const { route } = loadSpec({ ledger: "spec", registry: "spec" });
  for (const path of [`${scan}/v0/dso-party-id`, `${proxy}/registry/metadata/v1/info`])
    expect(route("GET", path).type).toBe("unknown");
  expect(route("POST", `${proxy}/registry/transfer-instruction/v2/transfer-factory`).type).toBe("unknown");
});
