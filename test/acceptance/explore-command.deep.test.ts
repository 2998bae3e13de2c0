import { join } from "node:path";
import { expect, test } from "vitest";
import { hostScenario } from "../../src/entrypoints/library/host-scenario.ts";
import type { Handler } from "../../src/foundation/http/handler.ts";
import { loopbackAccess } from "../../src/stub/control/access.ts";
import { withControl } from "../../src/stub/control/control.ts";
import { type RunningServer, startServer } from "../../src/transport/server/http-server.ts";
import { scenarioOf } from "../_scenario.ts";
import { serving, started, temporaryFolder, understudy } from "./_command-line.ts";
import type { Fault } from "./_explored.ts";
import { faults } from "./_faults-of-a-target.ts";

const none: Fault = (inner) => inner;

/** A server on a free port: a stub of the quickstart with that fault in every world, or a node without a control API. */
async function listening(
  fault: Fault,
  given: { readonly isNode?: boolean; readonly profile?: string } = {},
): Promise<RunningServer> {
  const scenario = scenarioOf("quickstart", { seed: 99, profile: given.profile });
  const hosting = hostScenario(scenario, { wallNowMs: () => 0 });
  const worlds = new Map<string, Handler>();
  const faultyIn = (id: string): Handler =>
    fault((request) => hosting.handler({ ...request, headers: [...request.headers, ["Understudy-World", id]] }));
  const faulty: Handler = (request) => {
    const id = request.headers.find(([name]) => name.toLowerCase() === "understudy-world")?.[1] ?? "default";
    const handler = worlds.get(id) ?? faultyIn(id);
    worlds.set(id, handler);
    return handler(request);
  };
  const controlled = withControl(hosting, loopbackAccess);
  return startServer({
    handler: (request) =>
      request.target.startsWith("/__understudy/") && given.isNode !== true ? controlled(request) : faulty(request),
    host: "127.0.0.1",
    port: 0,
    isCorsAllowed: false,
    onFault: () => undefined,
  });
}

test("finds no difference between two stubs, and prints the oracle with the reason for its profile", async () => {
  const { url } = await serving(["--seed", "99", "--profile", "canton-3.4.12"]);
  const { exitCode, out } = await understudy(["explore", "--ledger", url, "--steps", "400", "--seed", "3"]);
  expect(out).toContain("in profile canton-3.4.12, registry splice-0.7 (the target is 3.4.12)");
  expect(out).toMatch(/Sent \d+ steps in 20 sequences/);
  expect(out).toContain("No difference.");
  expect(exitCode).toBe(0);
  const worlds = await (await fetch(`${url}/__understudy/worlds`)).json();
  expect(worlds).toMatchObject({ worlds: [{ id: "default", requests: 0 }] });
});

test("recognizes a stub in the profile spec and without additional operations", async () => {
  const { url } = await serving(["--spec-only"]);
  const { exitCode, out } = await understudy(["explore", "--ledger", url, "--steps", "200", "--json"]);
  const explored = JSON.parse(out);
  expect(explored).toMatchObject({
    event: "explored",
    scope: "world",
    profile: { ledger: "spec", registry: "spec" },
  });
  expect(explored.difference).toBeUndefined();
  expect(exitCode).toBe(0);
});

test.each(["a dry run is applied", "an update id is repeated"])(
  "writes a scenario that passes at the stub and at a correct target, and fails where %s",
  async (name) => {
    const [faulty, sound] = [await listening(faults[name] ?? none), await listening(none)];
    const file = join(temporaryFolder(), "found.arazzo.yaml");
    const found = await understudy([
      "explore",
      "--ledger",
      faulty.url,
      "--seed",
      "1",
      "--steps",
      "10000",
      "--out",
      file,
    ]);
    expect(found).toMatchObject({
      exitCode: 1,
      out: expect.stringMatching(/DIFFERENCE after [1-4] steps? from the start/),
    });
    expect(await understudy(["validate", file])).toMatchObject({ exitCode: 0 });
    expect(await understudy(["run", file])).toMatchObject({ exitCode: 0, out: expect.stringMatching(/^passed/) });
    const atSound = await understudy(["run", file, "--against", sound.url, "--profile", "spec"]);
    expect(atSound).toMatchObject({ exitCode: 0, out: expect.stringMatching(/^passed/) });
    const atFaulty = await understudy(["run", file, "--against", faulty.url, "--profile", "spec"]);
    expect(atFaulty).toMatchObject({ exitCode: 1, out: expect.stringContaining("FAIL step-criterion") });
    await faulty.close();
    await sound.close();
  },
);

test("the printed command finds the same difference again", async () => {
  const server = await listening(faults["a direct transfer is called an offer"] ?? none);
  const first = await understudy(["explore", "--ledger", server.url, "--seed", "8"]);
  const [, line = ""] = /^Repeat: understudy (.*)$/m.exec(first.out) ?? [];
  const again = await understudy(line.split(" "));
  const difference = (text: string) => text.slice(text.indexOf("DIFFERENCE"), text.indexOf("Sent"));
  expect(difference(again.out)).toBe(difference(first.out));
  expect(line).toContain("--seed 8 --path ");
  await server.close();
});

test("uses only its own users at a node, and deletes them", async () => {
  const node = await listening(none, { isNode: true, profile: "canton-3.5" });
  const words = ["explore", "--ledger", node.url, "--steps", "300", "--seed", "2"];
  const refused = await understudy(words);
  expect(refused.exitCode).toBe(2);
  expect(refused.error).toContain("Allow it with --writes");
  const { exitCode, out } = await understudy([...words, "--writes"]);
  expect(out).toContain("is not a stub. The sequences create users there with the prefix understudy-explore-2-");
  const [, created, deleted] = /Created (\d+) users at the target, deleted (\d+)\./.exec(out) ?? [];
  expect(Number(created)).toBeGreaterThan(5);
  expect(deleted).toBe(created);
  expect(exitCode).toBe(0);
  const listed = await fetch(`${node.url}/v2/users`, { headers: { Authorization: "Bearer x" } });
  const users = ["alice", "bob", "carol", "dave", "participant_admin"].map((id) => ({ id }));
  expect(await listed.json()).toMatchObject({ users: users.map((user) => expect.objectContaining(user)) });
  await node.close();
});

test("finds a fault of a node with its own users", async () => {
  const fault = faults["a right that is held is granted again"] ?? none;
  const node = await listening(fault, { isNode: true, profile: "canton-3.5" });
  const { exitCode, out } = await understudy([
    "explore",
    "--ledger",
    node.url,
    "--seed",
    "2",
    "--writes",
    "--token",
    "hush",
  ]);
  expect(out).toMatch(/DIFFERENCE after [1-4] steps/);
  expect(out).toContain("/newlyGrantedRights");
  expect(out).not.toContain("hush");
  expect(exitCode).toBe(1);
  await node.close();
});

test.each([
  [["explore"], 2, /needs a target: --ledger URL/],
  [["explore", "--ledger", "ftp://x"], 2, /not an http or https URL/],
  [["explore", "--ledger", "http://127.0.0.1:1"], 3, /cannot be reached/],
  [["explore", "--ledger", "http://127.0.0.1:1", "--steps", "0"], 2, /--steps 0: out of range\. Use 1 to 10000000\./],
  [["explore", "--ledger", "http://127.0.0.1:1", "--auth", "barer"], 2, /Did you mean "bearer"/],
  [["explore", "--ledger", "http://127.0.0.1:1", "--path", "1:2"], 2, /--path needs the --seed of the same run/],
])("%j ends with exit code %d and the reason", async (words, code, message) => {
  const { exitCode, error } = await understudy(words);
  expect(error).toMatch(message);
  expect(exitCode).toBe(code);
});

test("refuses a stub that serves another scenario", async () => {
  const { url } = await serving(["scenarios/paging.arazzo.yaml"]);
  const wrong = await understudy(["explore", "--ledger", url]);
  expect(wrong).toMatchObject({ exitCode: 2, error: expect.stringContaining("serves the scenario paging") });
  const right = await understudy(["explore", "scenarios/paging.arazzo.yaml", "--ledger", url, "--steps", "200"]);
  expect(right).toMatchObject({ exitCode: 0, out: expect.stringContaining("No difference.") });
});

test.each(["user", "none"])("uses the authentication mode of the target: %s", async (mode) => {
  const { url } = await serving(["--auth", mode]);
  const { exitCode, out } = await understudy(["explore", "--ledger", url, "--steps", "300", "--seed", "5"]);
  expect(out).toContain("No difference.");
  expect(exitCode).toBe(0);
});

test("requires a token if the target verifies tokens", async () => {
  const { url } = await serving(["--auth", "jwt", "--start", "now"]);
  const words = ["explore", "--ledger", url, "--steps", "200", "--seed", "5"];
  expect(await understudy(words)).toMatchObject({ exitCode: 2, error: expect.stringContaining("verifies tokens") });
  const { out: token } = await understudy(["token", "--user", "participant_admin"]);
  const { exitCode, out } = await understudy([...words, "--token", token.trim()]);
  expect(out).toContain("No difference.");
  expect(out).not.toContain(token.trim());
  expect(exitCode).toBe(0);
});

test("Ctrl-C stops and prints the results so far", async () => {
  const { url } = await serving([]);
  const command = started(["explore", "--ledger", url, "--steps", "1000000"]);
  await command.printed(/Target: /);
  command.stop();
  const { exitCode, out } = await command.ended;
  expect(out).toMatch(/Stopped after \d+ steps in \d+ sequences/);
  expect(exitCode).toBe(130);
});
