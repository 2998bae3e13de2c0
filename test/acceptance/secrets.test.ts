import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commands } from "../../src/entrypoints/cli/commands.ts";
import { readOptions } from "../../src/entrypoints/cli/options.ts";
import { startUnderstudy } from "../../src/entrypoints/library/start-understudy.ts";
import type { Understudy } from "../../src/entrypoints/library/understudy.ts";
import { toConform } from "../../src/entrypoints/testing/conform.ts";
import { toHaveReceived } from "../../src/entrypoints/testing/received.ts";
import { Body } from "../../src/foundation/http/body.ts";
import type { Exchange } from "../../src/foundation/http/exchange.ts";
import { harEntry } from "../../src/recordings/har/har-entry.ts";
import { endOfTest } from "../../src/stub/control/end-of-test.ts";
import { timeline } from "../../src/stub/journal/timeline.ts";
import { inProcess, temporaryFolder } from "./_command-line.ts";
import { leaksIn, responded, secrets, send, sent } from "./_secrets.ts";

const folder = temporaryFolder();
const file = (name: string) => join(folder, name);

/** The library's stub after all the requests, and a node that gives secrets away. */
let stub: Understudy;
let node: string;
let raw: string;
const ends: (() => unknown)[] = [];

beforeAll(async () => {
  stub = await startUnderstudy({ profile: "canton-3.5" });
  node = await startNode();
  for (const each of sent) await send(stub.ledgerUrl, each);
  raw = file("raw.har");
  const entries = [...stub.journal, ...stub.journal.slice(0, 2).map(givenAway)].map((exchange) => harEntry(exchange));
  const creator = { name: "a browser", version: "1" };
  writeFileSync(raw, JSON.stringify({ log: { version: "1.2", creator, entries } }));
});

afterAll(async () => {
  for (const end of ends) end();
  await stub.close();
});

function startNode(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, responded.headers.flat());
    response.end(responded.body);
  });
  ends.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`);
    });
  });
}

function givenAway(exchange: Exchange): Exchange {
  const body = new Body(responded.body);
  return { ...exchange, response: { type: "response", status: 200, headers: responded.headers, body } };
}

/** Runs a command in this process, with what it prints; `during` is done once it is ready, and then it is stopped. */
async function ran(words: string, during?: (url: string) => Promise<unknown>): Promise<string> {
  const [name = "", ...rest] = words.split(" ");
  const listed = commands.find((command) => command.name === name);
  if (listed === undefined) throw new Error(`there is no command ${name}`);
  const command = await listed.load();
  const printed: string[] = [];
  const ready = Promise.withResolvers<string>();
  const stopped = Promise.withResolvers<void>();
  const print = (text: string) => {
    printed.push(text);
    const url = /http:\/\/[\w.]+:\d+/.exec(text)?.[0];
    if (url !== undefined && /Stop with Ctrl-C|"event":"ready"/.test(text)) ready.resolve(url);
  };
  const isServer = during !== undefined;
  const environment = {
    ...inProcess,
    print,
    printError: print,
    stopped: () => (isServer ? stopped.promise : new Promise<void>(() => undefined)),
  };
  const running = command.run(readOptions(command, rest, environment), environment).catch((error: unknown) => {
    printed.push(error instanceof Error ? error.message : String(error));
  });
  if (isServer) {
    await during(await Promise.race([ready.promise, running.then(() => "")]));
    stopped.resolve();
  }
  await running;
  return printed.join("\n");
}

const look = async (path: string) => (await fetch(`${stub.ledgerUrl}/__understudy/${path}`)).text();
const sendAll = async (url: string) => {
  for (const each of sent) await send(url, each);
};
const read = (name: string) => readFileSync(file(name), "utf8");

async function clientRulesOfServe(): Promise<string> {
  let clientRules = "";
  await ran("serve --port 0", async (url) => {
    await sendAll(url);
    clientRules = await (await fetch(`${url}/__understudy/worlds/default/client-rules`)).text();
  });
  return clientRules;
}

async function everyExchange(): Promise<string> {
  const shown = stub.journal.map((_, index) => look(`worlds/default/traffic/${index + 1}`));
  return (await Promise.all(shown)).join("\n");
}

async function everyTable(): Promise<string> {
  const names = ["users", "parties", "packages", "idps", "contracts", "holdings"];
  return (await Promise.all(names.map((name) => look(`worlds/default/tables/${name}`)))).join("\n");
}

async function recorded(): Promise<string> {
  const said = await ran(
    `record --ledger ${node} --port 0 --out ${file("new.har")} --inspector --report ${file("record.md")}`,
    sendAll,
  );
  return [said, read("new.har"), read("record.md")].join("\n");
}

async function inspectedWhileRecording(): Promise<string> {
  const shown: string[] = [];
  await ran(`record --ledger ${node} --port 0 --out ${file("seen.har")} --inspector --json`, async (url) => {
    await sendAll(url);
    shown.push(url);
  });
  return shown.join("\n") + read("seen.har");
}

/** A report of that check. */
async function reported(name: string): Promise<string> {
  await checked();
  return read(name);
}

/** One check, whose reports several tests read, whichever comes first. */
let checking: Promise<string> | undefined;
function checked(): Promise<string> {
  checking ??= ran(
    `check ${raw}${[".json", ".sarif", ".xml", ".md", ".html"].map((end) => ` --report ${file(`check${end}`)}`).join("")}`,
  );
  return checking;
}

/** A scenario whose steps hold the secrets that a person would write there; these further ones too. */
function scenarioWithSecrets(further = ""): string {
  const steps = `
      - stepId: first
        operationId: $sourceDescriptions.ledger.getV2Users
        parameters:
          - { name: Authorization, in: header, value: "Bearer ${secrets.jwt}" }
          - { name: Cookie, in: header, value: "session=${secrets.cookie}" }
        successCriteria: [{ condition: $statusCode == 200 }]
      - stepId: second
        operationId: $sourceDescriptions.ledger.getV2Users
        parameters:
          - { name: Authorization, in: header, value: "Bearer ${secrets.jwt}" }
          - { name: pageSize, in: query, value: 2 }
        successCriteria: [{ condition: $statusCode == 200 }]
`;
  const text = readFileSync("scenarios/quickstart.arazzo.yaml", "utf8").replaceAll("../", `${process.cwd()}/`);
  const additionalOperations = `  - { name: additionalOperations, url: ${process.cwd()}/contracts/additional-operations.yaml, type: openapi }`;
  const described = text.replace(/^ {2}- \{ name: registry.*$/m, (line) => `${line}\n${additionalOperations}`);
  writeFileSync(file("own.arazzo.yaml"), described.replace(/\n {4}steps:[\s\S]*$/, `\n    steps:${steps}${further}`));
  return file("own.arazzo.yaml");
}

/** A step whose body holds secrets: it stays as it is where it is sent again, and not where people read it. */
const bodyWithSecrets = `
      - stepId: third
        operationId: $sourceDescriptions.additionalOperations.postV2Users
        parameters:
          - { name: Authorization, in: header, value: "Bearer any" }
        requestBody:
          contentType: application/json
          payload:
            user: { id: zoe, metadata: { annotations: { api-key: ${secrets.annotation}, note: "Bearer ${secrets.jsonToken}" } } }
        successCriteria: [{ condition: $statusCode == 200 }]
`;

const conforming = async () => {
  const checkedExchanges = await toConform([...stub.journal, ...stub.journal.slice(0, 2).map(givenAway)]);
  return checkedExchanges.message();
};

/** Every output, with how it is got and with what it shows if it shows anything. */
const outputs: Readonly<Record<string, readonly [get: () => Promise<string> | string, shows: string]>> = {
  "the control API: worlds": [() => look("worlds"), "quickstart"],
  "the control API: journal": [() => look("worlds/default/journal"), "/v2/users"],
  "the control API: client rules": [clientRulesOfServe, "token-in-header"],
  "the inspector: traffic": [() => look("worlds/default/traffic"), "/v2/users"],
  "the inspector: exchanges, with curl lines, steps and plan entries": [everyExchange, "stepId"],
  "the inspector: tables": [everyTable, "zoe"],
  "the inspector: timeline": [() => look("worlds/default/timeline"), "operations"],
  "the inspector: verdict": [() => look("worlds/default/verdict"), "getV2Users"],
  "the inspector: report": [() => look("worlds/default/report"), "<html"],
  "serve: what it says": [() => ran("serve --port 0", sendAll), "Understudy serves"],
  "serve --json: its events": [() => ran("serve --port 0 --json", sendAll), '"event":"ready"'],
  "serve --auth jwt: what it says": [
    () => ran(`serve --port 0 --auth jwt --jwt-secret ${secrets.bearer}`, sendAll),
    "understudy token",
  ],
  "serve --control-token: what it says": [
    () => ran(`serve --port 0 --control-token ${secrets.bearer}`, sendAll),
    "requires a token",
  ],
  "record: what it says, the recording, its report": [recorded, '"log"'],
  "record --json: its events, the recording": [inspectedWhileRecording, '"log"'],
  "check: the terminal": [checked, "FAIL"],
  "check: JSON": [() => reported("check.json"), '"violations"'],
  "check: SARIF": [() => reported("check.sarif"), '"runs"'],
  "check: JUnit": [() => reported("check.xml"), "<testsuite"],
  "check: Markdown": [() => reported("check.md"), "getV2Users"],
  "check: HTML": [() => reported("check.html"), "<html"],
  "redact: what it says, what it writes": [
    async () => (await ran(`redact ${raw} --out ${file("redacted.har")}`)) + read("redacted.har"),
    '"log"',
  ],
  "replay: what it says": [() => ran(`replay ${raw} --port 0`, async (url) => sendAll(url)), "unmatched"],
  "replay --json: its events": [() => ran(`replay ${raw} --port 0 --json`, sendAll), '"outcome"'],
  "run --against: what it says, the recording": [
    async () =>
      (await ran(`run ${scenarioWithSecrets()} --against ${node} --out ${file("run.har")}`)) + read("run.har"),
    '"log"',
  ],
  "run --json: its events": [() => ran(`run ${scenarioWithSecrets()} --against ${node} --json`), '"steps"'],
  "scenario: what it says, what it writes": [
    async () => {
      mkdirSync(file("made"), { recursive: true });
      const said = await ran(`import ${raw} --out ${file("made")}`);
      return [said, ...readdirSync(file("made")).map((name) => read(join("made", name)))].join("\n");
    },
    "stepId",
  ],
  "import: the registry fixture it prints": [() => ran(`import ${raw} --registry-only`), ""],
  "export to curl": [() => ran(`export ${scenarioWithSecrets()} --to curl`), "curl -sS"],
  "export to Markdown": [() => ran(`export ${scenarioWithSecrets(bodyWithSecrets)} --to markdown`), "GET /v2/users"],
  "export to HAR": [() => ran(`export ${scenarioWithSecrets(bodyWithSecrets)} --to har`), '"log"'],
  "export to Pact": [() => ran(`export ${scenarioWithSecrets()} --to pact`), '"interactions"'],
  "errors about flags": [
    async () =>
      [
        await ran(`run scenarios/quickstart.arazzo.yaml --against http://u:${secrets.urlPassword}@127.0.0.1:1`),
        await ran(`run scenarios/quickstart.arazzo.yaml --against 127.0.0.1:1/?access_token=${secrets.queryToken}`),
        await ran(`check --ledger ftp://u:${secrets.urlPassword}@127.0.0.1:1`),
        await ran(`record --ledger http://127.0.0.1:1/?access_token=${secrets.queryToken} --out ${file("e.har")}`),
        await ran(`serve --port 0 --auth jwt --jwks https://u:${secrets.urlPassword}@a.example/keys`),
        await ran(`serve --jwt-secret ${secrets.bearer}`),
        await ran(`serve --control-token ${secrets.bearer}!`),
      ].join("\n"),
    "--against",
  ],
  "toConform: its message": [conforming, "expected"],
  "toHaveReceived: its message": [
    () =>
      toHaveReceived(stub, {
        operation: "postV2Users",
        headers: { authorization: `Bearer ${secrets.jwt}`, cookie: "x" },
        body: { token: secrets.jsonToken, user: { id: "unknown" } },
      }).message(),
    "POST /v2/users",
  ],
  "the end of a test: its problems": [
    () =>
      endOfTest(stub, { onUnexpected: "fail", clientRules: "warnings", allow: [], allowUnused: false }).problems ?? "",
    "unexpected",
  ],
  "the end of a test: its timeline": [() => timeline(stub.journal), "/v2/users"],
};

test.each(Object.entries(outputs))("%s has no secret", async (_name, [get, shows]) => {
  const text = await get();
  expect(text).toContain(shows);
  expect(leaksIn(text)).toEqual([]);
});

test("the journal of the library has what was sent to the letter, for a test to look at", () => {
  const bytes = stub.journal.map(({ request }) => request.body.text()).join("\n");
  expect(bytes).toContain(secrets.jsonToken);
  expect(JSON.stringify(stub.journal.map(({ request }) => request.headers))).toContain(secrets.jwt);
});
