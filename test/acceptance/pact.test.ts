import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { eventsIn, root, running, temporaryFolder, understudy } from "./_command-line.ts";
import { runPact, sessionLimitMs } from "./_run-pact.ts";
import { pactOf } from "./_written-pact.ts";

function statesServed(...words: readonly string[]) {
  return running(["pact", "states", "--port", "0", ...words]);
}

const folder = temporaryFolder();
const green = ["green", "green-v3", "green-v2"];
const red = ["wrong-status", "wrong-media-type", "unknown-member", "missing-member", "unknown-state"];
const pact = (provider: string) => join(folder, `wallet-${provider}.json`);
const scenarios = readdirSync(join(root, "scenarios")).map((name) => `scenarios/${name}`);
const written = (scenario: string) => join(folder, `${basename(scenario)}.json`);

/** Results of Pact's mock server and verifier, in one session each: by file, `green` or the problem. */
async function verdictsOfPact(): Promise<{
  readonly of: (file: string) => string;
  readonly states: readonly object[];
}> {
  const states = await statesServed(...scenarios, "--json");
  await runPact("consume", folder);
  for (const scenario of scenarios) writeFileSync(written(scenario), JSON.stringify((await pactOf(scenario)).pact));
  const results = join(folder, "results");
  await runPact("verify", states.url, results, ...[...green, ...red].map(pact), ...scenarios.map(written));
  const ended = states.end();
  const verdicts: Readonly<Record<string, string>> = JSON.parse(readFileSync(results, "utf8"));
  return { of: (file) => verdicts[file] ?? "missing", states: eventsIn((await ended).out) };
}

let verdicts: Awaited<ReturnType<typeof verdictsOfPact>>;
beforeAll(async () => {
  verdicts = await verdictsOfPact();
}, 2 * sessionLimitMs);

test("pact check and Pact's verifier agree: both accept correct Pacts and refuse each faulty one", async () => {
  for (const name of green) expect(verdicts.of(pact(name))).toBe("green");
  for (const name of red) expect(verdicts.of(pact(name))).toMatch(/^red: /);
  const [accepted, refused] = await Promise.all([
    understudy(["pact", "check", ...green.map(pact)]),
    understudy(["pact", "check", "--json", ...red.map(pact)]),
  ]);
  expect([accepted.exitCode, refused.exitCode]).toEqual([0, 1]);
  const contradictions = eventsIn(refused.out).filter(({ outcome }) => outcome === "contradicts");
  expect(
    contradictions.map(({ file, findings: [{ at, pointer, expected, actual }] }) => [
      file,
      at + pointer,
      expected,
      actual,
    ]),
  ).toEqual([
    [pact("wrong-status"), "response", "one of 200, 400, default", "201"],
    [pact("wrong-media-type"), "response", "text/plain", "application/json"],
    [
      pact("unknown-member"),
      "response/vettedSince",
      "the response has only the members packageStatus",
      'the member "vettedSince"',
    ],
    [pact("missing-member"), "request/userId", expect.stringContaining("the member /userId"), expect.any(String)],
  ]);
});

test("pact states reports an unknown provider state", () => {
  expect(verdicts.states[0]).toMatchObject({ event: "ready", providerStates: expect.arrayContaining(["rights"]) });
  expect(verdicts.states).toContainEqual(
    expect.objectContaining({
      event: "provider-state",
      outcome: "refused",
      problem: 'Unknown provider state "alice is no adminstrator". Did you mean "alice is no administrator"?',
    }),
  );
});

test.each(scenarios)("Pact's verifier accepts the Pact written from %s", (scenario) => {
  expect(verdicts.of(written(scenario))).toBe("green");
});

test("pact states runs hooks for a real node", async () => {
  const notes = join(temporaryFolder(), "notes").replaceAll("\\", "/");
  const values = ["ACTION", "STATE", "PARAMS", "LEDGER"].map((name) => `process.env.UNDERSTUDY_${name}`).join(", ");
  const hook = `"${process.execPath}" -e "require('fs').appendFileSync('${notes}', [${values}].join(' '))"`;
  const states = await statesServed("--ledger", "http://127.0.0.1:7", "--hook", `alice may act=${hook}`);
  expect(states.ready).toContain('providerBaseUrl: "http://127.0.0.1:7"');
  const body = '{"state":"alice may act","action":"setup","params":{"user":"alice"}}';
  const response = await fetch(`${states.url}/__understudy/provider-states`, { method: "POST", body });
  expect(response.status).toBe(200);
  expect(readFileSync(notes, "utf8")).toBe('setup alice may act {"user":"alice"} http://127.0.0.1:7');
});
