import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { ClientChecker, checkClientRules } from "../../src/checker/engine/client-checker.ts";
import { hostScenario } from "../../src/entrypoints/library/host-scenario.ts";
import { Body, emptyBody } from "../../src/foundation/http/body.ts";
import { textResponse } from "../../src/foundation/http/response.ts";
import { impliedRegistryProfile, loadSpec } from "../../src/foundation/spec/spec.ts";
import { accessBy } from "../../src/stub/control/access.ts";
import { withControl } from "../../src/stub/control/control.ts";
import { scenarioFiles, scenarioOf } from "../_scenario.ts";
import { recording, root, serving, temporaryFolder, understudy } from "./_command-line.ts";
import { trafficOf } from "./_scenario-traffic.ts";

/** The client findings that scenarios cause on purpose. */
const intended: Readonly<Record<string, readonly string[]>> = {
  "autodetect-synchronizer.arazzo.yaml": ["deprecated-vetting"],
  "vetting-dependencies.arazzo.yaml": ["deprecated-vetting"],
  "vetting.arazzo.yaml": ["deprecated-vetting"],
  // It sends different users in path and body, and the page token "nonsense".
  "user-errors.arazzo.yaml": ["grant-names-its-user", "page-tokens-from-pages"],
};

/** That release has no successor of the deprecated operation, and ignores `userId` and `waitForAllocation` of an allocation. */
const intendedOlder: Readonly<Record<string, readonly string[]>> = {
  "allocate-external-party.arazzo.yaml": ["known-members-sent"],
  "decentralized-party.arazzo.yaml": ["known-members-sent"],
  // The description of 3.4.11 requires userId.
  "commit-then-timeout.arazzo.yaml": ["required-members-sent"],
  "execute-and-wait.arazzo.yaml": ["required-members-sent"],
  "onboarding-to-transfer.arazzo.yaml": ["known-members-sent", "required-members-sent"],
  "user-errors.arazzo.yaml": ["grant-names-its-user", "page-tokens-from-pages"],
};

test.each(["spec", "canton-3.5", "canton-3.4.11"])(
  "scenarios have only the intended client findings in %s",
  async (ledger) => {
    const spec = loadSpec({ ledger, registry: impliedRegistryProfile(ledger) }, { hasAdditionalOperations: true });
    const found: Record<string, readonly string[]> = {};
    for (const file of scenarioFiles) {
      const rules = checkClientRules(spec, await trafficOf(file, ledger)).map(({ rule }) => rule);
      if (rules.length > 0) found[file] = rules;
    }
    expect(found).toEqual(ledger === "canton-3.4.11" ? intendedOlder : intended);
  },
);

/** A stub with client rules unless switched off, and a function that sends it a request. */
function startedStub(hasClientRules = true) {
  const scenario = scenarioOf("quickstart");
  const spec = loadSpec({ ledger: "spec", registry: "spec" }, { hasAdditionalOperations: true });
  const checkedExchanges: string[] = [];
  const createClientRules = (worldId: string, { isWhole }: { readonly isWhole: boolean }) => {
    checkedExchanges.push(isWhole ? worldId : `${worldId}, with earlier exchanges`);
    return new ClientChecker({ spec, order: "one-by-one", isWhole, isOneWorld: true });
  };
  const hosting = hostScenario(scenario, {
    wallNowMs: () => 0,
    ...(hasClientRules ? { createClientRules } : {}),
  });
  const handler = withControl(hosting, accessBy("h"));
  const send = async (method: string, target: string) => {
    const headers = [
      ["Host", "h"],
      ["Authorization", "Bearer any"],
    ] as const;
    const response = await handler({ method, target, headers, body: emptyBody });
    if (response.type === "broken") throw new Error("broken");
    const text = response.body.text();
    return { status: response.status, json: text.startsWith("{") ? JSON.parse(text) : text };
  };
  const rulesIn = async (world: string) => {
    const { json } = await send("GET", `/__understudy/worlds/${world}/client-rules`);
    return json.findings.map(({ rule, exchange }: { rule: string; exchange: number }) => [rule, exchange]);
  };
  return { send, rulesIn, checked: checkedExchanges };
}

test("the control API lists the client findings of a world; a fork has its own, and a reset clears them", async () => {
  const { send, rulesIn, checked: checkedExchanges } = startedStub();
  await send("GET", "/v2/users");
  await send("GET", "/v2/users?pageToken=2");
  await send("POST", "/__understudy/worlds/default/fork");
  expect(checkedExchanges).toEqual(["default"]);
  expect([await rulesIn("default"), await rulesIn("fork-1")]).toEqual([[["page-tokens-from-pages", 1]], []]);
  await send("GET", "/w/fork-1/v2/users?access_token=abc");
  expect(await rulesIn("fork-1")).toEqual([["token-in-header", 0]]);
  expect(checkedExchanges).toEqual(["default", "fork-1, with earlier exchanges"]);
  await send("POST", "/__understudy/worlds/default/reset");
  expect([await rulesIn("default"), await rulesIn("fork-1")]).toEqual([[], [["token-in-header", 0]]]);
  await send("GET", "/v2/users?pageToken=2");
  expect(await rulesIn("default")).toEqual([["page-tokens-from-pages", 0]]);
});

test("the response of the control API conforms to its description", async () => {
  const { send } = startedStub();
  await send("GET", "/v2/users?pageToken=2");
  const { json } = await send("GET", "/__understudy/worlds/default/client-rules");
  const { contracts } = await import("../../src/foundation/spec/contracts.ts");
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema({
    ...contracts.control,
    $id: "control",
  });
  const isAsDescribed = ajv.compile({ $ref: "control#/components/schemas/ClientRules" });
  expect([isAsDescribed(json), isAsDescribed.errors]).toEqual([true, null]);
  expect(json.findings).toHaveLength(1);
});

test("the control API responds with 404 if client rules are off", async () => {
  const { send } = startedStub(false);
  await send("GET", "/v2/users?pageToken=2");
  expect(await send("GET", "/__understudy/worlds/default/client-rules")).toMatchObject({ status: 404 });
});

test("the end of a test gives its problems and its timeline as text, and nothing if there are no problems", async () => {
  const { send } = startedStub();
  const end = async (query = "") => (await send("GET", `/__understudy/worlds/default/end-of-test${query}`)).json;
  await send("GET", "/v2/users");
  expect([await end(), await end("?failed=true")]).toEqual([
    "",
    "Understudy received 1 request:\n   1  2026-01-01 00:05:00.000  GET /v2/users  200",
  ]);
  await send("GET", "/v2/users?pageToken=2");
  await send("GET", "/users");
  expect((await end()).split("\n\n")).toEqual([
    expect.stringMatching(
      /^The test sent 1 unexpected request:\n.*\nThe application breaks 1 client rule:\n {2}page-tokens-/,
    ),
    expect.stringMatching(/^Understudy received 3 requests:\n/),
  ]);
  expect(await end("?onUnexpected=ignore&allow=page-tokens-from-pages")).toBe("");
});

test("the end of a test has a header for each warning that a test that passes would hide", async () => {
  const { url } = await serving(["--profile", "canton-3.6"]);
  const headers = { Authorization: "Bearer any", "Content-Type": "application/json" };
  await fetch(`${url}/v2/users?page_size=2`, { headers });
  const commands = [{ CreateCommand: { templateId: "#splice-amulet:Splice.Other:Coin", createArguments: {} } }];
  const parties = await (await fetch(`${url}/v2/parties`, { headers })).text();
  const actAs = [/"party":"([^"]+)"/.exec(parties)?.[1]];
  const body = JSON.stringify({ commandId: "c", actAs, commands });
  const path = "/v2/commands/submit-and-wait";
  const created = await fetch(url + path, { method: "POST", headers, body });
  const warning = "commands.0 creates #splice-amulet:Splice.Other:Coin, and the ledger fixture declares no template";
  expect([created.status, created.headers.get("Understudy-Warning")]).toEqual([200, expect.stringContaining(warning)]);
  const end = async (query: string) => {
    const response = await fetch(`${url}/__understudy/worlds/default/end-of-test?${query}`);
    return [await response.text(), response.headers.get("Understudy-Warning")];
  };
  const ofResponse = `warning: POST ${path}: ${warning}`;
  const ofClient = "client warning known-parameters-sent: GET /v2/users: expected the known parameter";
  expect(await end("")).toEqual(["", expect.stringContaining(ofResponse)]);
  expect((await end(""))[1]).toContain(ofClient);
  expect((await end("allow=known-parameters-sent"))[1]).not.toContain(ofClient);
  expect((await end("clientRules=warnings"))[0]).toContain("known-parameters-sent");
});

test.each([
  ["failed=yes", 400, 'option failed: "yes" is not a boolean. Use true or false.'],
  ["allow=page-tokens", 400, 'option allow: unknown client rule "page-tokens"'],
  ["clientRules=error", 400, 'Did you mean "errors"?'],
  ["allowed=x", 400, 'unknown option "allowed". Did you mean "allow"?'],
])("the end of a test refuses the query %s", async (query, status, error) => {
  const refused = { status, json: { error: expect.stringContaining(error) } };
  expect(await startedStub().send("GET", `/__understudy/worlds/default/end-of-test?${query}`)).toEqual(refused);
});

test("the end of a test without client rules is refused, unless they are ignored", async () => {
  const { send } = startedStub(false);
  const end = "/__understudy/worlds/default/end-of-test";
  expect([(await send("GET", end)).status, await send("GET", `${end}?clientRules=ignore`)]).toEqual([
    404,
    { status: 200, json: "" },
  ]);
});

const any = { headers: { Authorization: "Bearer any" } };
const line =
  "client rule: page-tokens-from-pages (error) GET /v2/users: expected the token of an earlier page; actual 2. Send `nextPageToken` of the previous page unchanged, with URL encoding.";

test("serve prints each kind of finding once as it occurs, all at the end, and exits with 0", async () => {
  const stub = await serving([]);
  await fetch(`${stub.url}/__understudy/worlds/default/fork`, { method: "POST" });
  await fetch(`${stub.url}/v2/users?pageToken=2`, any);
  await fetch(`${stub.url}/w/fork-1/v2/users?pageToken=2`, any);
  await fetch(`${stub.url}/w/fork-1/v2/users?access_token=abc`, any);
  const { exitCode, out, error } = await stub.end();
  expect(error.split("\n")).toEqual([
    line,
    expect.stringMatching(/^client rule: token-in-header .* \(world fork-1\)$/),
    "",
  ]);
  expect(out.slice(out.indexOf("Client findings:"))).toBe(`Client findings:
FAIL page-tokens-from-pages: GET /v2/users, status 400 (2 times)
  expected  the token of an earlier page
  actual    2
  at        (the request)
  spec      §4.2: \`pageToken\`, an optional string of the query: none or an empty one starts at the beginning, any other comes from the page before.
  advice    Send \`nextPageToken\` of the previous page unchanged, with URL encoding.
  explain   understudy explain page-tokens-from-pages
FAIL token-in-header: GET /v2/users, status 200
  expected  the token in \`Authorization: Bearer TOKEN\`
  actual    a token in the query parameter access_token
  at        (the request)
  spec      §5: A request to any ledger operation of section 4.2 needs the HTTP header \`Authorization: Bearer TOKEN\`.
  advice    Send the token as \`Authorization: Bearer TOKEN\`.
  explain   understudy explain token-in-header
2 kinds of error, 0 kinds of warning.
`);
  expect(exitCode).toBe(0);
});

test("serve prints client findings as events with --json, and none with --no-client-rules", async () => {
  const lines: string[][] = [];
  for (const words of [["--json"], ["--no-client-rules"]]) {
    const stub = await serving(words);
    await fetch(`${stub.url}/v2/users?pageToken=2`, any);
    const ended = stub.ended();
    stub.stop();
    const { out, error } = await ended;
    expect(error).toBe("");
    lines.push(out.split("\n").filter((text) => text.includes("page-tokens-from-pages")));
  }
  const [events = [], nothing] = lines;
  expect(events.map((text) => JSON.parse(text))).toMatchObject([
    { event: "client-rules", rule: "page-tokens-from-pages", severity: "error", exchange: 0 },
    { event: "client-rules-summary", findings: [{ rule: "page-tokens-from-pages", count: 1 }], dropped: 0, faults: [] },
  ]);
  expect(nothing).toEqual([]);
});

test("record prints client findings as they occur and exits with 0; check --client-rules finds the same in the file, and fails", async () => {
  const folder = temporaryFolder();
  const stub = await serving(["--profile", "canton-3.5", "--no-client-rules"]);
  const recorder = await recording(["--ledger", stub.url, "--registry", stub.url, "--out", "x.har"], { folder });
  await (await fetch(`${recorder.url}/v2/users?pageToken=2`, any)).text();
  await (await fetch(`${recorder.url}/registry/metadata/v1/info`, any)).text();
  const { exitCode, out, error } = await recorder.end();
  expect(error).toMatch(
    /^client rule: page-tokens-from-pages \(error\) .*\nclient rule: token-stays-at-ledger \(warning\) .*\n$/,
  );
  expect(exitCode).toBe(0);
  const checked = await understudy(["check", "x.har", "--client-rules", "--report", "x.json"], { folder });
  const clientRules = (text: string) => text.slice(text.indexOf("Client findings:"));
  expect(clientRules(checked.out)).toBe(clientRules(out));
  expect(clientRules(out)).toContain("1 kind of error, 1 kind of warning.\n");
  expect(checked.exitCode).toBe(1);
  const report = JSON.parse(readFileSync(join(folder, "x.json"), "utf8"));
  expect(report).toMatchObject({ isFailed: false, clientRules: { findings: [{ exchange: 0 }, { exchange: 1 }] } });
  const schema = JSON.parse(readFileSync(join(root, "schemas/report.schema.json"), "utf8"));
  expect(new Ajv2020({ strict: false }).compile(schema)(report)).toBe(true);
  const [unrequested, shard, target] = await Promise.all([
    understudy(["check", "x.har"], { folder }),
    understudy(["check", "x.har", "--client-rules", "--shard", "1/2"], { folder }),
    understudy(["check", "--ledger", stub.url, "--client-rules"], { folder }),
  ]);
  expect([unrequested.exitCode, unrequested.out.includes("Client findings")]).toEqual([0, false]);
  expect([shard.exitCode, shard.error]).toEqual([2, expect.stringContaining("--client-rules needs whole recordings")]);
  expect([target.exitCode, target.error]).toEqual([2, expect.stringContaining("--client-rules applies to recordings")]);
});

test("an unknown member is a finding with the nearest known name, where the profile shows the names", async () => {
  const request = (target: string, body: object) =>
    ({
      startedAt: "2026-01-01T00:00:00Z",
      durationMs: 1,
      request: { method: "POST", target, headers: [], body: new Body(JSON.stringify(body)) },
      response: textResponse(200, "application/json", "{}"),
    }) as const;
  const found = (ledger: string, target: string, body: object) =>
    checkClientRules(
      loadSpec({ ledger, registry: impliedRegistryProfile(ledger) }, { hasAdditionalOperations: true }),
      [request(target, body)],
    )
      .filter(({ rule }) => rule === "known-members-sent")
      .map(({ pointer, expected }) => `${pointer}: ${expected}`);
  const vetting = "/v2/package-vetting/update";
  expect(found("canton-3.5", vetting, { changes: [], dry_run: true, synchronizer_id: "a" })).toEqual([
    "/dry_run: the known member `dryRun`",
    "/synchronizer_id: the known member `synchronizerId`",
  ]);
  expect(found("spec", vetting, { changes: [], dry_run: true, synchronizer_id: "a", dryRunn: true })).toEqual([
    "/dryRunn: the known member `dryRun`",
  ]);
  const grant = { userId: "a", rights: [{ knd: {} }], zzzzzzzzz: 1 };
  const unlike = "/zzzzzzzzz: a known member, for example userId, rights, identityProviderId";
  expect(found("spec", "/v2/users/a/rights", grant)).toEqual([unlike]);
  expect(found("canton-3.5", "/v2/users/a/rights", grant)).toEqual(["/rights/0/knd: the known member `kind`", unlike]);
});
