import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { emptyBody } from "../../src/foundation/http/body.ts";
import type { Exchange } from "../../src/foundation/http/exchange.ts";
import { inferRegistryFixture } from "../../src/scenarios/inference/infer-registry-fixture.ts";
import { inferWorld } from "../../src/scenarios/inference/infer-world.ts";
import { sampleOf } from "../_sample.ts";
import { scenarioOf, stepsOf } from "../_scenario.ts";
import { transferLookup } from "../_transfer.ts";
import { Memory } from "../simulation/_calls.ts";
import { inputsOf } from "../simulation/steps/_inputs.ts";
import { requestOf } from "../simulation/steps/_request-of.ts";
import { sequencesOver } from "../simulation/steps/_steps.ts";
import { inferred, loadedFrom, noted, playing, recordingOf } from "./_inferred.ts";
import { expectInferred, isPlayed, trips } from "./_inferred-trip.ts";

test.each(sampleOf(trips, 12))(
  "%s, recorded in %s, becomes a scenario that gives the recorded responses",
  (file, profile) => expectInferred(file, profile),
);

const user = (id: string, more: object = {}) => ({
  id,
  primaryParty: "",
  isDeactivated: false,
  metadata: { resourceVersion: "7", annotations: {} },
  identityProviderId: "",
  primaryPartyAuthentication: false,
  ...more,
});
/** A node's refusal, with the members that it always has. */
const refused = (code: string, errorCategory: number, status: number, grpcCodeValue: number, user?: string) => ({
  status,
  response: {
    code,
    cause: "c",
    correlationId: null,
    traceId: null,
    context:
      errorCategory < 0
        ? {}
        : { category: String(errorCategory), tid: "t", participant: "'p'", definite_answer: "false" },
    resources: user === undefined ? [] : [["ErrorResource(USER)", user]],
    errorCategory,
    grpcCodeValue,
    retryInfo: errorCategory === 1 ? "1 second" : null,
    definiteAnswer: null,
  },
});
const responseIn = ({ status, response }: ReturnType<typeof refused>) => ({ status, body: response });
const update = { user: { id: "ann", isDeactivated: true }, updateMask: { paths: ["is_deactivated"] } };

test("infers a user as responses show it before the first change, version included", async () => {
  const result = await inferred([
    noted({
      target: "/v2/users/ann",
      method: "PATCH",
      body: update,
      status: 200,
      response: { user: user("ann", { isDeactivated: true }) },
    }),
    noted({
      target: "/v2/users/ann/rights",
      status: 200,
      response: { rights: [{ kind: { ParticipantAdmin: { value: {} } } }] },
    }),
    noted({
      target: "/v2/users",
      body: { user: { id: "bea" } },
      status: 200,
      response: { user: { ...user("bea"), metadata: { resourceVersion: "0", annotations: {} } } },
    }),
    noted({ target: "/v2/users", body: { user: { id: "cid" } }, ...refused("USER_ALREADY_EXISTS", 10, 409, 6, "cid") }),
  ]);
  expect(parse(result.files.ledger).users).toEqual([
    { id: "ann", resourceVersion: "6", rights: ["ParticipantAdmin"] },
    { id: "cid" },
  ]);
  expect(result).toMatchObject({ planned: [], unresolved: [] });
});

test("infers the ledger end before the first transaction", async () => {
  const result = await inferred([
    noted({ target: "/v2/state/ledger-end", method: "GET", status: 200, response: { offset: 41 } }),
  ]);
  expect(parse(result.files.ledger).ledgerEnd).toBe(41);
  expect(result).toMatchObject({ computed: 1, planned: [] });
});

test("plans a response that no state explains, and reports it", async () => {
  const result = await inferred([
    noted({ target: "/v2/idps", status: 200, response: { identityProviderConfigs: [] } }),
    noted({ target: "/v2/idps", ...refused("SERVICE_NOT_RUNNING", 1, 503, 14) }),
    noted({ target: "/v2/idps", status: 200, response: { identityProviderConfigs: [] } }),
  ]);
  expect(result.planned).toEqual([
    "step 2 (GET /v2/idps): the recorded response is 503 SERVICE_NOT_RUNNING, the stub's response is 200",
  ]);
  const workflow = parse(result.files.scenario).workflows[0];
  expect(workflow["x-understudy"].plan).toEqual([
    {
      ...{ on: "getV2Idps", nth: 2 },
      instead: { contentType: "application/json", ...responseIn(refused("SERVICE_NOT_RUNNING", 1, 503, 14)) },
    },
  ]);
  expect([result.computed, result.unresolved]).toEqual([2, []]);
});

test("plans an incomplete response, and its step expects that", async () => {
  const requested = noted({ target: "/v2/idps", status: 200, response: { identityProviderConfigs: [] } });
  const result = await inferred([
    { ...requested, response: { type: "broken", kind: "timed-out" } },
    requested,
    { ...requested, response: { type: "broken", kind: "unexplained", reason: "the recording has no body" } },
  ]);
  const { steps, ...workflow } = parse(result.files.scenario).workflows[0];
  expect(workflow["x-understudy"].plan).toEqual([{ on: "getV2Idps", nth: 1, after: { timeout: true } }]);
  expect(steps.map((step: { readonly "x-broken": unknown }) => step["x-broken"])).toEqual([
    "timed-out",
    undefined,
    undefined,
  ]);
  const made = loadedFrom(result);
  const results = await stepsOf(made);
  expect(results.map(({ outcome }) => outcome)).toEqual(["passed", "passed", "passed"]);
  const calm = { ...made, initial: { ...made.initial, plan: { ...made.initial.plan, responses: [] } } };
  const [first] = await stepsOf(calm);
  expect(first).toMatchObject({ outcome: "failed", reason: "the response was complete, not timed-out" });
});

test("reports recorded responses that a scenario cannot give", async () => {
  const result = await inferred([
    noted({ target: "/__understudy/worlds/default", status: 500, response: { error: "x" } }),
  ]);
  expect(result.unresolved).toEqual([
    "step 1 (GET /__understudy/worlds/{world}): the recorded response is 500 x, the stub's response is 200",
  ]);
});

test("writes a token as a placeholder, and omits a refused one", async () => {
  const response = { identityProviderConfigs: [] };
  const result = await inferred([
    noted({ target: "/v2/idps", token: "Bearer secret-of-ann", status: 200, response }),
    noted({ target: "/v2/idps", token: "Bearer secret-of-bea", status: 200, response }),
    noted({ target: "/v2/idps", token: "Bearer token-5", status: 200, response }),
    noted({ target: "/v2/idps", token: "[redacted]", status: 200, response }),
    noted({ target: "/v2/idps", token: "Bearer refused-secret", ...refused("NA", -1, 401, 16) }),
  ]);
  const steps: readonly { readonly parameters?: readonly { readonly value: string }[] }[] = parse(result.files.scenario)
    .workflows[0].steps;
  expect(steps.map(({ parameters }) => parameters?.[0]?.value)).toEqual([
    "Bearer token-1",
    "Bearer token-2",
    "Bearer token-5",
    "Bearer any",
    undefined,
  ]);
  expect(Object.values(result.files).join()).not.toContain("secret");
  expect(result.planned).toEqual([]);
});

test("makes only fixtures from a recording with more exchanges than steps are allowed", async () => {
  const page = (id: string) => noted({ target: `/v2/users/${id}`, status: 200, response: { user: user(id) } });
  const result = await inferred([page("ann"), page("bea"), page("cid")], { stepsMax: 2 });
  expect(result).toMatchObject({ calls: 3, steps: 0, planned: [] });
  expect(parse(result.files.scenario).workflows[0].steps).toEqual([]);
  expect(parse(result.files.ledger).users).toHaveLength(3);
});

test("counts skipped requests outside the spec and skipped calls of other worlds", async () => {
  const response = { users: [], nextPageToken: "" };
  const result = await inferred([
    noted({ target: "https://node.example/favicon.ico", status: 404, response: "" }),
    noted({ target: "https://node.example/favicon.ico?v=2", status: 404, response: "" }),
    noted({ target: "/w/fork-1/v2/users", status: 200, response }),
    noted({ target: "https://node.example/ledger/v2/users", status: 200, response }),
  ]);
  expect([...result.unsupported]).toEqual([["GET https://node.example/favicon.ico", 2]]);
  expect([result.world, [...result.otherWorlds]]).toEqual(["default", [["fork-1", 1]]]);
  expect(result.steps).toBe(1);
});

const worldTarget = (world: string) => `/__understudy/worlds/${world}`;
const idps = (prefix = "") =>
  noted({ target: `${prefix}/v2/idps`, status: 200, response: { identityProviderConfigs: [] } });

test("reads a recording of one named world like one of the default world", async () => {
  const recording = await recordingOf(scenarioOf("quickstart.arazzo.yaml"), "canton-3.5");
  const named = recording.map((exchange) => ({
    ...exchange,
    request: { ...exchange.request, headers: [...exchange.request.headers, ["Understudy-World", "run-1"] as const] },
  }));
  const [plain, result] = [await inferred(recording), await inferred(named)];
  expect([result.world, result.otherWorlds.size]).toEqual(["run-1", 0]);
  expect({ ...result, world: "default" }).toEqual(plain);
});

test("calls the world of a named control request default in the scenario", async () => {
  const result = await inferred([idps("/w/trial"), noted({ target: worldTarget("trial"), status: 200, response: {} })]);
  expect(result.world).toBe("trial");
  const { steps } = parse(result.files.scenario).workflows[0];
  expect(steps[1].parameters).toContainEqual({ name: "world", in: "path", value: "default" });
});

test.each([
  ["the default world, even if it comes later", [idps("/w/a"), idps()], undefined, "default", [["a", 1]]],
  ["the first named world, without a default one", [idps("/w/a"), idps("/w/b")], undefined, "a", [["b", 1]]],
  [
    "the first named world, if the default one has only control requests",
    [noted({ target: worldTarget("default"), status: 200, response: {} }), idps("/w/a")],
    undefined,
    "a",
    [["default", 1]],
  ],
  [
    "the requested world",
    [idps("/w/a"), idps(), idps("/w/b"), idps("/w/b")],
    "b",
    "b",
    Object.entries({ a: 1, default: 1 }),
  ],
] as const)("reads %s", async (_, exchanges, requested, world, others) => {
  const result = await inferred(exchanges, { world: requested });
  expect([result.world, [...result.otherWorlds]]).toEqual([world, others]);
});

const lookup = "/registry/transfer-instruction/v2/transfer-factory";
const asking = transferLookup("bea::1220ab", "ann::1220ab");
const disclosed = (entity: string, contractId: string, synchronizerId: string) => ({
  templateId: `${"a".repeat(64)}:M:${entity}`,
  contractId,
  createdEventBlob: "AAAA",
  synchronizerId,
  debugPackageName: null,
  debugPayload: null,
  debugCreatedAt: null,
});
const found = (round: string, synchronizerId: string, after: number) =>
  noted({
    target: lookup,
    body: asking,
    status: 200,
    response: {
      factoryId: `00${"f".repeat(64)}`,
      transferKind: "offer",
      choiceContext: {
        choiceContextData: { values: { "open-round": { tag: "AV_ContractId", value: round } } },
        disclosedContracts: [
          disclosed("OpenMiningRound", round, "north::1220ab"),
          disclosed("Rules", `00${"f".repeat(64)}`, synchronizerId),
        ],
      },
    },
    after,
  });
const conflict = (after: number) =>
  noted({ target: lookup, body: asking, status: 409, response: { error: "moving" }, after });
const [firstRound, secondRound] = [`00${"1".repeat(64)}`, `00${"2".repeat(64)}`];

test("plans a lookup that shows a contract opened later", async () => {
  const result = await inferred([found(firstRound, "north::1220ab", 0), found(secondRound, "north::1220ab", 600)]);
  expect(result).toMatchObject({ computed: 1, planned: [expect.stringContaining("step 2 (POST")], unresolved: [] });
});

test("plans a 409, and the lookups after it that disclose a contract on another synchronizer", async () => {
  const [before, after] = [found(firstRound, "north::1220ab", 0), found(firstRound, "south::1220ab", 2)];
  const result = await inferred([before, conflict(1), after]);
  expect(result).toMatchObject({ computed: 1, planned: Array(2).fill(expect.anything()), unresolved: [] });
});

test("adds to the registry's fixture with every lookup", async () => {
  const result = await inferRegistryFixture([
    found(firstRound, "north::1220ab", 0),
    found(secondRound, "north::1220ab", 600),
  ]);
  if (result.type === "refused") throw new Error(result.problem);
  expect(result.fixture).toMatchObject({
    admin: "DSO::1220ab",
    contracts: [{ name: "open-round" }, { name: "rules" }, { name: "open-round-2" }],
  });
});

test("infers the world before the recording; its requests lead to the recorded state", async () => {
  const scenario = scenarioOf("rights.arazzo.yaml");
  const recording = await recordingOf(scenario, "canton-3.5");
  const world = await inferWorld(recording);
  expect(world.initial.ledger.users.get("alice")?.rights.size).toBe(0);
  expect(world.main.value["steps"]).toEqual([]);
  const handler = playing(world);
  const headers = [["Authorization", "Bearer any"]] as const;
  for (const { request } of recording)
    await handler({ ...request, target: request.target.replace(/^http:\/\/[^/]*/, ""), headers: [...headers] });
  const requested = { method: "GET", target: "/v2/users/alice/rights", headers, body: emptyBody };
  const response = await handler(requested);
  const text = response.type === "response" ? response.body.text() : "";
  expect(JSON.parse(text).rights).toEqual([{ kind: { ParticipantAdmin: { value: {} } } }]);
});

const tokens = { administrator: "a", plain: "b", unknown: "c" };

test.each(["spec", "canton-3.5", "canton-3.4.12"].flatMap((profile) => [1, 2].map((seed) => [profile, seed] as const)))(
  "whatever is recorded in %s is played again, a random walk from seed %d",
  async (profile, seed) => {
    const scenario = scenarioOf("quickstart.arazzo.yaml");
    const [handler, memory] = [playing(scenario, profile), new Memory()];
    const exchanges: Exchange[] = [];
    for (const step of fc.sample(sequencesOver(inputsOf(scenario)), { numRuns: 20, seed }).flat()) {
      const request = requestOf(step, memory, tokens);
      const response = await handler(request);
      memory.note(step.operationId, response);
      exchanges.push({ startedAt: "2026-01-01T00:05:00.000Z", durationMs: 0, request, response });
    }
    const result = await inferred(exchanges);
    expect(result).toMatchObject({ unresolved: [], steps: exchanges.filter(isPlayed).length });
    expect(result.planned.length).toBeLessThan(exchanges.length / 4);
  },
);
