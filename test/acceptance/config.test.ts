import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configuredOptions } from "../../src/entrypoints/testing/configured-options.ts";
import { splitOptions } from "../../src/entrypoints/testing/end-of-test.ts";
import { harEntry, harText } from "../_har.ts";
import { eventsIn, expectRefusal, folderOf, root, serving, understudy } from "./_command-line.ts";

const yaml = (text: string) => folderOf({ "understudy.config.yaml": text });
const scenario = join(root, "scenarios/paging.arazzo.yaml");

test("serve takes its flags from the config file, and its start line names the file", async () => {
  const folder = yaml(`serve:
  scenario: ${scenario}
  profile: canton-3.5
  noClientRules: true
  limits: { bodyBytesMax: 2048, headTimeoutMs: 1500 }
`);
  const { url, ready } = await serving([], { folder });
  expect(ready).toContain(`Understudy serves ${scenario}`);
  expect(ready).toContain("Profile canton-3.5");
  expect(ready).toContain("Config: understudy.config.yaml");
  const { status } = await fetch(`${url}/v2/parties/external/allocate`, { method: "POST", body: "x".repeat(2049) });
  expect(status).toBe(413);
});

test("a flag overrides its environment variable, which overrides the config file", async () => {
  const folder = yaml("serve: { profile: canton-3.4.11 }");
  const profileOf = async (words: readonly string[], variables: Readonly<Record<string, string>> = {}) => {
    const stub = await serving(["--json", ...words], { folder, variables });
    const [{ profile }] = eventsIn((await stub.end()).out);
    return profile.ledger;
  };
  const variables = { UNDERSTUDY_PROFILE: "canton-3.4.12" };
  expect(await profileOf([])).toBe("canton-3.4.11");
  expect(await profileOf([], variables)).toBe("canton-3.4.12");
  expect(await profileOf(["--profile", "canton-3.5"], variables)).toBe("canton-3.5");
});

test("--config names a file in another folder, from where its paths start", async () => {
  const folder = folderOf({ "configs/stub.yaml": "serve: { scenario: ../s.arazzo.yaml, noControl: true }" });
  await expectRefusal("serve --config configs/stub.yaml", "File not found: s.arazzo.yaml", { folder });
});

test("a folder in a config file starts from the folder of the file too", async () => {
  const folder = folderOf({ "configs/stub.yaml": "serve: { coverage: coverage }" });
  const stub = await serving("--config configs/stub.yaml", { folder });
  await (await fetch(`${stub.url}/v2/version`)).arrayBuffer();
  await stub.end();
  expect(readdirSync(join(folder, "configs/coverage"))).toHaveLength(1);
});

test.each([
  [
    "an unknown member",
    "serve: { prt: 1 }",
    'understudy.config.yaml:1:10: serve has the unknown member "prt". Did you mean "port"?',
  ],
  [
    "an unknown section",
    "\nservr: {}",
    'understudy.config.yaml:2:1: the file has the unknown member "servr". Did you mean "serve"?',
  ],
  [
    "a flag of another name",
    "check:\n  require_: x",
    'understudy.config.yaml:2:3: check has the unknown member "require_". Did you mean "require"?',
  ],
  [
    "an unknown value",
    "serve:\n  profile: canton-3.55",
    'understudy.config.yaml:2:12: serve.profile is "canton-3.55", which is not an allowed value. Did you mean "canton-3.5"?',
  ],
  [
    "a value of another type",
    "serve:\n  port: '1'",
    'understudy.config.yaml:2:9: serve.port is "1", which is not a number.',
  ],
  [
    "an unknown target",
    "check:\n  target: stagin\ntargets: { staging: {} }",
    'understudy.config.yaml:2:11: check.target is "stagin", which is neither a name in targets nor a file. Did you mean "staging"?',
  ],
])("serve refuses %s with its place", async (_, text, message) => {
  const folder = yaml(text);
  await expectRefusal("serve", message, { folder });
  expect((await understudy("validate understudy.config.yaml", { folder })).out).toContain(message);
});

test("a value that is out of range is shown with its place", async () => {
  await expectRefusal(
    "serve",
    /--port -1: out of range.*\nIt is set by serve\.port in understudy\.config\.yaml:3\.$/m,
    {
      folder: yaml("serve:\n  auth: user\n  port: -1\n"),
    },
  );
});

test("a flag without effect beside one of the config file names the place of that one", async () => {
  await expectRefusal("check x.har --quiet --json", "--quiet has no effect with --json", { folder: yaml("{}") });
  await expectRefusal("record --recover x.har --strict", "--strict has no effect with --recover", {
    folder: yaml("{}"),
  });
  await expectRefusal(
    "serve --world-prefix a",
    "--world-prefix has no effect with serve.noControl in understudy.config.yaml:1. Remove one of the two.",
    { folder: yaml("serve: { noControl: true }") },
  );
});

test("--target adds members to a target of the config file and of the environment, and overrides them by name", async () => {
  const { url } = await serving("--profile canton-3.5 --auth user");
  const folder = yaml(`check: { target: local, only: [token-plain], profile: canton-3.5, rate: 1000 }
targets: { local: { ledger: "${url}", user: bob, tokens: { administrator: participant_admin } } }
`);
  const commandOf = async (words: readonly string[], variables: Readonly<Record<string, string>> = {}) => {
    const { out } = await understudy(["check", ...words, "--seed", "a"], { folder, variables });
    return [
      /^Probes: .*$/m.exec(out)?.[0],
      /^Repeat: understudy check --profile canton-3.5 (.*) --only/m.exec(out)?.[1],
    ];
  };
  const plain = ["--target", "tokens.plain.env=PLAIN"];
  expect(
    await commandOf([...plain, "--target", "party=a"], { PLAIN: "bob", UNDERSTUDY_TARGET: "party=b,user=c" }),
  ).toEqual([
    "Probes: 1 run, 0 skipped.",
    "--target local --target user=c --target tokens.plain.env=PLAIN --target party=a",
  ]);
  await expectRefusal(
    "check",
    "UNDERSTUDY_PLAIN_TOKEN in the environment: understudy check has no flag --plain-token. Use --target tokens.plain=TOKEN.",
    { folder, variables: { UNDERSTUDY_PLAIN_TOKEN: "bob" } },
  );
});

test("check takes its target by name, from the config file or from --target", async () => {
  const stub = await serving("--profile canton-3.5 --auth user");
  const folder = yaml(`check: { target: local, only: [token-missing], profile: canton-3.5, rate: 1000, exclusive: true }
targets:
  local:
    ledger: ${stub.url}
    tokens: { administrator: { env: LEDGER_TOKEN } }
  other:
    ledger: nowhere
`);
  const variables = { LEDGER_TOKEN: "participant_admin" };
  const { out } = await understudy("check --report v.json", { folder, variables });
  expect(out).toContain(
    "Checked against canton-3.5 (set by --profile), registry splice-0.8; config understudy.config.yaml.",
  );
  expect(out).toContain("Probes: 1 run");
  const { config, place, command } = JSON.parse(readFileSync(join(folder, "v.json"), "utf8"));
  expect(config).toBe("understudy.config.yaml");
  expect(place).toEqual({ file: "understudy.config.yaml", line: 3 });
  expect(command).toMatch(
    /^understudy check --profile canton-3\.5 --target local --only token-missing --rate 1000 --seed \w+$/,
  );
  const absolute = join(folder, "understudy.config.yaml");
  const words = ["check", "--config", absolute, "--only", "users-bad-query", "--report", "v.sarif"];
  await understudy(words, { folder, variables });
  const uris = readFileSync(join(folder, "v.sarif"), "utf8").match(/"uri": ".*"/g);
  expect(new Set(uris)).toEqual(new Set(['"uri": "understudy.config.yaml"']));
  await expectRefusal(
    "check",
    "The target takes its administrator token from the environment variable LEDGER_TOKEN, which is not set.",
    { folder },
  );
  await expectRefusal(
    "check --target other",
    "understudy.config.yaml:7:13: targets.other.ledger nowhere is not an http or https URL",
    {
      folder,
    },
  );
  await expectRefusal(
    "check --target locla",
    '--target locla: neither a target of understudy.config.yaml nor a file. Did you mean "local"?',
    { folder },
  );
});

test("a recording on the command line takes precedence over the target of the config file", async () => {
  const folder = yaml("check: { target: local }\ntargets: { local: { ledger: 'http://ledger.example.com' } }");
  await expectRefusal("check none.har", "File not found: none.har", { folder });
});

test("the command that repeats a check of a recording has no flags of live targets from the config file", async () => {
  const folder = folderOf({
    "understudy.config.yaml":
      "check: { target: local, rate: 9, writes: true, allOperations: true, profile: canton-3.5 }\ntargets: { local: {} }",
    "a.json": harText([harEntry("https://ledger.example.com/v2/users", { text: '{"users":[],"nextPageToken":""}' })]),
  });
  const { command } = JSON.parse((await understudy("check a.json --all-operations=false --json", { folder })).out);
  expect(command).toBe("understudy check a.json --profile canton-3.5 --all-operations=false");
  await expectRefusal("check a.json --report a.json --force", "a.json is the input", { folder });
});

test("record takes its flags from the config file, and secrets from the environment", async () => {
  const folder = yaml(
    "record: { ledger: 'http://ledger.example.com', out: x.har, inspector: true, controlToken: { env: CONTROL } }",
  );
  await expectRefusal(
    "record",
    "record.controlToken in understudy.config.yaml:1 is the environment variable CONTROL, which is not set.",
    { folder },
  );
  await expectRefusal("record", "--control-token: its length is 5.", { folder, variables: { CONTROL: "short" } });
});

test("a config in TypeScript is loaded, and its problems have lines", async () => {
  const folder = folderOf({
    "understudy.config.ts": `interface Port { readonly port: number }
const server: Port = { port: -1 };
export default {
  serve: { ...server, profle: "canton-3.5" },
  test: { start: new Date("2026-01-01") },
};
`,
  });
  const problem = 'understudy.config.ts:4:23: serve has the unknown member "profle". Did you mean "profile"?';
  await expectRefusal("serve", problem, { folder });
  expect((await understudy("validate understudy.config.ts", { folder })).out).toContain(problem);
});

test.each([
  [
    "no default export",
    "export const a = 1;",
    "understudy.config.mjs has no default export. Write export default defineConfig({ … }).",
  ],
  ["await at its top level", "await 1; export default {};", "understudy.config.mjs cannot be loaded: "],
  ["a syntax error", "export default {", "understudy.config.mjs cannot be loaded: "],
  [
    "a function",
    "export default { serve: { port: () => 1 } };",
    "understudy.config.mjs cannot be loaded: port is not data. Correct the file.",
  ],
  [
    "a missing package",
    'import "canton-understudy"; export default {};',
    "Install the package with npm install --save-dev canton-understudy",
  ],
])("a config program with %s is refused", async (_, text, message) => {
  await expectRefusal("serve", message, { folder: folderOf({ "understudy.config.mjs": text }) });
});

test("two config files in the working folder are refused, unless --config names one", async () => {
  const folder = folderOf({ "understudy.config.ts": "", "understudy.config.yml": "serve: { port: -1 }" });
  await expectRefusal(
    "serve",
    "understudy.config.ts and understudy.config.yml are two config files. Remove one, or name one with --config.",
    { folder },
  );
  await expectRefusal("serve --config understudy.config.yml", "--port -1", { folder });
});

test.each([
  ["understudy.config.json", "Rename it to understudy.config.yaml: YAML includes JSON."],
  ["understudy.config.cjs", "Write it as understudy.config.ts, .mjs or .yaml."],
])("%s is not ignored silently", async (name, advice) => {
  const folder = folderOf({ [name]: "{}" });
  await expectRefusal("check", `${name} is not read. ${advice}`, { folder });
  expect(() => configuredOptions({ folder, variables: {} })).toThrow(`${name} is not read.`);
  const beside = folderOf({ [name]: "{}", "understudy.config.yaml": "check: { profile: canton-3.5 }" });
  await expectRefusal("check", "check needs a recording or a target.", { folder: beside });
});

test.each([
  ["serve: { jwtSecret: 1234567890123 }", "serve.jwtSecret is [redacted], which"],
  ["targets: { t: { tokens: { administrator: 987654321 } } }", "tokens.administrator is [redacted], which"],
  ["serve: { seed: many }", 'serve.seed is "many", which is not a number'],
])("a secret of another type is not shown: %s", async (text, message) => {
  const { out } = await understudy("validate understudy.config.yaml", { folder: yaml(text) });
  expect(out).toContain(message);
  expect(out).not.toMatch(/1234567890123|987654321/);
});

test("other commands and --help read no config file", async () => {
  const folder = yaml("nothing: valid");
  expect((await understudy("serve --help", { folder })).exitCode).toBe(0);
  await expectRefusal("run none.yaml", "File not found: none.yaml", { folder });
});

test("the section test gives the options of the stubs of tests; secrets come from the environment", () => {
  const folder = folderOf({
    "configs/understudy.config.yaml": `test:
  scenario: s.arazzo.yaml
  profile: canton-3.5
  start: 2026-02-01T00:00:00Z
  jwtSecret: { env: SECRET }
  clientRules: warnings
  allow: [page-tokens-from-pages]
  limits: { worldsMax: 10 }
`,
  });
  const variables = { UNDERSTUDY_CONFIG: "configs/understudy.config.yaml", SECRET: "s" };
  const { stubOptions, endOptions } = splitOptions(configuredOptions({ folder, variables }));
  expect(stubOptions).toEqual({
    scenario: "configs/s.arazzo.yaml",
    profile: "canton-3.5",
    start: new Date("2026-02-01T00:00:00Z"),
    jwtSecret: "s",
    limits: { worldsMax: 10 },
  });
  expect(endOptions).toEqual({
    onUnexpected: "fail",
    clientRules: "warnings",
    allow: ["page-tokens-from-pages"],
    allowUnused: false,
  });
  expect(() => configuredOptions({ folder, variables: { ...variables, SECRET: "" } })).toThrow(
    "test.jwtSecret in configs/understudy.config.yaml names an environment variable that is not set.",
  );
  expect(configuredOptions({ folder, variables: {} })).toEqual({});
  expect(() => configuredOptions({ folder, variables: { UNDERSTUDY_CONFIG: "none.yaml" } })).toThrow(
    "File not found: none.yaml",
  );
});
