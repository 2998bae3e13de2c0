import { posix } from "node:path";
import { expect, test } from "vitest";
import { advancedTo, apply, stateForCall, type WorldState } from "../../simulator/world/world-state.ts";
import type { FileReader } from "./file-reader.ts";
import { readFixture } from "./fixtures/read-fixture.ts";
import { loadScenario } from "./load-scenario.ts";
import { formatProblem, problemsMax } from "./problem.ts";

const participant = "participant1::1220ab";
const packageId = "a".repeat(64);
const ledger = `participantId: ${participant}
identityProviders: [{ id: corporate, issuer: i, jwksUrl: j }]
synchronizers:
  - { alias: a, id: "a::1220ab" }
  - { alias: b, id: "b::1220ab", connected: false, protocolVersion: 35 }
packages: [{ id: ${packageId}, name: app, version: 1.0.0, uploaded: false }]
parties: [{ id: "far::1220ab", hostedBy: ["participant2::1220cd"] }, { id: "bob::1220ab" }, { id: "b::1220ab" }]
users: [{ id: alice }]
`;
const registry = `admin: dso::1220ab
factory: { contract: factory, context: [] }
contracts:
  - { name: factory, templateId: "${packageId}:M:T", packageName: app, createdAt: 2026-01-01T00:00:00Z, synchronizer: "a::1220ab" }
`;

function scenario(extension: string): string {
  return `arazzo: 1.0.1
info: { title: t, version: 1.0.0 }
sourceDescriptions: []
workflows:
  - workflowId: w
    x-understudy:
      given: { ledger: ledger.yaml, registry: registry.yaml }
${extension.replaceAll(/^/gm, "      ")}
    steps: []
`;
}

function load(extension: string, files: Readonly<Record<string, string>> = {}, seed?: number) {
  const all: Readonly<Record<string, string>> = {
    "s.yaml": scenario(extension),
    "ledger.yaml": ledger,
    "registry.yaml": registry,
    ...files,
  };
  const reader: FileReader = {
    read: (path) => all[path],
    resolve: (from, relative) => posix.join(posix.dirname(from), relative),
  };
  return loadScenario("s.yaml", reader, { seed });
}

function initialOf(extension: string, seed?: number): WorldState {
  const result = load(extension, {}, seed);
  if (result.type === "invalid") throw new Error(result.problems.map(formatProblem).join("\n"));
  return result.scenario.initial;
}

function problemsIn(extension: string, files: Readonly<Record<string, string>> = {}): readonly string[] {
  const result = load(extension, files);
  return result.type === "invalid" ? result.problems.map(formatProblem) : [];
}

const seconds = (state: WorldState, count: number) => advancedTo(state, state.nowMs + count * 1000);

test("creates synchronizers, packages and parties of another participant from the fixture", () => {
  const { ledger: state } = initialOf("");
  expect(
    [...state.synchronizers.values()].map(({ isConnected, protocolVersion }) => [isConnected, protocolVersion]),
  ).toEqual([
    [true, 34],
    [false, 35],
  ]);
  expect(state.parties.get("far::1220ab")?.hostedBy).toEqual(["participant2::1220cd"]);
  expect(state.packages.get(packageId)?.isUploaded).toBe(false);
});

test.each([
  ["deactivateUser: alice", (state: WorldState) => state.ledger.users.get("alice")?.isDeactivated],
  ["connect: b", (state: WorldState) => state.ledger.synchronizers.get("b::1220ab")?.isConnected],
  ["disconnect: a", (state: WorldState) => state.ledger.synchronizers.get("a::1220ab")?.isConnected === false],
  ['allocateParty: "new::1220ab"', (state: WorldState) => state.ledger.parties.has("new::1220ab")],
  [`uploadPackage: ${packageId}`, (state: WorldState) => state.ledger.packages.get(packageId)?.isUploaded],
])("applies `%s` at its time and not before, or before its call", (event, hasHappened) => {
  const timed = initialOf(`plan: [{ at: PT1M, ${event} }]`);
  expect([hasHappened(seconds(timed, 59)), hasHappened(seconds(timed, 60))]).toEqual([false, true]);
  const first = stateForCall(initialOf(`plan: [{ on: getV2Users, nth: 2, ${event} }]`), "getV2Users");
  expect([hasHappened(first), hasHappened(stateForCall(first, "getV2Users"))]).toEqual([false, true]);
});

test("a reassignment unassigns a contract, then assigns it elsewhere with the counter increased by one", () => {
  const start = initialOf("plan: [{ at: PT30S, reassign: { contract: factory, to: b, for: PT12S } }]");
  const at = (count: number) => seconds(start, count).registry.contracts.get("factory")?.assignment;
  expect([at(29), at(30), at(42)]).toEqual([
    { type: "assigned", synchronizerId: "a::1220ab", reassignmentCounter: 0 },
    { type: "in-flight", source: "a::1220ab", target: "b::1220ab", reassignmentCounter: 1 },
    { type: "assigned", synchronizerId: "b::1220ab", reassignmentCounter: 1 },
  ]);
});

test("skips a planned change that a client has already made", () => {
  const start = initialOf("plan: [{ at: PT30S, reassign: { contract: factory, to: b, for: PT12S } }]");
  const byHand = apply(start, { type: "reassignment-begun", contract: "factory", target: "b::1220ab" });
  const state = (count: number) => seconds(byHand, count).registry.contracts.get("factory")?.assignment;
  expect([state(29)?.type, state(41)?.type, state(42)]).toEqual([
    "in-flight",
    "in-flight",
    { type: "assigned", synchronizerId: "b::1220ab", reassignmentCounter: 1 },
  ]);
});

test("plays two events with one timestamp in file order", () => {
  const state = initialOf("plan: [{ at: PT1S, disconnect: a }, { at: PT1S, connect: a }]");
  expect(seconds(state, 1).ledger.synchronizers.get("a::1220ab")?.isConnected).toBe(true);
});

test("derives contract ids and blobs from the seed alone", () => {
  const contract = (seed?: number) => initialOf("", seed).registry.contracts.get("factory");
  expect(contract(7)).toEqual(contract(7));
  expect(contract(7)?.contractId).not.toBe(contract(8)?.contractId);
});

const moving = (end: string) => `reassign: { contract: factory, to: b, ${end} }`;

test.each([
  ["plan: [{ at: PT1S }]", /s\.yaml:8:14: x-understudy\.plan\.0 has no action/],
  ["plan: [{ connect: a }]", /s\.yaml:8:14: x-understudy\.plan\.0 needs either at or on/],
  ["plan: [{ on: getV2User, connect: a }]", /Did you mean "getV2Users"\?/],
  ["plan: [{ at: PT1S, connect: c }]", /names the synchronizer "c", which the ledger does not have/],
  ["plan: [{ at: PT1S, deactivateUser: alicia }]", /names "alicia", which does not exist\. Did you mean "alice"\?/],
  ["plan: [{ at: PT1S, uploadPackage: none }]", /Describe it under packages/],
  ["plan: [{ at: PT1S, reassign: { contract: factry, to: b } }]", /Did you mean "factory"\?/],
  [
    "plan: [{ at: tomorrow, connect: a }]",
    /plan\.0\.at is "tomorrow", which does not have the expected format\. Write it as PT30S\./,
  ],
  ["plan: [{ at: PT1S, connect: a, disconnect: b }]", /has several actions: connect, disconnect/],
  [`plan: [{ on: getV2Users, ${moving("for: PT1S")} }]`, /has for, which cannot be combined with on/],
  [`plan: [{ at: PT1S, ${moving("forCalls: 2")} }]`, /has forCalls, which cannot be combined with at/],
  ["plan: [{ at: PT1S, allocateParty: 'no party' }]", /allocates "no party", which is not a valid party id/],
  [
    `plan: [{ at: PT1S, ${moving("for: PT9S")} }, { at: PT2S, ${moving("for: PT1S")} }]`,
    /reassigns factory while it is being reassigned/,
  ],
  ["profile: canton-9", /unknown profile "canton-9"/],
  ["clock: { mode: fast }", /Use frozen, real or x60\./],
  ["seed: -1", /seed is -1; the minimum is 0/],
])("refuses `%s` with line and advice", (extension, message) => {
  expect(problemsIn(extension)).toEqual([expect.stringMatching(message)]);
});

const judged = (criterion: string) => `operationId: getV2Users, successCriteria: [{ ${criterion} }]`;
const onBody = (type: string, condition: string) =>
  judged(`type: ${type}, context: $response.body, condition: '${condition}'`);

test.each([
  [
    "operationId: $sourceDescriptions.ledger.getV2User",
    /s\.yaml:\d+:\d+: the step "one" calls the unknown operation "getV2User"\. Did you mean "getV2Users"\?/,
  ],
  [judged("condition: $statusCode =="), /the condition "\$statusCode ==" is not valid/],
  [onBody("regex", "("), /the condition "\(" is not valid/],
  [onBody("jsonpath", "$["), /the condition "\$\[" is not valid/],
  [onBody("{ type: jsonpath, version: rfc9535 }", "$["), /the condition "\$\[" is not valid/],
  [onBody("xpath", "/"), /criteria of type xpath are valid Arazzo, but not supported here/],
])("refuses the step { %s } with line and advice", (step, message) => {
  const text = scenario("").replace("steps: []", `steps: [{ stepId: one, ${step} }]`);
  expect(problemsIn("", { "s.yaml": text })).toEqual([expect.stringMatching(message)]);
});

test("refuses a ledger without an identity provider in profile spec, and accepts it in a release", () => {
  const bare = { "ledger.yaml": `participantId: ${participant}\n` };
  expect(problemsIn("profile: spec", bare)).toEqual([
    expect.stringContaining("a ledger in profile spec needs an identity provider"),
  ]);
  expect(problemsIn("profile: canton-3.5", bare)).toEqual([]);
});

test("reports the problems of both fixtures at once, each with its line", () => {
  const problems = problemsIn("", {
    "ledger.yaml": `participantId: ${participant}\nusers:\n  - { id: a }\n  - { id: a }\n  - { id: b, identityProviderId: none }\n`,
    "registry.yaml": registry.replace("admin: dso::1220ab", "admin: unknown"),
  });
  expect(problems).toEqual([
    expect.stringMatching(/^ledger\.yaml:4:11: users\.1\.id "a" is a duplicate/),
    expect.stringMatching(/^ledger\.yaml:5:34: users\.2\.identityProviderId names the identity provider "none"/),
    expect.stringMatching(/^registry\.yaml:1:8: admin is "unknown", which is not a valid party id/),
  ]);
});

test("reassigns a contract again after it is assigned", () => {
  const reassign = (to: string) => `reassign: { contract: factory, to: ${to}, for: PT1S }`;
  expect(problemsIn(`plan: [{ at: PT3S, ${reassign("a")} }, { at: PT1S, ${reassign("b")} }]`)).toEqual([]);
});

test("counts the time of the plan from the start of the clock, in any order of entries", () => {
  const start = initialOf(
    "clock: { start: 2027-02-03T04:05:06Z }\nseed: 9\nplan: [{ at: PT2S, connect: a }, { at: PT1S, disconnect: a }]",
  );
  expect([start.nowMs, start.seed]).toEqual([Date.parse("2027-02-03T04:05:06Z"), 9]);
  const isConnected = (count: number) => seconds(start, count).ledger.synchronizers.get("a::1220ab")?.isConnected;
  expect([isConnected(0), isConnected(1), isConnected(2)]).toEqual([true, false, true]);
});

test("creates a pre-approval with its contracts, and a party that is usable at once", () => {
  const created = '{ receiver: "bob::1220ab", contract: factory, featuredAppRight: factory }';
  const plan = `plan: [{ at: PT1S, createPreapproval: ${created} }, { at: PT1S, allocateParty: "new::1220ab" }]`;
  const state = seconds(initialOf(plan), 1);
  expect(state.registry.preapprovals.get("bob::1220ab")).toEqual({
    receiver: "bob::1220ab",
    contract: "factory",
    featuredAppRight: "factory",
  });
  expect(state.ledger.parties.get("new::1220ab")).toMatchObject({ awaiting: [], visibleFromMs: 0 });
});

test("uses the node's defaults for members that a fixture omits", () => {
  const { ledger: state } = initialOf("");
  expect(state.limits).toEqual({
    identityProvidersMax: 16,
    partiesPageSizeMax: 10_000,
    usersPageSizeDefault: 1000,
    usersPageSizeMax: 1000,
    rightsPerUserMax: 1000,
    annotationsBytesMax: 262_144,
    deduplicationMsMax: 604_800_000,
    allocationMs: 1000,
  });
  expect([state.ledgerEnd, state.users.get("alice")?.resourceVersion]).toEqual([0n, "0"]);
});

test("runs the clock of the scenario, and lists the files that it was read from", () => {
  const loaded = (extension: string) => {
    const result = load(extension);
    return result.type === "loaded" ? result.scenario : undefined;
  };
  expect(["frozen", "real", "x60"].map((mode) => loaded(`clock: { mode: ${mode} }`)?.clockMode)).toEqual([
    { type: "frozen" },
    { type: "running", speed: 1 },
    { type: "running", speed: 60 },
  ]);
  expect(loaded("")?.files).toEqual(["s.yaml", "ledger.yaml", "registry.yaml"]);
});

test("expects the operations of its steps and of its plan, if unplanned requests are errors", () => {
  const text = scenario("onUnplannedRequest: error\nplan: [{ on: getV2Idps, connect: a }]").replace(
    "steps: []",
    "steps: [{ stepId: one, operationId: $sourceDescriptions.ledger.getV2Users }]",
  );
  const result = load("", { "s.yaml": text });
  expect(result.type === "loaded" && result.scenario.initial.plan.expected).toEqual(
    new Set(["getV2Users", "getV2Idps"]),
  );
});

const holding = "{ name: h, owner: 'b::1220ab', instrument: i, amount: '1' }";
const consuming = "{ transfer: self, inputs: [none], to: 'b::1220ab', amount: '1' }";
const preparing = `[{ value: AAAA, actAs: ['b::1220ab'], commandId: c, effect: ${consuming} }]`;
const alice = "users: [{ id: alice }]";
const created = "createdAt: 2026-01-01T00:00:00Z";

test.each([
  [alice, "users: [{ id: 5 }]", /0\.id is 5, which is not a string\. Put it/],
  [alice, 'users: [{ id: a, primaryParty: "n@" }]', /primaryParty is "n@"/],
  [alice, 'users: [{ id: a, rights: [{ CanActAs: "n@" }] }]', /rights\.0 is "n@"/],
  [alice, "users: []\nusers: []", /the name is used twice in one object\. Remove or rename/],
  ["uploaded: false", "dependencies: [none]", /dependencies\.0 names the package "none".* under packages/],
  ["connected: false", "vettedPackages: [5]", /Packages\.0 is 5, which is not a string or/],
  ["connected: false", "vettedPackages: [none]", /vettedPackages\.0 names the package "none"/],
  ["alias: b", "alias: a", /synchronizers\.1\.alias "a" is a duplicate/],
  ['hostedBy: ["participant2::1220cd"]', "hostedBy: [no]", /hostedBy\.0 is "no"/],
])("refuses the ledger fixture if %s becomes %s, with line and advice", (old, changed, message) => {
  expect(ledger).toContain(old);
  expect(problemsIn("", { "ledger.yaml": ledger.replace(old, changed) })).toEqual([expect.stringMatching(message)]);
});

test.each(["1969-12-31T23:59:59Z", "2016-12-31T23:59:60Z", "$statusCode == 200"])(
  "refuses %j as the start",
  (start) => {
    const problems = problemsIn(`clock: { start: ${JSON.stringify(start)} }`);
    expect(problems).toEqual([expect.stringMatching(/clock\.start /)]);
  },
);

test.each([
  ["contracts:", "preapprovals: [{ receiver: 'b::1220ab', contract: factry }]", /Did you mean "factory"\?/],
  [created, "createdAt: 2016-12-31T23:59:60Z", /which is not a valid timestamp/],
  [created, "createdAt: 1969-12-31T23:59:59Z", /which is not a valid timestamp\. .*not before 1970/],
  ["contracts:", `holdings: [${holding}, ${holding}]`, /holdings\.1\.name "h" is a duplicate/],
  ["contracts:", `preparedTransactions: ${preparing}`, /inputs\.0 names the holding "none", which does not exist/],
])("refuses the registry fixture with %s as or after %s, with line and advice", (old, changed, message) => {
  expect(registry).toContain(old);
  const text = registry.replace(old, old === created ? changed : `${changed}\n${old}`);
  expect(problemsIn("", { "registry.yaml": text })).toEqual([expect.stringMatching(message)]);
});

test("counts the problems of a file with many thousands", () => {
  const problems = problemsIn("", { "ledger.yaml": ledger.replace("{ id: alice }", Array(20_000).fill(0).join(",")) });
  expect(problems).toHaveLength(problemsMax + 1);
  expect(problems.at(-1)).toContain(`${20_000 - problemsMax} more problems in the file`);
});

test("reports the problems of a file up to a limit", () => {
  const users = Array.from({ length: 60 }, () => "{ id: 5 }").join(", ");
  const problems = problemsIn("", { "ledger.yaml": ledger.replace("{ id: alice }", users) });
  expect([problems.length, problems.at(-1)]).toEqual([problemsMax + 1, expect.stringMatching(/\d0 more problems/)]);
});

test("keeps the members that a fixture gives its contracts", () => {
  const text = registry.replace('synchronizer: "a::1220ab" }', 'synchronizer: "a::1220ab", reassignmentCounter: 3 }');
  const result = load("", { "registry.yaml": text });
  expect(
    result.type === "loaded" && result.scenario.initial.registry.contracts.get("factory")?.assignment,
  ).toMatchObject({ reassignmentCounter: 3 });
});

test("accepts several workflows in one world, and refuses a second world", () => {
  const twice = `${scenario("")}  - workflowId: v\n    steps: []\n`;
  expect(problemsIn("", { "s.yaml": twice })).toEqual([]);
  const other = `${twice}    x-understudy: { seed: 2, given: { ledger: ledger.yaml, registry: registry.yaml } }\n`;
  expect(problemsIn("", { "s.yaml": other })).toEqual([
    expect.stringContaining('the workflow "v" has another x-understudy than "w"'),
  ]);
});

test("mentions alternatives only if no other problem is more precise", () => {
  const problems = (right: string) =>
    problemsIn("", { "ledger.yaml": ledger.replace("{ id: alice }", `{ id: a, rights: [${right}] }`) }).join("\n");
  expect(problems("{ CanAct: 'p::1220ab' }")).toContain('Did you mean "CanActAs"?');
  expect(problems("{ CanAct: 'p::1220ab' }")).not.toContain("oneOf");
  expect(problems("5")).toMatch(
    /^ledger\.yaml:8:27: users\.0\.rights\.0 is 5, which is not a string or an object\..*$/,
  );
  expect(problems("ParticipantAdmn")).toMatch(/^ledger\.yaml:8:27: .* Did you mean "ParticipantAdmin"\?$/);
});

test("reads a large fixture a second time only for the lines of its problems", () => {
  const rows = Array.from({ length: 30_000 }, (_, index) => `{"id":"user-${index}","rights":["ParticipantAdmin"]}`);
  const large = (last: string) => `{"participantId":"${participant}","users":[\n${[...rows, last].join(",\n")}\n],
"identityProviders":[{"id":"corporate","issuer":"i","jwksUrl":"j"}]}`;
  const loadedWith = (last: string) => {
    const read: string[] = [];
    const files: FileReader = {
      read: (path) => {
        read.push(path);
        return path === "ledger.json" ? large(last) : undefined;
      },
      resolve: (_, path) => path,
    };
    const { problems } = readFixture("ledger", "ledger.json", files);
    return [problems.length > 0 ? problems.map(formatProblem) : "fine", read.length];
  };
  expect(loadedWith('{"id":"zoe"}')).toEqual(["fine", 1]);
  expect(loadedWith('{"id":"user-7"}')).toEqual([
    ['ledger.json:30002:7: users.30000.id "user-7" is a duplicate. Remove or rename one of the two.'],
    2,
  ]);
  expect(loadedWith('{"id":"zoe","rights":[{"CanActAs":"no@body"}]}')[1]).toBe(2);
  expect(loadedWith('{"id":"zoe","right":[]}')[0]).toEqual([
    'ledger.json:30002:13: users.30000 has the unknown member "right". Did you mean "rights"?',
  ]);
});

test("reports the problems of steps and plan in one pass", () => {
  const planned = scenario("plan: [{ at: PT1S, deactivateUser: alicia }]");
  const text = planned.replace("steps: []", "steps: [{ stepId: s, operationId: getV2User }]");
  expect(problemsIn("", { "s.yaml": text }).join()).toMatch(/names "alicia", which.*unknown operation "getV2User"/);
});
