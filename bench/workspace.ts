import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { finished, node } from "./processes.ts";

const root: string = fileURLToPath(new URL("..", import.meta.url));
const peers: string = fileURLToPath(new URL("node_modules", import.meta.url));

/** A packed and installed Understudy. */
export interface Install {
  readonly name: "understudy" | "before";
  /** The command of the package. */
  readonly command: string;
  /** The library of the package. */
  readonly library: string;
}

/** The files of a run. Its folder is removed when this process ends. */
export interface Workspace {
  readonly folder: string;
  /** The generated fixture of 1,000 users and 200 parties. */
  readonly large: World;
  /** The quickstart, as Understudy serves it without a scenario. */
  readonly small: World;
  /** The OpenAPI descriptions of the ledger and the registry. */
  readonly descriptions: readonly string[];
  readonly joinedDescription: string;
  readonly lookupSchema: object;
  /** `node_modules` of this folder. */
  readonly peers: string;
}

/** A world, and names in it. */
export interface World {
  readonly scenario?: string;
  /** Users without an identity provider, so that requests need not name one. */
  readonly userIds: readonly string[];
  readonly parties: readonly string[];
  readonly registryAdmin: string;
}

export interface Prepared {
  readonly workspace: Workspace;
  /** This checkout, and the other. */
  readonly installs: readonly Install[];
}

/** Packs Understudy, installs it into a separate folder, and generates fixtures with it. */
export async function prepareWorkspace(tell: (text: string) => void, against: string | undefined): Promise<Prepared> {
  const folder = mkdtempSync(join(tmpdir(), "understudy-bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  if (!existsSync(peers)) {
    tell("installing the peers");
    await finished({
      command: "npm",
      words: ["ci", "--ignore-scripts", "--no-audit", "--no-fund"],
      folder: join(peers, ".."),
    });
  }
  tell("packing Understudy");
  const installs = [await install(folder, "understudy", root)];
  if (against !== undefined) installs.push(await install(folder, "before", against));
  return { workspace: await makeWorkspace(folder), installs };
}

async function install(folder: string, name: Install["name"], checkout: string): Promise<Install> {
  const consumer = join(folder, name);
  mkdirSync(consumer);
  writeFileSync(join(consumer, "package.json"), '{"private": true, "type": "module"}\n');
  const pack = ["pack", "--silent", "--pack-destination", consumer];
  const tarball = (await finished({ command: "npm", words: pack, folder: checkout })).trim().split("\n").at(-1) ?? "";
  const words = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", `./${tarball}`];
  await finished({ command: "npm", words, folder: consumer });
  const modules = join(consumer, "node_modules");
  const library = join(modules, "canton-understudy/dist/bundle/index.js");
  return { name, command: join(modules, ".bin/understudy"), library };
}

async function makeWorkspace(folder: string): Promise<Workspace> {
  const [fixtures, joinedDescription] = [join(folder, "fixtures"), join(folder, "joined.yaml")];
  const command = join(root, "src/entrypoints/cli/main.ts");
  await finished(node(command, "generate", "fixtures", "--count", "users=1000", "--out", fixtures));
  const descriptions = ["ledger-json-api", "token-registry"].map((name) => join(root, `contracts/${name}.yaml`));
  const redocly = join(root, "node_modules/.bin/redocly");
  await finished({ command: redocly, words: ["join", ...descriptions, "-o", joinedDescription] });
  const bundle = ["bundle", descriptions[1] ?? "", "--dereferenced", "-o", join(folder, "registry.yaml")];
  await finished({ command: redocly, words: bundle });
  const lookupSchema = read(join(folder, "registry.yaml")).components.schemas.GetFactoryRequest;
  const scenario = join(fixtures, "scenario.arazzo.yaml");
  const large = { scenario, ...namesIn(join(fixtures, "ledger.json"), join(fixtures, "registry.json")) };
  const quickstart = ["ledgers/two-synchronizers.yaml", "registries/amulet.yaml"] as const;
  const [ledger, registry] = quickstart.map((file) => join(root, "fixtures", file));
  return { folder, descriptions, joinedDescription, lookupSchema, peers, large, small: namesIn(ledger, registry) };
}

/** Parses YAML or JSON, without extensions of schemas. */
function read(file = ""): ReturnType<typeof JSON.parse> {
  return parse(readFileSync(file, "utf8"), (name, value) => (String(name).startsWith("x-") ? undefined : value));
}

interface Row {
  readonly id: string;
  readonly identityProviderId?: string;
  readonly hostedBy?: readonly string[];
}

function namesIn(ledgerFile?: string, registryFile?: string): Omit<World, "scenario"> {
  const ledger: { readonly users: readonly Row[]; readonly parties: readonly Row[] } = read(ledgerFile);
  const users = ledger.users.filter(({ identityProviderId }) => identityProviderId === undefined);
  const parties = ledger.parties.filter(({ hostedBy }) => hostedBy === undefined);
  return {
    userIds: users.map(({ id }) => id),
    parties: parties.map(({ id }) => id),
    registryAdmin: read(registryFile).admin,
  };
}
