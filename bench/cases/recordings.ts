import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plan } from "../plan.ts";
import { type Launch, node, pinned } from "../processes.ts";
import { writeRecording } from "../recording.ts";
import { type Figures, inTurns, type Row, type Subject } from "../rows.ts";

const parse: string = fileURLToPath(new URL("parse-lines.ts", import.meta.url));
/** Prints the processor time of a command in milliseconds when it ends. */
const tell = `process.on("exit", () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  process.stderr.write("spent " + (userCPUTime + systemCPUTime) / 1000 + "\\n");
})`;
const preload = `--import=data:text/javascript,${encodeURIComponent(tell)}`;
/** Share of the recording for commands that need less of it. */
const smallShare = 10;

/** The commands that read a recording. The reference is Node's reader of lines with `JSON.parse`. */
export async function runRecordings(plan: Plan): Promise<readonly Row[]> {
  const { workspace, effort } = plan;
  const [large, small, polling] = ["large.har", "small.har", "polling.har"].map((name) => join(workspace.folder, name));
  if (large === undefined || small === undefined || polling === undefined) return [];
  await writeRecording(large, effort.exchanges);
  await writeRecording(small, effort.exchanges / smallShare);
  await writeRecording(polling, effort.exchanges / smallShare, true);
  const size = (file: string) => `${Math.round(statSync(file).size / 1e6)} MB`;
  const row = async (name: string, title: string, file: string, words: readonly string[]): Promise<Row> => {
    plan.tell(`recordings: ${title}`);
    return { name, title: `${title}, ${size(file)}`, unit: "s", values: await measure(plan, file, words) };
  };
  const out = join(workspace.folder, "redacted.har");
  return [
    await row("check", "check", large, ["check", large, "--json"]),
    await row("check-polling", "check, nine of ten reads repeated", polling, ["check", polling, "--json"]),
    await row("redact", "redact", small, ["redact", small, "--out", out, "--force"]),
    await shards(plan, large),
  ];
}

async function measure({ installs, effort }: Plan, file: string, words: readonly string[]) {
  const runs = new Map<Subject, () => Promise<Figures>>([
    ["reference", () => spent(pinned(node(preload, parse, file)))],
  ]);
  for (const { name, command } of installs) runs.set(name, () => spent(pinned(node(preload, command, ...words))));
  return (await inTurns(effort.processes, runs))("cpu");
}

/** The speed of two processes on two cores, as a multiple of the speed of one process on one. */
async function shards({ installs, effort, tell: print }: Plan, file: string): Promise<Row> {
  print("recordings: shards");
  const runs = new Map<Subject, () => Promise<Figures>>();
  for (const { name, command } of installs)
    runs.set(name, async () => {
      const check = (core: string, ...flags: readonly string[]) =>
        spent(pinned(node(preload, command, "check", file, "--json", ...flags), core));
      const one = await check("0");
      const two = await Promise.all([check("0", "--shard", "1/2"), check("1", "--shard", "2/2")]);
      return { times: one.elapsed / Math.max(...two.map(({ elapsed }) => elapsed)) };
    });
  const found = await inTurns(effort.processes, runs);
  return { name: "shards", title: "check `--shard` over two processes", unit: "×", values: found("times") };
}

/** Seconds of the processor and of the clock of a command. It may end with 1, because the recording breaks rules. */
function spent({ command, words }: Launch): Promise<{ readonly cpu: number; readonly elapsed: number }> {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const child = spawn(command, words, { stdio: ["ignore", "ignore", "pipe"] });
    let errors = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors = (errors + text).slice(-2000);
    });
    child.once("error", reject);
    child.once("close", (code) => {
      const cpuMs = /spent (\S+)\n/.exec(errors)?.[1];
      if ((code === 0 || code === 1) && cpuMs !== undefined)
        resolve({ cpu: Number(cpuMs) / 1000, elapsed: (performance.now() - begun) / 1000 });
      else reject(new Error(`${words.join(" ")} ended with ${code}: ${errors}`));
    });
  });
}
