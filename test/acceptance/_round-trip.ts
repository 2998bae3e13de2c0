import { expect } from "vitest";
import { Recorder } from "../../src/entrypoints/cli/record/recorder.ts";
import { appended, openingOf } from "../../src/recordings/har/recording-frame.ts";
import { createRedactor } from "../../src/recordings/redaction/redactor.ts";
import { runScenario } from "../../src/scenarios/files/run-scenario.ts";
import { sendOverHttp } from "../../src/transport/client/send-over-http.ts";
import { startProxy } from "../../src/transport/proxy/proxy.ts";
import { exchangesIn } from "../_recorded-exchanges.ts";
import { scenarioOf } from "../_scenario.ts";
import { listening } from "../_server.ts";
import { expectPlayed, inferred, playing } from "./_inferred.ts";
import { participantOf } from "./_inferred-trip.ts";
import { releaseFor, replaying, scenarioNames, shownResponse } from "./_replayed.ts";

/** The recording of a scenario's steps, sent through the proxy. */
async function recorded(name: string, keepsIds: boolean): Promise<Uint8Array> {
  const scenario = scenarioOf(name);
  const onFault = (fault: unknown) => {
    throw fault;
  };
  const { url } = await listening(playing(scenario, releaseFor(scenario)), { onFault });
  const lines: string[] = [];
  const recorder = new Recorder({
    redactor: createRedactor({ keepsIds }),
    file: {
      append: async (line) => {
        lines.push(line);
        return "written";
      },
    },
    checker: { add: () => undefined },
    warn: (sentence) => {
      throw new Error(sentence);
    },
    onRecorded: () => undefined,
  });
  const proxy = await startProxy({
    targets: { ledger: url, registry: url },
    host: "127.0.0.1",
    port: 0,
    timeoutMs: 120_000,
    bodyBytesMax: 1024 * 1024,
    bufferedBytesMax: 100_000_000,
    heldMsMax: 120_000,
    closeGraceMs: 120_000,
    nowMs: () => performance.timeOrigin + performance.now(),
    onExchange: (passed) => recorder.take(passed),
  });
  const client = sendOverHttp(proxy.url, 120_000);
  const steps = await runScenario(scenario, { handler: client, hasControl: true, nowMs: Date.now });
  client.close();
  await proxy.close();
  await recorder.idle();
  expect(lines.length).toBe(steps.filter(({ exchange }) => exchange !== undefined).length);
  return new TextEncoder().encode(`${openingOf("0.0.0")}${appended(lines, true)}`);
}

/** Responses that are planned faults: no state of a world explains them. */
const faults: Readonly<Record<string, number>> = { "commit-then-timeout": 1 };
const onboardings = ["allocate-external-party", "decentralized-party", "onboarding-to-transfer"];

/** Each scenario, how it is recorded, and the number of its planned responses. */
export const trips: readonly (readonly [name: string, how: string, planned: number])[] = [
  ...scenarioNames.map((name) => [name, "redacted", faults[name] ?? 0] as const),
  ...onboardings.map((name) => [name, "with its ids", 0] as const),
];

/** Expects the same responses from a replay of a recorded scenario and from the scenario inferred for its first participant. */
export async function expectRoundTrip(name: string, how: string, planned: number): Promise<void> {
  const har = await recorded(name, how !== "redacted");
  const before = await exchangesIn(har);
  const { send, replayer } = await replaying(har);
  for (const { request, response } of before)
    expect(shownResponse(await send(request))).toEqual(shownResponse(response));
  expect(replayer.summary).toMatchObject({ unmatched: 0 });
  const own = before.filter((exchange) => participantOf(exchange) === "default");
  const made = await inferred(own);
  expect([made.unresolved, made.planned.length, made.planned]).toEqual([[], planned, made.planned]);
  await expectPlayed(made, own);
}
