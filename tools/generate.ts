// Writes everything that is made from contracts/ and from folder listings. `--check` writes nothing and fails if a file is not current.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openapiOverlay } from "openapi-format";
import openapiTypescript, { astToString, type OpenAPITSOptions, oapiRef } from "openapi-typescript";
import { parse } from "yaml";
import { clientRulesIndexPage, clientRulesPage } from "./client-rule-pages.ts";
import { deployFiles } from "./deploy/deploy-files.ts";
import { llmsText } from "./llms-text.ts";
import { idsOf, namesOfSpec, operationIdsOf } from "./names.ts";
import { divergencesPage, errorCodesPage, probesPage, rulesPage } from "./pages.ts";
import { type ControlContract, controlPage } from "./reference/control-page.ts";
import { type FormatSchema, formatPages } from "./reference/format-pages.ts";
import {
  configSchemaFile,
  schemaFiles,
  schemaValidators,
  schemaValidatorTypes,
  worldStateValidator,
} from "./schema-validators.ts";
import type { PublishedOperations } from "./supported-endpoints.ts";
import { worldStateSchema } from "./world-state-schema.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const registries: readonly Registry[] = [
  {
    folder: "src/checker/rules",
    type: "Rule",
    typeFile: "./rule.ts",
    exported: "rules",
    ids: { file: "rule-ids.ts", type: "RuleId", list: "ruleIds" },
  },
  {
    folder: "src/checker/client-rules",
    type: "ClientRule",
    typeFile: "./client-rule.ts",
    exported: "clientRules",
    ids: { file: "client-rule-ids.ts", type: "ClientRuleId", list: "clientRuleIds" },
  },
  {
    folder: "src/checker/probes",
    type: "Probe",
    typeFile: "../probing/probe.ts",
    exported: "probes",
    ids: { file: "probe-ids.ts", type: "ProbeId", list: "probeIds" },
  },
  { folder: "src/simulator/operations", type: "Operation", typeFile: "./operation.ts", exported: "operations" },
];
const isCheck = process.argv.includes("--check");
const stale: string[] = [];

function readYaml(path: string): Record<string, unknown> {
  return parse(readFileSync(join(root, path), "utf8"));
}

function emit(path: string, text: string): void {
  const file = join(root, path);
  let current: string | undefined;
  try {
    current = readFileSync(file, "utf8");
  } catch {
    current = undefined;
  }
  if (current === text) return;
  if (isCheck) stale.push(path);
  else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(`wrote ${path}`);
  }
}

/** A release and those that it is based on, the oldest ancestor first. */
function lineageOf(name: string): readonly string[] {
  const base = readYaml(`contracts/profiles/${name}/profile.yaml`)["basedOn"];
  return typeof base === "string" ? [...lineageOf(base), name] : [name];
}

/** A profile; switches of behaviour that it does not name are those of the release that it is based on. */
function profileNamed(name: string): Record<string, unknown> {
  const profile = readYaml(`contracts/profiles/${name}/profile.yaml`);
  const lineage = lineageOf(name).map((ancestor) => readYaml(`contracts/profiles/${ancestor}/profile.yaml`));
  const switches = ["behaviour", "registryBehaviour"].flatMap((member) => {
    const merged = Object.assign({}, ...lineage.map((ancestor) => ancestor[member]));
    return Object.keys(merged).length === 0 ? [] : [[member, merged]];
  });
  return { ...profile, ...Object.fromEntries(switches) };
}

/** Each divergence with the API whose release the profile describes; those of a base unless they came with a later release. */
function divergencesOf(name: string, api: string, release: string): readonly object[] {
  return lineageOf(name).flatMap((ancestor) => {
    const entries: unknown = readYaml(`contracts/profiles/${ancestor}/divergences.yaml`);
    if (!Array.isArray(entries)) throw new Error(`contracts/profiles/${ancestor}/divergences.yaml is no list`);
    return entries
      .filter(({ since, until }: { since: string | null; until: string | null }) => {
        const [isBegun, isOver] = [since === null || since <= `${release}~`, until !== null && until <= release];
        return api === "registry" || (isBegun && !isOver);
      })
      .map((entry: object) => ({ api, ...entry }));
  });
}

async function withOverlay(base: Record<string, unknown>, overlayPath: string): Promise<Record<string, unknown>> {
  const overlay = readYaml(overlayPath);
  if (!Array.isArray(overlay["actions"])) throw new Error(`${overlayPath}: an overlay needs a list of actions`);
  const overlaid = await openapiOverlay(structuredClone(base), {
    overlaySet: { ...overlay, actions: overlay["actions"] },
  });
  return { ...overlaid.data };
}

async function withOverlays(base: Record<string, unknown>, names: readonly string[]): Promise<Record<string, unknown>> {
  let description = base;
  for (const name of names) description = await withOverlay(description, `contracts/profiles/${name}/overlay.yaml`);
  return description;
}

async function main(): Promise<void> {
  const ledger = withoutExamples(readYaml("contracts/ledger-json-api.yaml"));
  const registry = withoutExamples(readYaml("contracts/token-registry.yaml"));
  const names = readdirSync(join(root, "contracts/profiles")).sort();
  const profiles = names.map(profileNamed);
  const descriptions: Record<string, Record<string, unknown>> = {
    ledger: { spec: ledger },
    registry: { spec: registry },
  };
  const divergences: Record<string, unknown> = { spec: [] };
  for (const profile of profiles) {
    const name = String(profile["name"]);
    const api = String(profile["api"]);
    if (api === "both") continue;
    descriptions[api] = {
      ...descriptions[api],
      [name]: await withOverlays(api === "ledger" ? ledger : registry, lineageOf(name)),
    };
    divergences[name] = divergencesOf(name, api, String(profile["release"]));
  }
  const control = readYaml("contracts/control.yaml");
  const additional = readYaml("contracts/additional-operations.yaml");
  const additionalOperations = inOneFile(additional);
  const contracts = {
    control,
    additionalOperations,
    profiles: ["both", "ledger", "registry"].flatMap((api) =>
      profiles.filter((profile) => profile["api"] === api).reverse(),
    ),
    descriptions,
    divergences,
    releaseDifferences: readYaml("contracts/release-differences.yaml"),
    publishedOperations: publishedOperations(),
    errorCodes: readYaml("contracts/error-codes.yaml"),
    identifiers: readYaml("contracts/identifiers.yaml"),
    announcements: readYaml("contracts/announcements.yaml"),
  };
  emit("src/foundation/spec/generated/contracts.json", `${JSON.stringify(contracts)}\n`);
  for (const [api, profile] of [
    ["ledger", "canton-3.5"],
    ["registry", "splice-0.8"],
  ] as const) {
    const types = await typesOf(descriptions[api]?.[profile]);
    emit(
      `src/foundation/spec/generated/${api}-types.ts`,
      `// Generated by \`npm run generate\` from contracts/ in profile ${profile}. Do not edit.\n${importOfContent}\n${types}`,
    );
  }
  emit("src/foundation/spec/generated/additional-types.ts", await additionalTypes(additional));
  const schemas = schemasOfPage(object(object(control["components"])["schemas"]));
  const controlTypes = await typesOf({ ...control, paths: {}, components: { schemas } }, { defaultNonNullable: false });
  emit(
    "src/stub/control/generated/control-types.ts",
    `// Generated by \`npm run generate\` from contracts/control.yaml. Do not edit.\n${controlTypes}`,
  );
  const ofDefaults = [descriptions["ledger"]?.["canton-3.5"], descriptions["registry"]?.["splice-0.8"]];
  const operationIds = operationIdsOf([...ofDefaults, additionalOperations]);
  const { codes } = parse(readFileSync(join(root, "contracts/error-codes.yaml"), "utf8"));
  emit(
    "src/foundation/spec/generated/names.ts",
    namesOfSpec({
      ledgerProfiles: newestFirst(Object.keys(object(descriptions["ledger"]))),
      registryProfiles: newestFirst(Object.keys(object(descriptions["registry"]))),
      operationIds,
      errorCodes: codes,
    }),
  );
  emit("src/scenarios/files/generated/plan-types.ts", await planTypes());
  const fromSchemas = "// Generated by `npm run generate` from schemas/. Do not edit.\n";
  emit("src/scenarios/files/generated/schema-validators.js", fromSchemas + (await schemaValidators(root, schemaFiles)));
  emit("src/scenarios/files/generated/schema-validators.d.ts", fromSchemas + schemaValidatorTypes(schemaFiles));
  const ofState = "// Generated by `npm run generate` from tools/world-state-schema.ts. Do not edit.\n";
  const stateSchema = worldStateSchema(
    operationIds,
    codes.map(({ code }: { readonly code: string }) => code),
  );
  emit("src/stub/stores/generated/world-state.js", ofState + (await worldStateValidator(root, stateSchema)));
  emit("src/stub/stores/generated/world-state.d.ts", ofState + schemaValidatorTypes({ worldState: "" }));
  emit(
    "src/scenarios/files/generated/read-before.json",
    `${JSON.stringify(Object.values(quickstartTexts()).map((text) => ({ text, value: parse(text) })))}\n`,
  );
  emit("src/entrypoints/library/generated/quickstart.json", `${JSON.stringify(quickstartTexts())}\n`);
  for (const registry of registries) {
    emit(`${registry.folder}/index.ts`, registryOf(registry));
    if (registry.ids === undefined) continue;
    const { file, type, list } = registry.ids;
    const ids = filesIn(registry).map((path) => basename(path, ".ts"));
    emit(`${registry.folder}/generated/${file}`, idsOf({ type, list, folder: registry.folder, ids }));
  }
  await emitConfig();
  await emitPages();
  await emitExamples();
  for (const [name, text] of Object.entries(deployFiles())) emit(`examples/deploy/${name}`, text);
  if (stale.length > 0) {
    console.error(`Not current: ${stale.join(", ")}. Run \`npm run generate\`.`);
    process.exitCode = 1;
  }
}

/** The spec, then the releases from the newest to the oldest, from their names in ascending order. */
function newestFirst(names: readonly string[]): readonly string[] {
  return ["spec", ...names.filter((name) => name !== "spec").reverse()];
}

/** The schemas of the control API that the inspector's page and the library name, and those that they refer to. */
function schemasOfPage(schemas: Record<string, unknown>): Record<string, unknown> {
  const page = readFileSync(join(root, "src/stub/inspector/parts/control-api.ts"), "utf8");
  const used = new Set(["WorldSnapshot", ...[...page.matchAll(/Schemas\["(\w+)"\]/g)].map(([, name = ""]) => name)]);
  for (const name of used)
    for (const [, other = ""] of JSON.stringify(schemas[name]).matchAll(/#\/components\/schemas\/(\w+)/g))
      used.add(other);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)));
}

/** What a plan may say, for programs that plan at run time: from the schema of scenarios. */
async function planTypes(): Promise<string> {
  const schema = JSON.parse(
    readFileSync(join(root, "schemas/scenario.schema.json"), "utf8").replaceAll("#/$defs/", "#/components/schemas/"),
  );
  const entry = schema.properties.plan.items;
  // The types of these names stand in another file.
  const named = ["OperationId", "ErrorCode"];
  entry.properties.on = {
    anyOf: [{ $ref: "#/components/schemas/OperationId" }, { const: "any" }],
    description: entry.properties.on.description,
  };
  const { description: times, default: byDefault } = entry.properties.times;
  entry.properties.times = { anyOf: [{ type: "integer" }, { const: "all" }], description: times, default: byDefault };
  entry.properties.match.properties.body.additionalProperties = true;
  const { error } = schema.$defs.response.properties;
  schema.$defs.response.properties.error = { $ref: "#/components/schemas/ErrorCode", description: error.description };
  const placeholders = Object.fromEntries(named.map((name) => [name, { type: "string" }]));
  const schemas = { ...placeholders, PlanEntry: entry, PlannedResponse: schema.$defs.response };
  const description = JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Plan", version: "1" },
    paths: {},
    components: { schemas },
  });
  const types = await typesOf(
    JSON.parse(description.replaceAll("#/components/schemas/response", "#/components/schemas/PlannedResponse")),
    { immutable: true, defaultNonNullable: false },
  );
  const imported = types
    .replaceAll(/^ *readonly (?:OperationId|ErrorCode): string;\n/gm, "")
    .replaceAll(/components\["schemas"\]\["(OperationId|ErrorCode)"\]/g, "$1");
  return `// Generated by \`npm run generate\` from schemas/scenario.schema.json. Do not edit.\nimport type { ErrorCode, OperationId } from "../../../foundation/spec/generated/names.ts";\n\n${imported}`;
}

/** The schema of config files, from the flags of the commands, and from that schema the types of `defineConfig` and the validator. */
async function emitConfig(): Promise<void> {
  const { configSchema } = await import("./config-schema.ts");
  const { serve } = await import("../src/entrypoints/cli/serve/serve.ts");
  const { check } = await import("../src/entrypoints/cli/check/check.ts");
  const { record } = await import("../src/entrypoints/cli/record/record.ts");
  const target = JSON.parse(readFileSync(join(root, "schemas/target.schema.json"), "utf8"));
  const { $schema, $id, $defs, ...config } = configSchema([serve, check, record], target);
  const folder = "src/entrypoints/config/generated";
  const fromSchema = "// Generated by `npm run generate` from schemas/config.schema.json. Do not edit.\n";
  emit("schemas/config.schema.json", `${JSON.stringify({ $schema, $id, ...config, $defs }, undefined, 2)}\n`);
  const schemas = JSON.stringify({ ...object($defs), Config: config });
  const types = await typesOf(
    {
      openapi: "3.1.0",
      info: { title: "Config", version: "1" },
      paths: {},
      components: { schemas: JSON.parse(schemas.replaceAll("#/$defs/", "#/components/schemas/")) },
    },
    { immutable: true, defaultNonNullable: false },
  );
  emit(`${folder}/config-types.ts`, fromSchema + types);
  emit(`${folder}/config-validator.js`, fromSchema + (await schemaValidators(root, configSchemaFile)));
  emit(`${folder}/config-validator.d.ts`, fromSchema + schemaValidatorTypes(configSchemaFile));
}

/** The quickstart with its fixtures, for where there is no disk: texts by path from the root of the package. */
function quickstartTexts(): Record<string, string> {
  const scenario = "scenarios/quickstart.arazzo.yaml";
  const text = readFileSync(join(root, scenario), "utf8");
  const fixtures = [...text.matchAll(/\.\.\/(fixtures\/[\w/-]+\.yaml)/g)].map(([, path = ""]) => path);
  return Object.fromEntries(
    [scenario, ...new Set(fixtures)].map((path) => [path, readFileSync(join(root, path), "utf8")]),
  );
}

/** The description with its references to the other files as if it stood in them. */
function inOneFile(description: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(description).replaceAll(/"\.\/[a-z-]+\.yaml#/g, '"#'));
}

const typesOfFile: Readonly<Record<string, string>> = { "ledger-json-api": "ledger", "token-registry": "registry" };

/** Types of the additional operations. A component of another file is imported from the types of that file. */
async function additionalTypes(description: Record<string, unknown>): Promise<string> {
  const imported = new Map(
    [...JSON.stringify(description).matchAll(/"\.\/([a-z-]+)\.yaml(#\/components\/(\w+)\/(\w+))"/g)].map(
      ([, file = "", path = "", kind = "", name = ""]) => [path, { file, kind, name, from: typesOfFile[file] ?? "" }],
    ),
  );
  const components: Record<string, object> = {};
  for (const { file, kind, name } of imported.values()) {
    // An operation has the name and the place of its parameters, so these are read.
    const others =
      kind === "parameters" ? object(withoutExamples(readYaml(`contracts/${file}.yaml`))["components"]) : {};
    components[kind] = { ...components[kind], [name]: object(object(others[kind])[name]) };
  }
  for (const [kind, own] of Object.entries(object(description["components"])))
    components[kind] = { ...components[kind], ...object(own) };
  const whole = inOneFile({ ...description, components });
  const types = await typesOf(whole, {
    transform: (_, { path = "" }) => {
      const component = imported.get(path);
      return component && oapiRef(`#/${component.from}/${component.kind}/${component.name}`);
    },
  });
  const used = new Set([...imported.values()].map(({ from }) => from));
  const imports = Object.values(typesOfFile)
    .filter((from) => used.has(from))
    .map((from) => `import type { components as ${from} } from "./${from}-types.ts";\n`)
    .join("");
  return `// Generated by \`npm run generate\` from contracts/ in profile canton-3.5. Do not edit.\n${importOfContent}${imports}\n${types}`;
}

const importOfContent = 'import type { Content } from "../content.ts";\n';

/**
 * The types of a description with each operation at its path. Members that say nothing are omitted: methods that a path does not have,
 * parts that a request does not have, headers of any name. So the types of several descriptions can be combined with `&`.
 */
async function typesOf(description: unknown, options: OpenAPITSOptions = {}): Promise<string> {
  const inPlace = JSON.stringify(description, (key, value) =>
    key === "operationId" && typeof value === "string" ? undefined : value,
  );
  return astToString(await openapiTypescript(JSON.parse(inPlace), options))
    .replaceAll(/^ *\w+\??: never;\n/gm, "")
    .replaceAll(/^ *headers: \{\n *\[name: string\]: unknown;\n *\};\n/gm, "")
    .replaceAll(/^ {8}parameters: \{\n *\};\n/gm, "")
    .replaceAll(/^( *parameters): \{\n *\};\n/gm, "$1: Record<string, never>;\n")
    .replaceAll(/^export type \S+ = Record<string, never>;\n/gm, "")
    .replaceAll(/: \{\n *content: \{\n *"application\/json": (.*);\n *\};\n *\};\n/g, ": Content<$1>;\n")
    .replaceAll(/: \{\n *content: \{\n *("[^"\n]*"): (.*);\n *\};\n *\};\n/g, ": Content<$2, $1>;\n")
    .replaceAll(/^ *\/\*\* @description The response body. \*\/\n/gm, "");
}

function object(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function publishedOperations(): PublishedOperations {
  return parse(readFileSync(join(root, "contracts/published-operations.yaml"), "utf8"));
}

/** Reads what was just written, so that one run makes everything current. */
async function emitPages(): Promise<void> {
  const { contracts } = await import("../src/foundation/spec/contracts.ts");
  const { rules } = await import("../src/checker/rules/index.ts");
  const { probes } = await import("../src/checker/probes/index.ts");
  emit("docs/reference/error-codes.md", errorCodesPage(contracts));
  emit("docs/reference/divergences.md", divergencesPage(contracts));
  const { supportedEndpointsPage } = await import("./supported-endpoints.ts");
  emit("docs/reference/supported-endpoints.md", supportedEndpointsPage(publishedOperations()));
  emit("docs/reference/probes.md", probesPage(probes));
  const { clientRules } = await import("../src/checker/client-rules/index.ts");
  const { impliedRegistryProfile, loadSpec, profileNamesOf } = await import("../src/foundation/spec/spec.ts");
  const releases = profileNamesOf("ledger").filter((ledger) => ledger !== "spec");
  const divergencesOf = (ledger: string) =>
    loadSpec({ ledger, registry: impliedRegistryProfile(ledger) }, { hasAdditionalOperations: true }).divergences;
  emit("docs/reference/rules.md", rulesPage(rules, new Map(releases.map((name) => [name, divergencesOf(name)]))));
  const spec = loadSpec({ ledger: "spec", registry: "spec" }, { hasAdditionalOperations: true });
  const { commandsPage } = await import("./reference/commands-page.ts");
  emit("docs/reference/commands.md", await commandsPage());
  const control: ControlContract = parse(readFileSync(join(root, "contracts/control.yaml"), "utf8"));
  emit("docs/reference/control-requests.md", controlPage(control));
  const schemas = readdirSync(join(root, "schemas")).sort();
  const read = (file: string): FormatSchema => JSON.parse(readFileSync(join(root, "schemas", file), "utf8"));
  for (const [page, text] of formatPages(new Map(schemas.map((file) => [file, read(file)])))) emit(page, text);
  emit("docs/reference/client-rules.md", clientRulesIndexPage(clientRules));
  for (const rule of clientRules) emit(`docs/reference/client-rules/${rule.id}.md`, clientRulesPage(rule, spec));
  const { description } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  emit("docs/llms.txt", llmsText(readFileSync(join(root, "docs/README.md"), "utf8"), description));
}

/** The description without the examples of messages and parameters, which the product does not read. Those of schemas stay. */
function withoutExamples(description: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(description, (key, value) => (key === "examples" && !Array.isArray(value) ? undefined : value)),
  );
}

async function emitExamples(): Promise<void> {
  const { withExamples } = await import("./contract-examples.ts");
  for (const [api, path] of [
    ["ledger", "contracts/ledger-json-api.yaml"],
    ["registry", "contracts/token-registry.yaml"],
  ] as const)
    emit(path, await withExamples(api, readFileSync(join(root, path), "utf8")));
}

/** A folder whose topics hold files that each export one value named after the file. */
interface Registry {
  readonly folder: string;
  readonly type: string;
  readonly typeFile: string;
  readonly exported: string;
  /** The file of the folder `generated` with the ids, for types that name one. */
  readonly ids?: { readonly file: string; readonly type: string; readonly list: string };
}

/** The files of a registry, by name; files beside the topics, and those that begin with `_`, are shared helpers. */
function filesIn({ folder }: Registry): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => /^(?!generated\/)[a-z-]+\/[a-z][^/]*\.ts$/.test(file) && !file.endsWith(".test.ts"))
    .sort((one, other) => (basename(one) < basename(other) ? -1 : 1));
}

/** An index of the topics of a folder. */
function registryOf(registry: Registry): string {
  const { type, typeFile, exported } = registry;
  const files = filesIn(registry);
  const camel = (file: string) => basename(file, ".ts").replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const imports = files.map((file) => `import { ${camel(file)} } from "./${file}";`).join("\n");
  return `// Generated by \`npm run generate\` from the files below this folder. Do not edit.\nimport type { ${type} } from "${typeFile}";\n${imports}\n\nexport const ${exported}: readonly ${type}[] = [\n${files.map((file) => `  ${camel(file)},`).join("\n")}\n];\n`;
}

await main();
