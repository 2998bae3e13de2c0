import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { root, temporaryFolder, understudy } from "./_command-line.ts";
import { follow, stepsOf } from "./_guide.ts";
import { problemsOf } from "./_page-problems.ts";
import { unknownWords } from "./_page-words.ts";
import { isFollowedWithPackage, pages, pageText } from "./_pages.ts";
import { main } from "./_process.ts";

/** Needs of blocks that this test does not have. All other blocks are run or checked. */
const notHere = ["a checkout", "a build", "docker", "GitHub", "the npm registry", "nginx", "a node", "a terminal"];

/** The loopback address of a page. Each page has its own, so the ports in it are free. Only Linux has all of 127.0.0.0/8. */
function addressOf(page: string): string {
  if (process.platform !== "linux") return "127.0.0.1";
  return `127.${1 + pages.indexOf(page)}.${(process.pid >> 8) & 255}.${process.pid & 255}`;
}

/** A folder with the files of the package, in which programs can import the package. */
function folderOfPage(address: string): string {
  const folder = temporaryFolder();
  for (const name of ["scenarios", "fixtures", "schemas", "test/recordings"])
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

test.each(pages)("%s has only samples that a test runs or checks", (page) => {
  expect(problemsOf(pageText(page), notHere)).toEqual([]);
});

test.each(pages)("%s names only existing commands, flags and scripts", async (page) => {
  expect(await unknownWords(pageText(page))).toEqual([]);
});

const isCommand = ({ type }: { readonly type: string }): boolean => type === "command";
const followed = pages.filter((page) => !isFollowedWithPackage(page) && stepsOf(pageText(page)).some(isCommand));

test.for(followed)("the commands of %s print what the page shows", async (page, { signal }) => {
  const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;
  const path = [folderOfCommands(), join(process.execPath, ".."), PATH].join(":");
  const env = { PATH: path, NODE_COMPILE_CACHE, NO_COLOR: "1" };
  const address = addressOf(page);
  const ran = await follow(stepsOf(pageText(page)), folderOfPage(address), { env, address, understudy, signal });
  expect(ran.flatMap(({ problem }) => problem ?? [])).toEqual([]);
});
