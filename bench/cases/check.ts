import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plan } from "../plan.ts";
import { finished, type Launch, pinned } from "../processes.ts";
import type { CaseResult } from "../results.ts";
import { measurement } from "./million-users.ts";

const checkBench: string = fileURLToPath(new URL("../check.ts", import.meta.url));

/** Accepted exit codes of `check`: the recording contains responses that break rules. */
const checkExitCodes = [0, 1];

/** Compares `understudy check` on a large recording with `JSON.parse` of its lines. */
export async function runChecker(plan: Plan): Promise<readonly CaseResult[]> {
  const { workspace, tools, effort } = plan;
  const file = join(workspace.folder, "recording.har");
  plan.tell("check: writing the recording");
  await finished({
    command: process.execPath,
    words: [checkBench, "--exchanges", String(effort.exchanges), "--write", file],
  });
  const check = { command: process.execPath, words: [workspace.understudy, "check", file, "--json"] };
  const parse = { command: process.execPath, words: [checkBench, "--parse", file] };
  const one = tools.cores === undefined ? [] : [tools.cores.server];
  const runs: readonly (readonly [string, Launch])[] = [
    ["JSON.parse", pinned(parse, one)],
    ["one core", pinned(check, one)],
  ];
  const rates = new Map<string, number[]>(runs.map(([subject]) => [subject, []]));
  for (let round = 1; round <= effort.processes; round += 1)
    for (const [subject, launch] of runs) {
      plan.tell(`check: ${subject}, round ${round} of ${effort.processes}`);
      rates.get(subject)?.push(effort.exchanges / (await secondsOf(launch)));
    }
  return [
    {
      name: "check",
      title: `checker, ${effort.exchanges.toLocaleString("en")} exchanges`,
      about: `the whole of \`understudy check\` on a recording of ${Math.round(statSync(file).size / 1e6)} MB, by the clock; Node's reader of lines with JSON.parse beside it`,
      unit: "exchanges/s",
      isHigherBetter: true,
      measurements: [...rates].map(([subject, rounds]) => measurement(subject, rounds)),
      absences: [],
    },
  ];
}

function secondsOf({ command, words }: Launch): Promise<number> {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const child = spawn(command, words, { stdio: ["ignore", "ignore", "inherit"] });
    child.once("error", reject);
    child.once("close", (code) => {
      if (code !== null && checkExitCodes.includes(code)) resolve((performance.now() - begun) / 1000);
      else reject(new Error(`${words.join(" ")} ended with ${code}`));
    });
  });
}
