import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { readOptions } from "../../src/entrypoints/cli/options.ts";
import { run } from "../../src/entrypoints/cli/run.ts";
import { hostScenario } from "../../src/entrypoints/library/host-scenario.ts";
import { Body, emptyBody } from "../../src/foundation/http/body.ts";
import type { Handler } from "../../src/foundation/http/handler.ts";
import { mediaType } from "../../src/foundation/http/header.ts";
import type { Response } from "../../src/foundation/http/response.ts";
import { parseJson } from "../../src/foundation/json/json.ts";
import { impliedRegistryProfile } from "../../src/foundation/spec/spec.ts";
import type { Scenario } from "../../src/scenarios/files/load-scenario.ts";
import { accessBy } from "../../src/stub/control/access.ts";
import { withControl } from "../../src/stub/control/control.ts";
import { type RunningServer, startServer } from "../../src/transport/server/http-server.ts";
import { scenarioOf } from "../_scenario.ts";
import { inProcess, root } from "./_command-line.ts";

/** Alters a response. */
export type Fault = (response: Response) => Response;

const faults: readonly (readonly [string, Fault])[] = [
  ["another status", (response) => ({ ...response, status: response.status === 200 ? 206 : 500 })],
  ["another media type", (response) => ({ ...response, headers: [["Content-Type", "application/xml"]] })],
  ["an empty body", (response) => ({ ...response, body: emptyBody })],
  [
    "another content",
    (response) => ({ ...response, body: new Body(isText(response) ? "no" : illTyped(textOf(response))) }),
  ],
  [
    "half a body",
    (response) => ({
      ...response,
      body: new Body(response.body.bytes().slice(0, isText(response) ? 3 : Math.floor(response.body.size / 2))),
    }),
  ],
];

function isText({ headers }: Response): boolean {
  return mediaType(headers) === "text/plain";
}

export function textOf({ body }: Response): string {
  return body.text();
}

/** Gives every member an invalid type. */
function illTyped(text: string): string {
  const members = Object.keys(Object(parseJson(text))).map((name) => [name, 7]);
  return JSON.stringify(Object.fromEntries(members));
}

export function load(file: string): Scenario {
  return scenarioOf(file);
}

interface AlteredStub {
  readonly server: RunningServer;
  readonly count: { readonly responses: number };
}

/** A stub over HTTP that alters its nth response, and the number of its responses. Control API responses do not count. */
export async function serveAltered(
  scenario: Scenario,
  ledger: string,
  nth: number,
  fault: Fault,
): Promise<AlteredStub> {
  const profile = { ledger, registry: impliedRegistryProfile(ledger) };
  const stub = withControl(hostScenario(scenario, { profile, wallNowMs: () => 0 }), accessBy("127.0.0.1"));
  const count = { responses: 0 };
  const handler: Handler = async (request) => {
    const response = await stub(request);
    if (request.target.startsWith("/__understudy") || response.type === "broken") return response;
    count.responses += 1;
    if (count.responses !== nth) return response;
    const { type, status, headers, body } = response;
    return fault({ type, status, headers, body });
  };
  const options = { host: "127.0.0.1", port: 0, isCorsAllowed: false };
  return { server: await startServer({ ...options, handler, onFault: () => undefined }), count };
}

interface RunResult {
  readonly exitCode: number;
  readonly out: string;
}

export async function runAgainst(file: string, ledger: string, url: string): Promise<RunResult> {
  const lines: string[] = [];
  const words = [join(root, "scenarios", file), "--against", url, "--profile", ledger];
  const exitCode = await run.run(readOptions(run, words, inProcess), {
    ...inProcess,
    print: (text) => lines.push(text),
    printError: (text) => lines.push(text),
  });
  return { exitCode, out: lines.join("\n") };
}

// `run` checks only the conditions of additional operations, which these scenarios request.
const unchecked: readonly string[] = [
  "localnet.arazzo.yaml",
  "paused-instrument.arazzo.yaml",
  "two-participants.arazzo.yaml",
];
const files = readdirSync(join(root, "scenarios")).filter((file) => !unchecked.includes(file));

const profiles = ["spec", "canton-3.5"];

/** Each scenario in each profile. */
export const runs: readonly (readonly [file: string, ledger: string])[] = files.flatMap((file) =>
  profiles.map((ledger) => [file, ledger] as const),
);

/** Expects the scenario to fail if any one response is altered by any fault. */
export async function expectFailureWhenAltered(file: string, ledger: string): Promise<void> {
  const scenario = load(file);
  for (const [name, fault] of faults)
    for (let nth = 1; ; nth += 1) {
      const { server, count } = await serveAltered(scenario, ledger, nth, fault);
      const { exitCode, out } = await runAgainst(file, ledger, server.url);
      await server.close();
      if (count.responses < nth) {
        expect([name, nth > 1, exitCode]).toEqual([name, true, 0]);
        break;
      }
      expect([name, nth, exitCode]).toEqual([name, nth, 1]);
      expect(out).toMatch(/^\s+FAIL [a-z]+(?:-[a-z0-9]+)+: /m);
      expect(out).toMatch(/^\s+spec {6}§[\d.]+$/m);
      expect(out).toMatch(/^\s+at {8}(?:\(the response\)|\/\S*)$/m);
      expect(out).toContain(`"${server.url}/`);
    }
}
