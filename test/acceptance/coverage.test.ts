import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { countedClients, writeCoverage } from "../../src/entrypoints/library/coverage-file.ts";
import { hostScenario } from "../../src/entrypoints/library/host-scenario.ts";
import { Body } from "../../src/foundation/http/body.ts";
import { impliedRegistryProfile } from "../../src/foundation/spec/spec.ts";
import { loopbackAccess } from "../../src/stub/control/access.ts";
import { withControl } from "../../src/stub/control/control.ts";
import { scenarioOf } from "../_scenario.ts";
import { eventsIn, expectRefusal, folderOf, serving, temporaryFolder, understudy } from "./_command-line.ts";

/** A stub whose clients are counted; requests are handled in the process. */
function counted(profile = "canton-3.5") {
  const names = { ledger: profile, registry: impliedRegistryProfile(profile) };
  const scenario = scenarioOf("quickstart", { profile });
  const hosting = hostScenario(scenario, { ...countedClients(names), profile: names, wallNowMs: () => 0 });
  const handler = withControl(hosting, loopbackAccess);
  const send = async (method: string, target: string, body?: object) => {
    const headers = [
      ["Host", "localhost"],
      ["Authorization", "Bearer any"],
      ["Content-Type", "application/json"],
    ] as const;
    const response = await handler({ method, target, headers, body: new Body(body ? JSON.stringify(body) : "") });
    return response.type === "response" ? response.body.text() : "";
  };
  const save = (folder: string) => hosting.coverage && writeCoverage(hosting.coverage, folder);
  return { send, save };
}

const coverageOf = async (stub: ReturnType<typeof counted>) => {
  const { counts } = JSON.parse(await stub.send("GET", "/__understudy/coverage"));
  return counts[0];
};

test("counts operations, statuses, error codes and client rules in all worlds, also after a reset and a removal", async () => {
  const stub = counted();
  await stub.send("GET", "/v2/users");
  await stub.send("POST", "/__understudy/worlds/default/reset");
  await stub.send("POST", "/__understudy/worlds/default/fork");
  const plan = [{ on: "getV2Idps", instead: { error: "DUPLICATE_COMMAND" } }];
  await stub.send("POST", "/__understudy/worlds/fork-1/plan", { plan });
  for (const target of ["/v2/users?pageToken=2", "/v2/users/nobody", "/v2/idps", "/nowhere"])
    await stub.send("GET", `/w/fork-1${target}`);
  await stub.send("DELETE", "/__understudy/worlds/fork-1");
  expect(await coverageOf(stub)).toMatchObject({
    profile: { ledger: "canton-3.5" },
    exchanges: 5,
    unmatched: 1,
    operations: {
      getV2Users: { statuses: { 200: 1, 400: 1 }, codes: { INVALID_ARGUMENT: 1 } },
      "getV2UsersUser-id": { statuses: { 404: 1 }, codes: { USER_NOT_FOUND: 1 } },
      getV2Idps: { statuses: { 409: 1 }, codes: { DUPLICATE_COMMAND: 1 } },
    },
    clientRules: { "page-tokens-from-pages": { exercised: 1, broken: 1 } },
  });
});

test("reads the error code at the beginning of a text, as in profile spec", async () => {
  const stub = counted("spec");
  await stub.send("GET", "/v2/users?pageToken=2");
  expect((await coverageOf(stub)).operations.getV2Users.codes).toEqual({ INVALID_ARGUMENT: 1 });
});

test("merges the files of a folder into a report, in a terminal, as JSON and as HTML", async () => {
  const folder = temporaryFolder();
  for (const target of ["/v2/users", "/v2/users?pageSize=-1"]) {
    const stub = counted();
    await stub.send("GET", target);
    stub.save(join(folder, "coverage"));
  }
  counted().save(join(folder, "coverage"));
  expect(readdirSync(join(folder, "coverage"))).toHaveLength(2);
  const words = "check coverage coverage --report all.json --report all.html";
  const { exitCode, out, error } = await understudy(words, { folder });
  expect({ exitCode, error }).toEqual({ exitCode: 0, error: "" });
  expect(out).toContain("API coverage of the clients: 2 exchanges, compared with canton-3.5 with registry splice-0.8.");
  expect(out).toMatch(/statuses of these operations +2 of 3 +66 %/);
  expect(out).toContain('No test meets another error of getV2Users. Try fault("getV2Users", { error: "');
  expect(readFileSync(join(folder, "all.html"), "utf8")).toContain(
    "<li>No test meets another error of getV2Users. Try fault(",
  );
  expect(JSON.parse(readFileSync(join(folder, "all.json"), "utf8")).report.kinds.operations.seen).toBe(1);
  const [again] = eventsIn((await understudy("check coverage all.json --json", { folder })).out);
  expect([again.event, again.exchanges]).toEqual(["coverage", 2]);
  await understudy("check coverage coverage --report coverage/all.json", { folder });
  const second = await understudy("check coverage coverage --json", { folder });
  expect(eventsIn(second.out)[0].exchanges).toBe(2);
  expect(second.error).toBe(
    "coverage/all.json is a report, not the coverage of a test run: skipped. To count it too, name the file itself.\n",
  );
});

test("fails below a threshold of a kind", async () => {
  const folder = temporaryFolder();
  const stub = counted();
  await stub.send("GET", "/v2/users");
  stub.save(folder);
  const { exitCode, error } = await understudy("check coverage . --fail-under statuses=34,operations=11", { folder });
  expect([exitCode, error]).toEqual([1, "coverage of statuses: 33 % is below --fail-under 34.\n"]);
  expect((await understudy("check coverage . -q --fail-under statuses=33", { folder })).exitCode).toBe(0);
});

test.each([
  ["check coverage", "UNDERSTUDY_COVERAGE=seen"],
  ["check coverage none.json", "none.json"],
  ["check coverage bad.json", 'bad.json is not a coverage file: it has no member "version"'],
  ["check coverage newer.json", "newer.json is not a coverage file: it has version 2 of the format"],
  ["check coverage empty.json", "The files contain no exchange"],
  ["check coverage old.json", "this version has no profile canton-1 with registry spec"],
  ["check coverage empty.json --report x.txt", "--report x.txt: unknown format. Use .json or .html."],
  ["check coverage empty.json --fail-under status=5", "--fail-under status: unknown value."],
  ["check coverage empty.json --fail-under statuses=80=5", "statuses=80=5: not a threshold. Use a kind and 0 to 100"],
  ["check coverage empty.json --fail-under statuses=101", "not a threshold. Use a kind and 0 to 100"],
])("%s is refused: %s", async (words, message) => {
  const none = { exchanges: 0, unmatched: 0, operations: {}, clientRules: {} };
  const old = { ...none, profile: { ledger: "canton-1", registry: "spec" } };
  const folder = folderOf({
    "bad.json": "{}",
    "newer.json": JSON.stringify({ version: 2, later: [] }),
    "empty.json": JSON.stringify({ version: 1, counts: [] }),
    "old.json": JSON.stringify({ version: 1, counts: [old] }),
  });
  await expectRefusal(words, message, { folder });
});

test("serve writes the coverage of its clients when it stops, and shows it on request", async () => {
  const folder = temporaryFolder();
  const stub = await serving("--coverage coverage", { folder });
  await (await fetch(`${stub.url}/v2/users`, { headers: { Authorization: "Bearer any" } })).arrayBuffer();
  writeFileSync(join(folder, "now.json"), await (await fetch(`${stub.url}/__understudy/coverage`)).text());
  const { error } = await stub.end();
  expect(error).toContain("Coverage is written. Report: understudy check coverage coverage");
  for (const name of ["now.json", "coverage"])
    expect((await understudy(["check", "coverage", name], { folder })).out).toContain("1 exchange,");
});
