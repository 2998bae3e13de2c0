import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readOptions } from "../../src/cli/options.ts";
import { run } from "../../src/cli/run.ts";
import { withControl } from "../../src/control/control.ts";
import type { Handler } from "../../src/http/handler.ts";
import { parseJson } from "../../src/http/json.ts";
import type { Response } from "../../src/http/response.ts";
import { diskFiles } from "../../src/library/files.ts";
import { hostScenario } from "../../src/library/host-scenario.ts";
import { loadScenario, type Scenario } from "../../src/scenario/load-scenario.ts";
import { startServer } from "../../src/server/http-server.ts";
import { root } from "./_command-line.ts";

type Fault = (answer: Response) => Response;

const faults: readonly (readonly [string, Fault])[] = [
  ["another status", (answer) => ({ ...answer, status: answer.status === 200 ? 206 : 500 })],
  ["another media type", (answer) => ({ ...answer, headers: [["Content-Type", "application/xml"]] })],
  ["an empty body", (answer) => ({ ...answer, body: new Uint8Array() })],
  ["members of another type", (answer) => ({ ...answer, body: encode(JSON.stringify(illTyped(textOf(answer)))) })],
  ["half a body", (answer) => ({ ...answer, body: answer.body.slice(0, Math.floor(answer.body.length / 2)) })],
];

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function textOf({ body }: Response): string {
  return new TextDecoder().decode(body);
}

/** Every member that is there has a type that it must not have. */
function illTyped(text: string): unknown {
  const value: unknown = text.startsWith("{") ? parseJson(text) : {};
  return Object.fromEntries(Object.keys(Object(value)).map((name) => [name, 7]));
}

function load(file: string): Scenario {
  const result = loadScenario(join(root, "scenarios", file), diskFiles);
  if (result.type === "mistaken") throw new Error(JSON.stringify(result.mistakes));
  return result.scenario;
}

/** A stub over HTTP whose nth documented answer is spoilt; how many answers it gave. */
async function serveSpoilt(scenario: Scenario, nth: number, fault: Fault) {
  const profile = { ledger: "document", registry: "document" };
  const stub = withControl(hostScenario(scenario, { profile, wallNowMs: () => 0 }), new Set(["127.0.0.1"]));
  const count = { answers: 0 };
  const handler: Handler = async (request) => {
    const answer = await stub(request);
    if (request.target.startsWith("/__understudy") || answer.type === "broken") return answer;
    count.answers += 1;
    return count.answers === nth ? fault(answer) : answer;
  };
  const settings = { host: "127.0.0.1", port: 0, bodyBytesMax: 1_000_000, isCorsAllowed: false };
  return { server: await startServer({ ...settings, handler, onFault: () => undefined }), count };
}

async function runAgainst(file: string, url: string) {
  const lines: string[] = [];
  const words = [join(root, "scenarios", file), "--against", url, "--profile", "document"];
  const exitCode = await run.run(readOptions(run, words, {}), {
    variables: {},
    isTerminal: false,
    print: (text) => lines.push(text),
    printError: (text) => lines.push(text),
    stopped: new Promise(() => undefined),
  });
  return { exitCode, out: lines.join("\n") };
}

const files = readdirSync(join(root, "scenarios"));

test.each(files.flatMap((file) => faults.map(([name, fault]) => [file, name, fault] as const)))(
  "%s turns red when any one answer has %s",
  async (file, _name, fault) => {
    const scenario = load(file);
    for (let nth = 1; ; nth += 1) {
      const { server, count } = await serveSpoilt(scenario, nth, fault);
      const { exitCode, out } = await runAgainst(file, server.url);
      await server.close();
      if (count.answers < nth) {
        expect([nth > 1, exitCode]).toEqual([true, 0]);
        return;
      }
      expect([nth, exitCode]).toEqual([nth, 1]);
      expect(out).toMatch(/^\s+FAIL .+/m);
      expect(out).toMatch(/^\s+section {3}[\d.]+ of the document$/m);
      expect(out).toMatch(/^\s+at {8}(?:\(the answer\)|\/\S*)$/m);
      expect(out).toContain(`'${server.url}/`);
    }
  },
);
