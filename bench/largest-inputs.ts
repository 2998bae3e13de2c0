// Sends the largest input of every kind to a stub, and prints the processor time and the longest delay of its event loop
// for each: `npm run bench:largest [part of a name]`.
import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { acceptedInputs } from "./largest/accepted-inputs.ts";
import type { LargeInput } from "./largest/large-input.ts";
import { refusedInputs } from "./largest/refused-inputs.ts";
import type { InputCost } from "./largest/watch.ts";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const part = process.argv[2] ?? "";
const folder = mkdtempSync(join(tmpdir(), "understudy-bench-"));
const readyFile = join(folder, "url");
const words = ["serve", path("../scenarios/quickstart.arazzo.yaml"), "--port", "0", "--ready-file", readyFile];
const stub = fork(path("../src/entrypoints/cli/main.ts"), words, {
  execArgv: ["--import", path("./largest/watch.ts")],
  stdio: ["ignore", "ignore", "ignore", "ipc"],
});
const ended = once(stub, "exit");
while (!existsSync(readyFile)) {
  if (stub.exitCode !== null) throw new Error(`the stub ended with ${stub.exitCode}`);
  await setTimeout(20);
}
const url = readFileSync(readyFile, "utf8").trim();
// The stub compiles its schemas at the first requests.
for (const input of [...refusedInputs, ...acceptedInputs])
  if (input.method !== "GET") await send({ ...input, body: () => "{}" }, "");

await measure("As much as fits into a body", refusedInputs);
await measure("As much as the limits accept", acceptedInputs);
stub.kill();
await ended;
rmSync(folder, { recursive: true });

async function measure(title: string, inputs: readonly LargeInput[]): Promise<void> {
  console.log(`\n| ${title} | Body | Status | Processor time | Longest delay |\n| --- | --- | --- | --- | --- |`);
  let previous = "";
  for (const input of inputs.filter(({ name }) => name.includes(part))) {
    const body = input.body(previous);
    await figures();
    const { status, text } = await send({ ...input, body: () => body }, previous);
    // Client rules look at an exchange after its response.
    await setTimeout(100);
    const { cpuMs, delayMs } = await figures();
    const size = `${(body.length / 1e6).toFixed(1)} MB`;
    console.log(`| ${input.name} | ${size} | ${status} | ${cpuMs.toFixed(0)} ms | ${delayMs.toFixed(0)} ms |`);
    if (part !== "") console.log(text.slice(0, 300));
    previous = text;
  }
}

async function send(input: LargeInput, previous: string): Promise<{ readonly status: number; readonly text: string }> {
  const { method, target, body } = input;
  const headers = { Authorization: "Bearer any", "Content-Type": "application/json" };
  const content = method === "GET" ? {} : { body: body(previous) };
  const response = await fetch(`${url}${target}`, { method, headers, ...content });
  return { status: response.status, text: await response.text() };
}

/** The figures since the last call. */
async function figures(): Promise<InputCost> {
  stub.send("figures");
  const [cost] = await once(stub, "message");
  return cost;
}
