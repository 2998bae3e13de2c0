import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { playScenario } from "../../src/entrypoints/cli/play-scenario.ts";
import type { PlayedScenario } from "../../src/entrypoints/export/played-scenario.ts";
import { renderers } from "../../src/entrypoints/export/renderers.ts";
import { impliedRegistryProfile, knownProfiles } from "../../src/foundation/spec/spec.ts";
import { loopbackAccess } from "../../src/stub/control/access.ts";
import { withControl } from "../../src/stub/control/control.ts";
import { startServer } from "../../src/transport/server/http-server.ts";
import { hostingOf, scenarioFiles, scenarioOf } from "../_scenario.ts";
import { onLoopback } from "../_server.ts";
import { root, temporaryFolder, understudy } from "./_command-line.ts";

const execute = promisify(execFile);

async function playedFrom(file: string, profile = profileOf(file)): Promise<PlayedScenario> {
  const names = knownProfiles({ ledger: profile, registry: impliedRegistryProfile(profile) });
  const play = await playScenario(scenarioOf(file, { profile }), names, { folder: root });
  if (play.type === "ended") throw new Error(JSON.stringify(play.step.reason));
  return play.played;
}

/** The spec, or the release of a scenario that the spec does not allow. */
function profileOf(file: string): string {
  const { profiles, profile } = scenarioOf(file);
  return profiles.includes("spec") ? "spec" : profile;
}

/** The scenario behind a socket, with its journal. */
async function served(file: string, profile: string) {
  const hosting = hostingOf(scenarioOf(file, { profile }));
  const server = await startServer({ ...onLoopback, handler: withControl(hosting, loopbackAccess) });
  const journal = hosting.worlds.get("default")?.journal;
  return { url: server.url, journal, [Symbol.asyncDispose]: () => server.close() };
}

function rendered(form: "markdown" | "curl" | "har" | "pact", played: PlayedScenario): string {
  return renderers[form]?.render(played) ?? "";
}

/** The lines of the one diagram in a page. */
function diagramOf(page: string): readonly string[] {
  return (/^```mermaid\n([\s\S]*?)\n```$/m.exec(page)?.[1] ?? "").split("\n");
}

const diagramLine =
  /^ {2}(?:participant (?:client|ledger|registry|control)|client->>(?:ledger|registry|control): \S.*|(?:ledger|registry|control)(?:-->>|--x)client: \S.*|Note over (?:ledger|registry|control)(?:,\w+)?: \S.*)$/;

test.each(scenarioFiles)(
  "the page of %s is always the same, and its diagram has each request and response",
  async (file) => {
    const [one, two] = [await playedFrom(file), await playedFrom(file)];
    const page = rendered("markdown", one);
    expect(rendered("markdown", two)).toBe(page);
    for (const form of ["curl", "har"] as const) expect(rendered(form, two)).toBe(rendered(form, one));
    const [first, ...lines] = diagramOf(page);
    expect(first).toBe("sequenceDiagram");
    expect(lines.filter((line) => !diagramLine.test(line))).toEqual([]);
    expect(lines.filter((line) => line.includes("client->>"))).toHaveLength(one.steps.length);
    expect(lines.filter((line) => /--(?:>>|x)client/.test(line))).toHaveLength(one.steps.length);
    const headings = [...page.matchAll(/^### \d+\. (.+)$/gm)].map(([, name]) => name);
    expect(headings).toEqual(one.steps.map(({ stepId }) => stepId));
    expect(page.match(/^`{3,}/gm)?.length ?? 1).toSatisfy((count: number) => count % 2 === 0);
    expect(page).not.toContain("Bearer");
  },
);

test("the diagram has planned events between the requests where they happen", async () => {
  const byTime = diagramOf(rendered("markdown", await playedFrom("reassignment-by-time.arazzo.yaml")));
  const texts = byTime.map((line) => /(?:Note|: (?:\d|before|during|after|thirty|twelve)).*/.exec(line)?.[0] ?? "");
  expect(texts.filter((line) => line !== "").map((line) => line.slice(0, 24))).toEqual([
    ": before: POST /registry",
    ": 200",
    ": thirty-seconds-later: ",
    ": 200",
    "Note over registry,contr",
    ": during: POST /registry",
    ": 409",
    ": twelve-seconds-later: ",
    ": 200",
    "Note over registry,contr",
    ": after: POST /registry/",
    ": 200",
  ]);
  const byCalls = diagramOf(rendered("markdown", await playedFrom("reassignment-by-calls.arazzo.yaml")));
  const notes = byCalls.flatMap((line, index) => (line.includes("Note over") ? [[index, line.trim()]] : []));
  expect(notes).toEqual([
    [5, "Note over registry: the reassignment of external-party-amulet-rules to synchronizer-b begins"],
    [10, "Note over registry: external-party-amulet-rules is assigned to synchronizer-b"],
  ]);
});

/** Runs the exported lines in a shell. Resolves to their output. */
async function ranInShell(script: string, url: string, folder: string): Promise<string> {
  const env = { PATH: process.env["PATH"] ?? "", LEDGER: url };
  return (await execute("sh", ["-c", script], { cwd: folder, env })).stdout;
}

test.concurrent.each([
  ["onboarding-to-transfer.arazzo.yaml", "spec"],
  ["paging.arazzo.yaml", "canton-3.5"],
  ["reassignment-by-steps.arazzo.yaml", "spec"],
  ["reassignment-by-time.arazzo.yaml", "spec"],
  ["user-errors.arazzo.yaml", "canton-3.5"],
  ["registry-errors.arazzo.yaml", "spec"],
])("a shell runs the curl lines of %s in %s against a served stub, with the same statuses", async (file, profile) => {
  const played = await playedFrom(file, profile);
  await using stub = await served(file, profile);
  const out = await ranInShell(rendered("curl", played), stub.url, temporaryFolder());
  const statuses = played.steps.map(({ stepId, exchange: { response } }) => {
    const status = response.type === "response" ? response.status : 0;
    return `${status} ${stepId}`;
  });
  expect(out.trimEnd().split("\n")).toEqual(statuses);
});

/** A scenario with texts that have a meaning in shells, Markdown and Mermaid. */
const hostile = `arazzo: 1.0.1
info: { title: "a\\n# b \`\`\` <script> $(touch pwned) '; touch pwned #", version: 1.0.0, description: "|--|\\n\`\`\`\\n$(touch pwned)" }
sourceDescriptions: [{ name: ledger, url: ${root}contracts/ledger-json-api.yaml, type: openapi }]
workflows:
  - workflowId: w
    x-understudy:
      given: { ledger: ledger.yaml, registry: ${root}fixtures/registries/amulet.yaml }
      plan: [{ on: getV2Users, nth: 2, deactivateUser: zed }]
    steps:
      - stepId: first
        description: "'; touch pwned; echo '\\ntouch pwned"
        operationId: $sourceDescriptions.ledger.getV2Users
        parameters:
          - { name: Authorization, in: header, value: "Bearer $(touch\${IFS}pwned)'" }
        successCriteria: [{ condition: $statusCode == 200 }]
        outputs: { id: "$response.body.users[0].id", all: $response.body#/users/0, said: $response.body#/users/0/metadata/annotations/said, status: $statusCode, type: $response.header.content-type }
      - stepId: second
        operationId: $sourceDescriptions.ledger.postV2UsersUser-idRights
        parameters:
          - { name: user-id, in: path, value: $steps.first.outputs.id }
          - { name: Authorization, in: header, value: "Bearer any" }
          - { name: X-Other, in: header, value: "{$steps.first.outputs.id}'$(touch pwned)\`touch pwned\`" }
        requestBody:
          contentType: application/json
          payload: { userId: $steps.first.outputs.id, rights: [], note: "'{$steps.first.outputs.said}'$(touch pwned)\`touch pwned\`", whole: $steps.first.outputs.all, seen: [ $steps.first.outputs.status, $steps.first.outputs.type ] }
        successCriteria: [{ condition: $statusCode == 200 }]
      - stepId: third
        operationId: $sourceDescriptions.ledger.getV2Users
        parameters:
          - { name: pageToken, in: query, value: "a$(touch pwned)';touch pwned;'" }
        successCriteria: [{ condition: $statusCode != 200 }]
`;

test("texts of a scenario stay inside their shell line, diagram or block, and outputs are sent unchanged", async () => {
  const folder = temporaryFolder();
  const scenario = join(folder, "hostile.yaml");
  writeFileSync(scenario, hostile);
  writeFileSync(
    join(folder, "ledger.yaml"),
    'participantId: p::1220ab\nidentityProviders: [{ id: i, issuer: i, jwksUrl: j }]\nusers: [{ id: "o\'hara@`x`$1#|(a)", annotations: { said: "it\'s" } }, { id: zed }]\n',
  );
  const played = await playedFrom(scenario);
  await using stub = await served(scenario, "spec");
  const out = await ranInShell(rendered("curl", played), stub.url, folder);
  expect(out).toMatch(/^200 first\n200 second\n4\d\d third\n$/);
  expect(existsSync(join(folder, "pwned"))).toBe(false);
  const [sent, original] = [stub.journal?.exchanges[1], played.steps[1]?.exchange];
  if (sent === undefined || original === undefined) throw new Error("both were sent");
  expect(sent.request.target).toBe(original.request.target);
  expect(JSON.parse(sent.request.body.text())).toEqual(JSON.parse(original.request.body.text()));
  const header = (request: { readonly headers: readonly (readonly [string, string])[] }) =>
    request.headers.find(([name]) => name.toLowerCase() === "x-other")?.[1];
  expect(header(sent.request)).toBe(header(original.request));
  const page = rendered("markdown", played);
  expect(page.match(/^#+ .*$/gm)).toHaveLength(4 + played.steps.length);
  expect(page).not.toContain("\n<script>");
  const [, ...lines] = diagramOf(page);
  expect(lines.filter((line) => !diagramLine.test(line))).toEqual([]);
});

test("export prints one scenario, writes several to a folder, and replaces no file without --force", async () => {
  const folder = temporaryFolder();
  const [rights, paging] = ["rights", "paging"].map((name) => join(root, `scenarios/${name}.arazzo.yaml`));
  if (rights === undefined || paging === undefined) throw new Error("two scenarios");
  const printed = await understudy(["export", rights], { folder });
  expect(printed).toMatchObject({ exitCode: 0, error: "" });
  expect(printed.out).toMatch(/^# \S/);
  mkdirSync(join(folder, "out"));
  const written = await understudy(["export", rights, paging, "--to", "har", "--out", "out"], { folder });
  expect(written).toMatchObject({ exitCode: 0, out: "" });
  expect(readdirSync(join(folder, "out")).sort()).toEqual(["paging.har", "rights.har"]);
  const checked = await understudy(["check", "out/rights.har", "out/paging.har", "--profile", "spec"], { folder });
  expect(checked.out).toContain("The check passes");
  expect(readFileSync(join(folder, "out/paging.har"), "utf8")).not.toContain("Bearer any");
  const again = await understudy(["export", rights, "--to", "har", "--out", "out"], { folder });
  expect(again).toMatchObject({ exitCode: 2, out: "" });
  expect(again.error).toContain("rights.har exists. Write elsewhere, or replace it with --force.");
});

const [rightsFile, vettingFile] = ["rights", "vetting"].map((name) => join(root, `scenarios/${name}.arazzo.yaml`));

test.each([
  ["an unknown format", [rightsFile, "--to", "pdf"], "--to pdf: unknown value. Use markdown, curl, har"],
  ["several scenarios without a folder", [rightsFile, vettingFile], "--out FOLDER"],
  ["a scenario that does not pass", ["failing.yaml"], "the step users does not pass: "],
])("export refuses %s with advice", async (_, words, message) => {
  const folder = temporaryFolder();
  const text = readFileSync(join(root, "scenarios/quickstart.arazzo.yaml"), "utf8");
  const failing = text.replaceAll("../", root).replace("list-users", "users").replace("== 200", "== 201");
  writeFileSync(join(folder, "failing.yaml"), failing);
  const ran = await understudy(["export", ...words.map(String)], { folder });
  expect(ran).toMatchObject({ exitCode: 2, out: "" });
  expect(ran.error).toContain(message);
});

test("export --to pact gives the same as pact write", async () => {
  const file = join(root, "scenarios/rights.arazzo.yaml");
  const [exported, written] = await Promise.all([
    understudy(["export", file, "--to", "pact"]),
    understudy(["pact", "write", file]),
  ]);
  expect(JSON.parse(exported.out).interactions).toHaveLength(2);
  expect(exported.out).toBe(written.out);
});
