import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readOptions } from "../../src/cli/options.ts";
import { run } from "../../src/cli/run.ts";
import { accessBy } from "../../src/control/access.ts";
import { withControl } from "../../src/control/control.ts";
import type { Handler } from "../../src/http/handler.ts";
import { mediaType } from "../../src/http/header.ts";
import { parseJson } from "../../src/http/json.ts";
import type { Response } from "../../src/http/response.ts";
import { diskFiles } from "../../src/library/files.ts";
import { hostScenario } from "../../src/library/host-scenario.ts";
import { loadScenario, type Scenario } from "../../src/scenario/load-scenario.ts";
import { startServer } from "../../src/server/http-server.ts";
import { impliedRegistryProfile } from "../../src/spec/spec.ts";
import { inProcess, root } from "./_command-line.ts";

type Fault = (answer: Response) => Response;

const faults: readonly (readonly [string, Fault])[] = [
  ["another status", (answer) => ({ ...answer, status: answer.status === 200 ? 206 : 500 })],
  ["another media type", (answer) => ({ ...answer, headers: [["Content-Type", "application/xml"]] })],
  ["an empty body", (answer) => ({ ...answer, body: new Uint8Array() })],
  ["another content", (answer) => ({ ...answer, body: encode(isText(answer) ? "no" : illTyped(textOf(answer))) })],
  [
    "half a body",
    (answer) => ({ ...answer, body: answer.body.slice(0, isText(answer) ? 3 : Math.floor(answer.body.length / 2)) }),
  ],
];

function isText({ headers }: Response): boolean {
  return mediaType(headers) === "text/plain";
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function textOf({ body }: Response): string {
  return new TextDecoder().decode(body);
}

/** Every member that is there has a type that it must not have. */
function illTyped(text: string): string {
  const members = Object.keys(Object(parseJson(text))).map((name) => [name, 7]);
  return JSON.stringify(Object.fromEntries(members));
}

function load(file: string): Scenario {
  const result = loadScenario(join(root, "scenarios", file), diskFiles);
  if (result.type === "mistaken") throw new Error(JSON.stringify(result.mistakes));
  return result.scenario;
}

/** A stub over HTTP whose nth documented answer is spoilt; how many answers it gave. */
async function serveSpoilt(scenario: Scenario, ledger: string, nth: number, fault: Fault) {
  const profile = { ledger, registry: impliedRegistryProfile(ledger) };
  const stub = withControl(hostScenario(scenario, { profile, wallNowMs: () => 0 }), accessBy("127.0.0.1"));
  const count = { answers: 0 };
  const handler: Handler = async (request) => {
    const answer = await stub(request);
    if (request.target.startsWith("/__understudy") || answer.type === "broken") return answer;
    count.answers += 1;
    return count.answers === nth ? fault(answer) : answer;
  };
  const settings = { host: "127.0.0.1", port: 0, isCorsAllowed: false };
  return { server: await startServer({ ...settings, handler, onFault: () => undefined }), count };
}

async function runAgainst(file: string, ledger: string, url: string) {
  const lines: string[] = [];
  const words = [join(root, "scenarios", file), "--against", url, "--profile", ledger];
  const exitCode = await run.run(readOptions(run, words, inProcess), {
    ...inProcess,
    print: (text) => lines.push(text),
    printError: (text) => lines.push(text),
  });
  return { exitCode, out: lines.join("\n") };
}

const files = readdirSync(join(root, "scenarios"));

const profiles = ["document", "canton-3.5"];

test.each(files.flatMap((file) => profiles.map((ledger) => [file, ledger] as const)))(
  "%s in %s turns red when any one answer is spoilt",
  async (file, ledger) => {
    const scenario = load(file);
    for (const [name, fault] of faults)
      for (let nth = 1; ; nth += 1) {
        const { server, count } = await serveSpoilt(scenario, ledger, nth, fault);
        const { exitCode, out } = await runAgainst(file, ledger, server.url);
        await server.close();
        if (count.answers < nth) {
          expect([name, nth > 1, exitCode]).toEqual([name, true, 0]);
          break;
        }
        expect([name, nth, exitCode]).toEqual([name, nth, 1]);
        expect(out).toMatch(/^\s+FAIL [a-z]+(?:-[a-z0-9]+)+: /m);
        expect(out).toMatch(/^\s+section {3}[\d.]+ of the document$/m);
        expect(out).toMatch(/^\s+at {8}(?:\(the answer\)|\/\S*)$/m);
        expect(out).toContain(`'${server.url}/`);
      }
  },
);

test("a well-formed answer with another value turns a scenario red, and says where", async () => {
  const withoutFirst: Fault = (answer) => {
    const { users, ...others } = JSON.parse(textOf(answer));
    return { ...answer, body: encode(JSON.stringify({ users: users.slice(1), ...others })) };
  };
  const { server } = await serveSpoilt(load("quickstart.arazzo.yaml"), "document", 1, withoutFirst);
  const { exitCode, out } = await runAgainst("quickstart.arazzo.yaml", "document", server.url);
  await server.close();
  expect(exitCode).toBe(1);
  expect(out).toContain("FAIL step-criterion: list-users: $response.body#/users/0/id == 'alice' does not hold");
  expect(out).toContain("at        /users/0/id");
});

test("what a target sends drives no terminal", async () => {
  const evil: Fault = (answer) => ({ ...answer, body: encode('{"users":"\\u009b31mEVIL\\u202e"}') });
  const { server } = await serveSpoilt(load("quickstart.arazzo.yaml"), "document", 1, evil);
  const { out } = await runAgainst("quickstart.arazzo.yaml", "document", server.url);
  await server.close();
  expect(out).toContain("EVIL");
  expect(out).not.toMatch(/[\u009b\u202e]/);
});
