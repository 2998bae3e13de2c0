import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startUnderstudy } from "../../src/index.ts";
import { root, temporaryFolder } from "./_command-line.ts";

const textOf = (file: string) => readFileSync(join(root, file), "utf8");
/** The instructions of the Dockerfile, with continued lines joined. */
const instructions = textOf("Dockerfile")
  .replaceAll(/^#.*\n/gm, "")
  .replaceAll(/\\\n\s*/g, "")
  .split("\n")
  .filter((line) => line !== "");
const wordsOf = (instruction: string) =>
  instructions.filter((line) => line.startsWith(`${instruction} `)).map((line) => line.split(" ").slice(1));

test("the Dockerfile copies only existing files that .dockerignore lets in", () => {
  const copied = wordsOf("COPY").flatMap((words) => (words[0]?.startsWith("--from") ? [] : words.slice(0, -1)));
  expect(copied.length).toBeGreaterThan(7);
  expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const [everything, ...letIn] = textOf(".dockerignore").trim().split("\n");
  expect(everything).toBe("*");
  expect(copied.filter((path) => !letIn.includes(`!${path}`))).toEqual([]);
});

test("the Dockerfile copies the folders that the sources import before it compiles them", () => {
  const before = instructions.slice(0, instructions.indexOf("RUN npm run --silent build"));
  const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
  const beside = sources
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .flatMap((file) =>
      [...textOf(`src/${file}`).matchAll(/ from "(\.[^"]+)"/g)].map(([, to = ""]) => join("src", file, "..", to)),
    )
    .filter((path) => !path.startsWith("src/"));
  const folders = [...new Set(beside.map((path) => path.split("/")[0] ?? ""))].filter(
    (path) => path !== "package.json",
  );
  expect(before).toContain("COPY package.json package-lock.json ./");
  expect(folders).toContain("schemas");
  expect(folders.filter((folder) => !before.includes(`COPY ${folder} ${folder}`))).toEqual([]);
});

test("the package contains every folder that the sources read from it", () => {
  const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".test.ts"),
  );
  const read = sources.flatMap((file) =>
    [...textOf(join("src", file)).matchAll(/packagedFile\(["`]([\w/-]+)["`/]/g)].map(([, folder = ""]) => folder),
  );
  const { files } = JSON.parse(textOf("package.json"));
  expect(read).toContain("migrations");
  const isIn = (folder: string) => files.some((file: string) => `${folder}/`.startsWith(`${file}/`));
  expect(read.filter((folder) => !isIn(folder))).toEqual([]);
});

test("the image contains all files of the package", () => {
  const { files } = JSON.parse(textOf("package.json"));
  const last = instructions.slice(instructions.findLastIndex((line) => line.startsWith("FROM ")));
  const inImage = last.filter((line) => line.startsWith("COPY ")).map((line) => line.split(" ").at(-1));
  const examples = ["examples/go", "examples/jvm", "examples/python"];
  const leftOut = ["!docs/images", "!docs/decisions", "!docs/reference/api"];
  const forReading = ["docs", ...leftOut, ...examples, "CHANGELOG.md", "SECURITY.md"];
  expect(files.filter((file: string) => !forReading.includes(file) && !inImage.includes(file))).toEqual([]);
});

test("the image installs the driver of PostgreSQL, an optional peer of the package", () => {
  const folder = temporaryFolder();
  copyFileSync(join(root, "package.json"), join(folder, "package.json"));
  const [line = ""] = instructions.filter((each) => each.startsWith("RUN npm pkg set"));
  execFileSync("sh", ["-c", line.replace("RUN ", "")], { cwd: folder });
  const { dependencies, devDependencies, peerDependencies } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  expect(dependencies.pg).toBe(peerDependencies.pg);
  expect(devDependencies).not.toHaveProperty("pg");
});

test("a build installs from the lock file only, runs no install scripts, and names no host", () => {
  const installs = instructions.filter((line) => line.includes("npm ci"));
  expect(installs).toHaveLength(2);
  for (const line of installs) expect(line).toMatch(/npm ci .*--cache=\/npm-cache --ignore-scripts/);
  expect(wordsOf("FROM").map(([image]) => image)).toEqual([
    "scratch",
    "node:24-slim",
    "sources",
    "sources",
    "node:24-slim",
  ]);
  const outside = instructions.filter((line) => !line.startsWith("HEALTHCHECK ")).join("\n");
  expect(outside).not.toMatch(/https?:\/\//);
  expect(textOf("package-lock.json")).not.toContain('"resolved"');
  expect(wordsOf("USER")).toEqual([["node"]]);
});

test("the health check passes for a running stub, and fails for a stopped one", async () => {
  const stub = await startUnderstudy();
  const [, command = ""] = /^HEALTHCHECK .* CMD (\[.*\])$/m.exec(instructions.join("\n")) ?? [];
  const [, ...words]: readonly string[] = JSON.parse(command);
  const isHealthy = async () => {
    const env = { UNDERSTUDY_PORT: new URL(stub.ledgerUrl).port };
    const [code] = await once(spawn(process.execPath, words, { env, stdio: "inherit" }), "close");
    return code === 0;
  };
  expect(await isHealthy()).toBe(true);
  await stub.close();
  expect(await isHealthy()).toBe(false);
});
