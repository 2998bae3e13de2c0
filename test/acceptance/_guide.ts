import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A part of a guide that somebody follows word by word. */
export type GuideStep =
  | { readonly type: "file"; readonly name: string; readonly text: string }
  | { readonly type: "command"; readonly line: number; readonly command: string; readonly printed: string | undefined };

const fence = /^```(\w*)\n([\s\S]*?)^```$/gm;
const fileName = /^(?:\/\/|#) ([\w.-]+(?:\/[\w.-]+)*\.(?:js|ts|mjs|json|ya?ml|har|conf))$/;

/**
 * The steps of a guide: a block whose first line is a comment with a file name is that file, a block of `sh` is commands, a
 * block of `text` behind it is what they print, and a block in which lines begin with `$ ` is commands with what each prints.
 * Blocks of any other kind are for reading.
 */
export function stepsOf(page: string): readonly GuideStep[] {
  const steps: GuideStep[] = [];
  for (const { 1: kind = "", 2: text = "", index } of page.matchAll(fence)) {
    const line = page.slice(0, index).split("\n").length + 1;
    const name = fileName.exec(text.split("\n")[0] ?? "")?.[1];
    const last = steps.at(-1);
    if (name !== undefined) steps.push({ type: "file", name, text });
    else if (kind === "sh") steps.push({ type: "command", line, command: text.trimEnd(), printed: undefined });
    else if (kind === "text" && last?.type === "command") steps.splice(-1, 1, { ...last, printed: text.trimEnd() });
    else if (kind === "" && text.startsWith("$ ")) steps.push(...transcriptOf(text, line));
  }
  return steps;
}

function transcriptOf(text: string, line: number): readonly GuideStep[] {
  const parts = text.split(/^\$ /m).slice(1);
  let at = line;
  return parts.map((part) => {
    const [command = "", ...printed] = part.split("\n");
    const step = { type: "command", line: at, command, printed: printed.join("\n").trimEnd() } as const;
    at += part.split("\n").length - 1;
    return step;
  });
}

/** What a command of a guide came to: undefined where it printed what the guide says, else the difference. */
export interface Followed {
  readonly step: GuideStep;
  readonly problem: string | undefined;
}

/** Follows a guide in a folder, all commands in one shell. `packed` stands for the package where it is installed. */
export async function follow(
  steps: readonly GuideStep[],
  folder: string,
  setting: { readonly packed: string; readonly env: NodeJS.ProcessEnv },
): Promise<readonly Followed[]> {
  const shell = new GuideShell(folder, setting.env);
  const followed: Followed[] = [];
  try {
    for (const step of steps) {
      if (step.type === "file") {
        const file = join(folder, step.name);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, step.text);
        continue;
      }
      const command = step.command.replace(/(npm install .*)\bcanton-understudy\b/, `$1${setting.packed}`);
      const { out, code } = await shell.run(command);
      const problem =
        step.printed === undefined
          ? code === 0
            ? undefined
            : `line ${step.line}: ${step.command}\nended with ${code}:\n${out}`
          : printedOtherwise(step.printed, out) &&
            `line ${step.line}: ${step.command}\nprinted:\n${out}\nnot:\n${step.printed}`;
      followed.push({ step, problem });
      if (problem !== undefined) break;
    }
  } finally {
    await shell.close();
  }
  return followed;
}

/** `…` on a line of its own stands for any lines, within a line for any text; blanks at the ends of lines do not count. */
function printedOtherwise(expected: string, printed: string): true | undefined {
  const lines = expected.split("\n").map((line) => {
    if (line.trim() === "…") return "(?:[^\\n]*\\n)*";
    return `${line.trimEnd().split("…").map(escaped).join("[^\\n]*")}\\n`;
  });
  // What npm says of the machine's own configuration is not the guide's.
  const text = printed
    .replaceAll(/^npm (?:warn|notice).*\n/gm, "")
    .replaceAll(/[ \t]+$/gm, "")
    .trimEnd();
  return new RegExp(`^${lines.join("")}$`).test(`${text}\n`) ? undefined : true;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** A shell that stays, so that variables, folders and what runs in the background stay too. */
class GuideShell {
  readonly #child;
  #out = "";

  constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.#child = spawn("bash", ["--norc", "--noprofile"], { cwd: folder, env, stdio: "pipe", detached: true });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        this.#out += text;
        this.#child.emit("printed");
      });
  }

  async run(command: string): Promise<{ readonly out: string; readonly code: number }> {
    const mark = `understudy-guide-${crypto.randomUUID()}`;
    this.#out = "";
    this.#child.stdin.write(`{ ${command}\n} 2>&1 </dev/null; echo "${mark} $?"\n`);
    const end = new RegExp(`${mark} (\\d+)\n`);
    for (let found = end.exec(this.#out); ; found = end.exec(this.#out)) {
      if (found !== null) return { out: this.#out.slice(0, found.index), code: Number(found[1]) };
      if (this.#child.exitCode !== null) return { out: this.#out, code: this.#child.exitCode };
      await once(this.#child, "printed");
    }
  }

  /** Ends the shell with all that it began. */
  async close(): Promise<void> {
    const ended = once(this.#child, "close");
    if (this.#child.pid !== undefined && this.#child.exitCode === null) process.kill(-this.#child.pid, "SIGKILL");
    await ended;
  }
}
