// Sends the largest input of every kind to a stub, and prints the processor time and the longest delay of its event loop
// for each: `npm run bench:largest [part of a name]`.
import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type LargeInput, largeInputs } from "./inputs.ts";
import type { InputCost } from "./watch.ts";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const part = process.argv[2] ?? "";
const folder = mkdtempSync(join(tmpdir(), "understudy-bench-"));
const readyFile = join(folder, "url");
const words = ["serve", path("../../scenarios/quickstart.arazzo.yaml"), "--port", "0", "--ready-file", readyFile];
const stub = fork(path("../../src/entrypoints/cli/main.ts"), words, {
  execArgv: ["--import", path("./watch.ts")],
  stdio: ["ignore", "ignore", "ignore", "ipc"],
});
const ended = once(stub, "exit");
while (!existsSync(readyFile)) {
  if (stub.exitCode !== null) throw new Error(`the stub ended with ${stub.exitCode}`);
  await setTimeout(20);
}
const url = readFileSync(readyFile, "utf8").trim();
// The stub compiles its schemas at the first requests.
for (const input of largeInputs) if (input.method !== "GET") await send(input, "{}");

await measure("As much as fits into a body", "refused");
await measure("As much as the limits accept", "accepted");
stub.kill();
await ended;
rmSync(folder, { recursive: true });

async function measure(title: string, which: "refused" | "accepted"): Promise<void> {
  console.log(`\n| ${title} | Body | Status | Processor time | Longest delay |\n| --- | --- | --- | --- | --- |`);
  let previous = "";
  for (const input of largeInputs.filter(({ name }) => name.includes(part))) {
    const count = input[which];
    if (count === undefined) continue;
    const body = input.body(Math.floor(count), previous);
    await figures();
    const { status, text } = await send(input, body);
    // Client rules look at an exchange after its response.
    await setTimeout(100);
    const { cpuMs, delayMs } = await figures();
    const [name, size] = [
      count === 1 ? input.name : `${Math.floor(count).toLocaleString("en")} ${input.name}`,
      `${(body.length / 1e6).toFixed(1)} MB`,
    ];
    console.log(`| ${name} | ${size} | ${status} | ${cpuMs.toFixed(0)} ms | ${delayMs.toFixed(0)} ms |`);
    if (part !== "") console.log(text.slice(0, 300));
    previous = text;
  }
}

async function send({ method, target }: LargeInput, body: string) {
  const headers = { Authorization: "Bearer any", "Content-Type": "application/json" };
  const response = await fetch(`${url}${target}`, { method, headers, ...(method === "GET" ? {} : { body }) });
  return { status: response.status, text: await response.text() };
}

/** The figures since the last call. */
async function figures(): Promise<InputCost> {
  stub.send("figures");
  const [cost] = await once(stub, "message");
  return cost;
}
