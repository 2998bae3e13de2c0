import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { readNames } from "../../src/entrypoints/cli/redaction/names-file.ts";
import type { Exchange } from "../../src/foundation/http/exchange.ts";
import { createRedactor, createRestorer } from "../../src/recordings/redaction/redactor.ts";
import { runScenario } from "../../src/scenarios/files/run-scenario.ts";
import { ResponseComparison } from "../../src/scenarios/inference/response-comparison.ts";
import { sendOverHttp } from "../../src/transport/client/send-over-http.ts";
import { exchangesIn } from "../_recorded-exchanges.ts";
import { scenarioOf, stepsOf } from "../_scenario.ts";
import { listening } from "../_server.ts";
import { recording, temporaryFolder, understudy } from "./_command-line.ts";
import { playing } from "./_inferred.ts";
import { expectPlanned, isPlayed, participantOf } from "./_inferred-trip.ts";
import { releaseFor, replaying, scenarioNames, shownResponse } from "./_replayed.ts";

const flags = [[], ["--keep-ids"]] as const;

/** Each scenario, recorded with the default flags and with ids. */
export const trips: readonly (readonly [name: string, flags: readonly string[]])[] = scenarioNames.flatMap((name) =>
  flags.map((given) => [name, given] as const),
);

/** Scenarios whose recording `check` calls incomplete: no operation of the spec succeeds. */
const incomplete: readonly string[] = ["localnet", "paused-instrument", "user-errors"];

/** Which ids a client of a replay sends: its own, those of earlier responses, or both. */
const clients: readonly ((nth: number) => "own" | "shown")[] = [
  () => "own",
  () => "shown",
  (nth) => (nth % 2 === 0 ? "own" : "shown"),
  (nth) => (nth % 2 === 0 ? "shown" : "own"),
];

/** Records a scenario, checks and replays the recording, imports it, and runs what was imported. */
export async function expectRoundTrip(name: string, given: readonly string[]): Promise<void> {
  const folder = temporaryFolder();
  const sent = await record(name, given, folder);
  const har = readFileSync(join(folder, "x.har"));
  const recorded = await exchangesIn(har);
  expect(recorded.length).toBe(sent.length);
  const checked = await understudy(["check", "x.har", "--profile", releaseFor(scenarioOf(name))], { folder });
  expect([checked.exitCode, checked.out]).toEqual([incomplete.includes(name) ? 5 : 0, checked.out]);
  for (const sends of clients) await expectReplay(har, sent, { recorded, folder, sends });
  const [planned, differing]: [string[], string[]] = [[], []];
  for (const world of new Set(recorded.map(participantOf))) {
    const trip = await importedTrip(world, recorded, folder);
    planned.push(...trip.planned);
    differing.push(...trip.differing);
  }
  expect(differing).toEqual([]);
  expectPlanned(name, planned);
}

/** The exchanges of a scenario's steps as the client sees them; `understudy record` writes the recording and its names. */
async function record(name: string, given: readonly string[], folder: string): Promise<readonly Exchange[]> {
  const scenario = scenarioOf(name);
  const release = releaseFor(scenario);
  const onFault = (fault: unknown) => {
    throw fault;
  };
  const { url } = await listening(playing(scenario, release), { onFault });
  const targets = ["--ledger", url, "--registry", url, "--profile", release];
  const proxy = await recording([...targets, "--out", "x.har", "--names", "names.json", ...given], { folder });
  const client = sendOverHttp(proxy.url, 120_000);
  const steps = await runScenario(scenario, { handler: client, hasControl: true, nowMs: Date.now });
  client.close();
  await proxy.end();
  return steps.flatMap(({ exchange }) => exchange ?? []);
}

interface ReplayTrip {
  readonly recorded: readonly Exchange[];
  readonly folder: string;
  readonly sends: (nth: number) => "own" | "shown";
}

/** Expects the exchanges that a client saw from a replay of their recording. Pseudonyms in its responses are restored before they are compared. */
async function expectReplay(
  har: Uint8Array,
  sent: readonly Exchange[],
  { recorded, folder, sends }: ReplayTrip,
): Promise<void> {
  const restored = createRestorer(readNames({ name: "names.json", path: join(folder, "names.json") }));
  const withoutSecrets = createRedactor({ keepsIds: true }).redact;
  const { send, events, replayer } = await replaying(har);
  for (const [nth, exchange] of sent.entries()) {
    const shown = recorded[nth] ?? exchange;
    const response = await send(sends(nth) === "own" ? exchange.request : shown.request);
    expect(events.at(-1)).toMatchObject({ outcome: "matched", number: nth + 1 });
    expect(shownResponse(restored({ ...exchange, response }).response)).toEqual(
      shownResponse(withoutSecrets(exchange).response),
    );
  }
  expect(replayer.summary).toMatchObject({ matched: sent.length, unmatched: 0, neverRequested: 0 });
}

interface ImportedTrip {
  readonly planned: readonly string[];
  /** Where a response does not equal the recorded one. */
  readonly differing: readonly string[];
}

/** Imports a world of a recording and runs the scenario. */
async function importedTrip(world: string, recorded: readonly Exchange[], folder: string): Promise<ImportedTrip> {
  const out = `${world}.arazzo.yaml`;
  const imported = await understudy(["import", "x.har", "--world", world, "--out", out, "--json"], { folder });
  expect(imported).toMatchObject({ exitCode: 0, error: "" });
  expect(await understudy(["run", out], { folder })).toMatchObject({ exitCode: 0 });
  const results = await stepsOf(scenarioOf(join(folder, out)));
  const own = recorded.filter((exchange) => isPlayed(exchange) && participantOf(exchange) === world);
  expect(results.length).toBe(own.length);
  const comparison = new ResponseComparison();
  const differing = results.flatMap(({ exchange, outcome }, place) => {
    const { request, response } = own[place] ?? {};
    if (exchange === undefined || request === undefined || response === undefined)
      return [`step ${place + 1}: no response`];
    const isControl = request.target.includes("__understudy");
    const difference = comparison.difference(response, exchange.response, isControl);
    if (difference === undefined && outcome === "passed") return [];
    const where = difference === undefined ? outcome : `${difference.aspect} ${difference.pointer}`;
    return [`${world}, step ${place + 1} (${request.method} ${request.target}): ${where}`];
  });
  return { planned: JSON.parse(imported.out).planned, differing };
}
