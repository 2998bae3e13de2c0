import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root, temporaryFolder, understudy } from "./_command-line.ts";
import { type Followed, follow, stepsOf } from "./_guide.ts";
import { isFollowedWithPackage, pages, pageText } from "./_pages.ts";
import { main } from "./_process.ts";

const isCommand = ({ type }: { readonly type: string }): boolean => type === "command";

/** Pages whose commands are run in a checkout. */
export const followed: readonly string[] = pages.filter(
  (page) => !isFollowedWithPackage(page) && stepsOf(pageText(page)).some(isCommand),
);

/** Runs the commands of a page; gives a problem for each that prints something else than the page shows. */
export async function problemsOfCommands(page: string, signal: AbortSignal): Promise<readonly string[]> {
  const ran = await commandsOf(page, signal);
  return ran.flatMap(({ problem }) => problem ?? []);
}

/** Runs the commands of a page, those that need what is available among them. */
export function commandsOf(
  page: string,
  signal: AbortSignal,
  { available = [], variables = {} }: Surroundings = {},
): Promise<readonly Followed[]> {
  const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;
  const path = [folderOfCommands(), join(process.execPath, ".."), PATH, "/usr/sbin"].join(":");
  const env = { PATH: path, NODE_COMPILE_CACHE, NO_COLOR: "1", ...variables };
  const address = addressOf(page);
  const steps = stepsOf(pageText(page), available);
  return follow(steps, folderOfPage(address), { env, address, understudy, signal });
}

interface Surroundings {
  /** Needs of blocks that this machine has. */
  readonly available?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
}

/** The loopback address of a page. Each page has its own, so the ports in it are free. Only Linux has all of 127.0.0.0/8. */
export function addressOf(page: string): string {
  if (process.platform !== "linux") return "127.0.0.1";
  return `127.${1 + pages.indexOf(page)}.${(process.pid >> 8) & 255}.${process.pid & 255}`;
}

/** A folder with the files of the package, in which programs can import the package. */
function folderOfPage(address: string): string {
  const folder = temporaryFolder();
  for (const name of ["scenarios", "fixtures", "schemas", "examples", "test/recordings"])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  const target = join(folder, "fixtures/targets/quickstart.target.yaml");
  writeFileSync(target, readFileSync(target, "utf8").replaceAll("127.0.0.1", address));
  const library = join(folder, "node_modules/canton-understudy");
  mkdirSync(library, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  writeFileSync(join(library, "package.json"), '{ "type": "module", "exports": "./index.js" }');
  const entry = pathToFileURL(join(root, "src/index.ts")).href;
  writeFileSync(join(library, "index.js"), `export * from ${JSON.stringify(entry)};\n`);
  return folder;
}

/** A folder with the command `understudy`. */
function folderOfCommands(): string {
  const folder = temporaryFolder();
  const file = join(folder, "understudy");
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`);
  chmodSync(file, 0o755);
  return folder;
}
