import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { GuideServer, GuideShell, type Printed } from "./_guide-shell.ts";

/** A step of a page that its reader follows. */
export type GuideStep =
  | { readonly type: "file"; readonly line: number; readonly name: string; readonly text: string }
  | { readonly type: "command"; readonly line: number; readonly command: string; readonly printed: string | undefined }
  /** Ctrl-C in the terminal of the last server, with its output since it was ready. */
  | { readonly type: "interrupt"; readonly line: number; readonly printed: string }
  /** Data that is only validated. */
  | { readonly type: "value"; readonly line: number; readonly language: string; readonly text: string }
  /** An excerpt of a file that other tests run. */
  | { readonly type: "excerpt"; readonly line: number; readonly file: string; readonly text: string }
  /** A block that needs something that this test does not have. */
  | { readonly type: "elsewhere"; readonly line: number; readonly needs: string }
  | { readonly type: "unknown"; readonly line: number; readonly text: string };

const fence = /^((?:<!-- .* -->\n+)*)```(\w*)(?: +([\w./-]+))?\n([\s\S]*?)^```$/gm;
const mark = /^<!-- (needs|excerpt of|first): (.*) -->$/gm;
const fileName = /^(?:\/\/|#) ([\w.-]+(?:\/[\w.-]+)*\.(?:js|ts|mjs|json|ya?ml|har|conf))$/;

interface Block {
  readonly line: number;
  readonly needs: string | undefined;
  /** The file that the block is an excerpt of. */
  readonly file: string | undefined;
  readonly first: readonly string[];
  readonly language: string;
  readonly name: string | undefined;
  readonly text: string;
}

/**
 * The steps of a page. Each block is one or several steps:
 *
 * | Block | Step |
 * | --- | --- |
 * | the first line is a comment with a file name, or the fence names a file | the file is written |
 * | `sh` | commands that succeed; they print what the `text` block behind it says |
 * | lines that begin with `$ ` | commands, each with what it prints; where that is `…` alone, the command succeeds |
 * | a line `^C` | interrupts the server that was started last |
 * | `js`, `ts` without a name | a program that Node runs |
 * | `json`, `yaml` without a name | data that has to be valid |
 *
 * Comments before a block add to it: `<!-- needs: docker -->` is skipped without Docker, `<!-- excerpt of: FILE -->` has
 * lines of that file, and `<!-- first: COMMAND -->` is run without being shown.
 */
export function stepsOf(page: string, available: readonly string[] = []): readonly GuideStep[] {
  const steps: GuideStep[] = [];
  for (const block of blocksOf(page)) {
    const last = steps.at(-1);
    for (const command of block.first) steps.push({ type: "command", line: block.line, command, printed: undefined });
    if (block.language === "text" && last?.type === "command" && last.printed === undefined)
      steps.splice(-1, 1, { ...last, printed: block.text.trimEnd() });
    else if (block.language !== "text" || last?.type !== "elsewhere") steps.push(...stepsIn(block, available));
  }
  return steps;
}

function blocksOf(page: string): readonly Block[] {
  return [...page.matchAll(fence)].map(({ 1: comments = "", 2: language = "", 3: named, 4: text = "", index }) => {
    const marks = [...comments.matchAll(mark)].map(([, kind, value = ""]) => ({ kind, value }));
    return {
      line: `${page.slice(0, index)}${comments}`.split("\n").length + 1,
      needs: marks.find(({ kind }) => kind === "needs")?.value,
      file: marks.find(({ kind }) => kind === "excerpt of")?.value,
      first: marks.flatMap(({ kind, value }) => (kind === "first" ? [value] : [])),
      language,
      name: named ?? fileName.exec(text.split("\n")[0] ?? "")?.[1],
      text,
    };
  });
}

/** Lines that begin or end a block that `stepsOf` does not recognize. */
export function unseenFences(page: string): readonly string[] {
  const rest = page.replaceAll(fence, "");
  return rest.split("\n").filter((line) => /^\s*(?:```|~~~)/.test(line));
}

function stepsIn(block: Block, available: readonly string[]): readonly GuideStep[] {
  const { line, needs, file, language, name, text } = block;
  if (needs !== undefined && !available.includes(needs)) return [{ type: "elsewhere", line, needs }];
  const excerpt = file === undefined ? [] : [{ type: "excerpt", line, file, text } as const];
  if (name !== undefined) return [...excerpt, { type: "file", line, name, text }];
  if (file !== undefined) return excerpt;
  if (text.startsWith("$ ")) return transcriptOf(text, line);
  if (language === "sh") return [{ type: "command", line, command: text.trimEnd(), printed: undefined }];
  if (/^\^C$/m.test(text)) return [{ type: "interrupt", line, printed: text.trimEnd() }];
  if (language === "js" || language === "ts") {
    const program = `program-${line}.${language === "js" ? "mjs" : "ts"}`;
    const command = `node ${program}`;
    return [
      { type: "file", line, name: program, text },
      { type: "command", line, command, printed: undefined },
    ];
  }
  if (language === "json" || language === "yaml") return [{ type: "value", line, language, text }];
  return [{ type: "unknown", line, text }];
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

/** A step that was run. The problem is the difference from the output in the page; undefined without a difference. */
export interface Followed {
  readonly step: GuideStep;
  readonly problem: string | undefined;
}

export interface GuideOptions {
  readonly env: NodeJS.ProcessEnv;
  /** File of the packed package. `npm install` gets it instead of the package name. */
  readonly packed?: string;
  /** Loopback address that replaces 127.0.0.1, so that all ports of the page are free. */
  readonly address?: string;
  /** Runs a command line of `understudy` in the process. By default the shell runs it. */
  readonly understudy?: (words: readonly string[], options: InProcess) => Promise<Ended>;
  /** Ends all processes of the page. */
  readonly signal?: AbortSignal;
}

interface InProcess {
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
}

interface Ended {
  readonly exitCode: number | null;
  readonly out: string;
  readonly error: string;
}

/** Runs the steps of a page in a folder up to the first problem. All commands share a shell. */
export async function follow(
  steps: readonly GuideStep[],
  folder: string,
  options: GuideOptions,
): Promise<readonly Followed[]> {
  const followed: Followed[] = [];
  const terminal = new Terminal(folder, options);
  options.signal?.addEventListener("abort", () => terminal.kill());
  try {
    for (const step of steps) {
      const problem = await terminal.take(step);
      if (step.type === "command" || step.type === "interrupt") followed.push({ step, problem });
      if (problem !== undefined) break;
    }
  } finally {
    await terminal.close();
  }
  return followed;
}

/**
 * Commands that start a server. With `&` it runs to the end of the page, otherwise until the next server starts. The shell runs
 * commands with a redirection.
 */
const isServer = /^understudy (?:serve|record(?! --recover)|replay|pact states)\b[^\n<>|;]*$/;
const isPlain = (command: string): boolean =>
  command.split("\n").every((line) => /^understudy [\w ./:=@,+-]+$/.test(line));

/** Possible outputs of a terminal: the order of its two streams is unknown. */
interface Shown {
  readonly out: readonly string[];
  readonly code: number;
}

class Terminal {
  readonly #folder: string;
  readonly #options: GuideOptions;
  readonly #shell: GuideShell;
  readonly #inBackground: GuideServer[] = [];
  #inForeground: GuideServer | undefined;

  constructor(folder: string, options: GuideOptions) {
    this.#folder = folder;
    this.#options = options;
    const { address, env } = options;
    const host = address === undefined ? {} : { UNDERSTUDY_HOST: address };
    this.#shell = new GuideShell({ folder, env: { ...env, ...host } });
  }

  /** The problem with a step, if there is one. */
  async take(step: GuideStep): Promise<string | undefined> {
    if (step.type === "file") this.#write(step.name, step.text);
    if (step.type === "interrupt") return differenceOf(step.line, "^C", step.printed, await this.#interrupt());
    if (step.type !== "command") return undefined;
    const { out, code } = await this.#run(this.#commandOf(step.command), step.printed ?? "");
    if (step.printed !== undefined && step.printed !== "…")
      return differenceOf(step.line, step.command, step.printed, out);
    return code === 0 ? undefined : `line ${step.line}: ${step.command}\nended with ${code}:\n${out.join("\n")}`;
  }

  #write(name: string, text: string): void {
    const file = join(this.#folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, this.#atAddress(text));
  }

  #commandOf(shown: string): string {
    const { packed = "canton-understudy" } = this.#options;
    return this.#atAddress(shown)
      .replace(/^npm run (?:-s|--silent) understudy -- /, "understudy ")
      .replace(/(npm install .*)\bcanton-understudy\b/, (_, before: string) => `${before}${packed}`);
  }

  #atAddress(text: string): string {
    return text.replaceAll("127.0.0.1", this.#options.address ?? "127.0.0.1");
  }

  async #run(command: string, printed: string): Promise<Shown> {
    const { understudy } = this.#options;
    if (isServer.test(command)) return this.#serve(command, printed);
    if (understudy === undefined || !isPlain(command)) return this.#shown(await this.#shell.run(command));
    const { folder, env } = await this.#shell.surroundings();
    const own = Object.entries(env).flatMap(([name, value = ""]) => (/^UNDERSTUDY_/.test(name) ? [[name, value]] : []));
    const ran: Ended[] = [];
    for (const line of command.split("\n"))
      ran.push(await understudy(line.split(/ +/).slice(1), { folder, variables: Object.fromEntries(own) }));
    const texts = [ran.map(({ out, error }) => out + error), ran.map(({ out, error }) => error + out)];
    const code = ran.find(({ exitCode }) => exitCode !== 0)?.exitCode ?? 0;
    return { out: texts.flatMap((parts) => this.#shown({ out: parts.join(""), code }).out), code };
  }

  async #serve(command: string, printed: string): Promise<Shown> {
    const isInBackground = command.endsWith("&");
    if (!isInBackground) await this.#inForeground?.interrupt();
    const server = new GuideServer(command.replace(/&$/, ""), await this.#shell.surroundings());
    if (isInBackground) this.#inBackground.push(server);
    else this.#inForeground = server;
    const isReady = await server.ready();
    if (/^\^C$/m.test(printed)) await server.interrupt();
    return this.#shown({ out: server.take(), code: isReady ? 0 : 1 });
  }

  async #interrupt(): Promise<readonly string[]> {
    await this.#inForeground?.interrupt();
    return this.#shown({ out: this.#inForeground?.take() ?? "", code: 0 }).out;
  }

  #shown({ out, code }: Printed): Shown {
    return { out: [out.replaceAll(this.#options.address ?? "127.0.0.1", "127.0.0.1")], code };
  }

  async close(): Promise<void> {
    this.#killServers();
    await this.#shell.close();
  }

  kill(): void {
    this.#killServers();
    this.#shell.kill();
  }

  #killServers(): void {
    for (const server of [...this.#inBackground, this.#inForeground]) server?.kill();
  }
}

function differenceOf(line: number, command: string, expected: string, printed: readonly string[]): string | undefined {
  if (printed.some((text) => isPrintedAs(expected, text))) return undefined;
  return `line ${line}: ${command}\nprinted:\n${printed[0] ?? ""}\nnot:\n${expected}`;
}

/** Compares outputs. A line `…` matches any lines, and `…` inside a line any text. Spaces at line ends are ignored. */
function isPrintedAs(expected: string, printed: string): boolean {
  const lines = expected.split("\n").flatMap((line) => {
    if (line === "^C") return [];
    if (line.trim() === "…") return ["(?:[^\\n]*\\n)*"];
    return [`${line.trimEnd().split("…").map(escaped).join("[^\\n]*")}\\n`];
  });
  // Ignores warnings of npm about the configuration of the machine.
  const text = printed
    .replaceAll(/^npm (?:warn|notice).*\n/gm, "")
    .replaceAll(/[ \t\r]+$/gm, "")
    .trimEnd();
  return new RegExp(`^${lines.join("")}$`).test(`${text}\n`);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
