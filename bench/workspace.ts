import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse, stringify } from "yaml";
import { joined, selfContained } from "./descriptions.ts";
import { isObject, type JsonObject, parseObject } from "./json.ts";
import { wrkScript } from "./load/wrk.ts";
import { finished } from "./processes.ts";

const root: string = fileURLToPath(new URL("..", import.meta.url));
const bench: string = fileURLToPath(new URL(".", import.meta.url));

/** The files of a run. Its folder is removed when this process ends. */
export interface Workspace {
  readonly folder: string;
  /** The command of the installed package. */
  readonly understudy: string;
  /** The generated scenario, with 1,000 users and 200 parties. */
  readonly scenario: string;
  readonly fixture: Fixture;
  /** The OpenAPI descriptions of the ledger and the registry. */
  readonly descriptions: readonly string[];
  readonly joinedDescription: string;
  readonly lookupSchema: JsonObject;
  /** `node_modules` of this folder. */
  readonly peers: string;
}

/** Names in the generated fixture. */
export interface Fixture {
  /** Users without an identity provider, so that requests need not name one. */
  readonly userIds: readonly string[];
  readonly parties: readonly string[];
  readonly registryAdmin: string;
}

/** Packs Understudy, installs it into a separate folder, and generates fixtures with it. */
export async function prepareWorkspace(tell: (text: string) => void): Promise<Workspace> {
  const folder = mkdtempSync(join(tmpdir(), "understudy-bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  if (!existsSync(join(bench, "node_modules"))) {
    tell("installing the peers");
    await finished({ command: "npm", words: ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], folder: bench });
  }
  tell("packing Understudy");
  const understudy = await install(folder);
  tell("making fixtures");
  return { folder, understudy, peers: join(bench, "node_modules"), ...(await makeFixtures(folder, understudy)) };
}

async function install(folder: string): Promise<string> {
  await finished({ command: "npm", words: ["pack", "--silent", "--pack-destination", folder], folder: root });
  const { version } = parseObject(readFileSync(join(root, "package.json"), "utf8"));
  const consumer = join(folder, "consumer");
  mkdirSync(consumer);
  writeFileSync(join(consumer, "package.json"), '{"private": true, "type": "module"}\n');
  const words = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
  const tarball = join(folder, `canton-understudy-${version}.tgz`);
  await finished({ command: "npm", words: [...words, tarball], folder: consumer });
  return join(consumer, "node_modules/.bin/understudy");
}

type Fixtures = Omit<Workspace, "folder" | "understudy" | "peers">;

async function makeFixtures(folder: string, understudy: string): Promise<Fixtures> {
  const fixtures = join(folder, "fixtures");
  const words = [understudy, "generate", "fixtures", "--users", "1000", "--out", fixtures];
  await finished({ command: process.execPath, words });
  writeFileSync(join(folder, "load.lua"), wrkScript);
  const contracts = join(folder, "consumer/node_modules/canton-understudy/contracts");
  const descriptions = ["ledger-json-api", "token-registry"].map((name) => join(contracts, `${name}.yaml`));
  const [ledger = {}, registry = {}] = descriptions.map((file): JsonObject => parse(readFileSync(file, "utf8")));
  const joinedDescription = join(folder, "joined.yaml");
  writeFileSync(joinedDescription, stringify(joined(ledger, registry), { aliasDuplicateObjects: false }));
  const lookupSchema = selfContained({ $ref: "#/components/schemas/GetFactoryRequest" }, registry);
  if (!isObject(lookupSchema)) throw new Error("the registry's description has no GetFactoryRequest");
  const scenario = join(fixtures, "scenario.arazzo.yaml");
  return { scenario, fixture: readFixture(fixtures), descriptions, joinedDescription, lookupSchema };
}

interface Row {
  readonly id: string;
  readonly identityProviderId?: string;
}

function readFixture(folder: string): Fixture {
  const ledger: { users: readonly Row[]; parties: readonly Row[] } = JSON.parse(
    readFileSync(join(folder, "ledger.json"), "utf8"),
  );
  const registry: { admin: string } = JSON.parse(readFileSync(join(folder, "registry.json"), "utf8"));
  return {
    userIds: ledger.users.filter(({ identityProviderId }) => identityProviderId === undefined).map(({ id }) => id),
    parties: ledger.parties.map(({ id }) => id),
    registryAdmin: registry.admin,
  };
}
