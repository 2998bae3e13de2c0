import { type ChildProcess, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { attemptMsMax, type FuzzMessage, type FuzzOrder, type Slowest } from "./_messages.ts";

/** Time after which a silent process is killed: ten times the time limit of an input, of its processor time where the system shows it. */
const silenceMsMax: number = attemptMsMax * 10;
/** Wall time after which it is killed in any case, counted in silences. */
const silencesMax = 12;

/** Limit of hangs and crashes of a kind; each needs a new process. */
const fatalMax = 10;

/** A problem, with the number of its input. */
export interface FuzzFinding {
  readonly number: number;
  readonly text: string;
}

export interface KindResult {
  readonly kind: string;
  readonly inputs: number;
  readonly durationMs: number;
  readonly slowest: Slowest;
  /** Bytes of the heap at the first look and at the last; undefined where one process did not get that far. */
  readonly heap: readonly [first: number, last: number] | undefined;
  readonly findings: readonly FuzzFinding[];
}

type Ending =
  | { readonly type: "ended"; readonly slowest: Slowest }
  | { readonly type: "hung" | "crashed"; readonly number: number; readonly text: string };

interface Thrown {
  readonly ending: Ending;
  readonly heap: readonly number[];
}

/** Receives the numbers of inputs that begin, and findings as soon as they are known. */
export interface FuzzListener {
  readonly onBegun: (number: number) => void;
  readonly onFinding: (finding: FuzzFinding) => void;
}

/** Runs all inputs of an order in child processes, so that no input can stop the run. */
export async function throwKind(order: FuzzOrder, { onBegun, onFinding }: FuzzListener): Promise<KindResult> {
  const begunMs = performance.now();
  const findings: FuzzFinding[] = [];
  const listener = {
    onBegun,
    onFinding: (finding: FuzzFinding) => {
      findings.push(finding);
      onFinding(finding);
    },
  };
  let slowest: Slowest = { number: order.from, ms: 0 };
  let heap: readonly number[] = [];
  let fatal = 0;
  let from = order.from;
  while (from < order.to && fatal < fatalMax) {
    const thrown = await throwInputs({ ...order, from }, listener);
    const { ending } = thrown;
    heap = thrown.heap;
    from = ending.type === "ended" ? order.to : ending.number + 1;
    if (ending.type === "ended") slowest = ending.slowest;
    else {
      fatal += 1;
      listener.onFinding({ number: ending.number, text: ending.text });
    }
  }
  const [first, last] = [heap[0], heap.at(-1)];
  return {
    kind: order.kind,
    inputs: from - order.from,
    durationMs: performance.now() - begunMs,
    slowest,
    heap: heap.length < 2 || first === undefined || last === undefined ? undefined : [first, last],
    findings,
  };
}

const thrower = fileURLToPath(new URL("_throw.ts", import.meta.url));
const errorLengthMax = 3000;

function throwInputs(order: FuzzOrder, { onBegun, onFinding }: FuzzListener): Promise<Thrown> {
  const child = fork(thrower, [JSON.stringify(order)], {
    execArgv: ["--expose-gc", "--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "inherit", "pipe", "ipc"],
  });
  const heap: number[] = [];
  let [number, errors, hasBegun] = [order.from, "", false];
  let ending: Ending | undefined;
  const watchdog = new Watchdog(child, () => {
    ending = { type: "hung", number, text: `hangs: it says nothing for ${silenceMsMax} ms` };
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    errors = `${errors}${chunk}`.slice(-errorLengthMax);
  });
  child.on("message", (message: FuzzMessage) => {
    if (message.type === "begun") {
      number = message.number;
      hasBegun = true;
      watchdog.restart();
      onBegun(number);
    } else if (message.type === "finding") onFinding({ number: message.number, text: message.text });
    else {
      watchdog.stop();
      if (message.type === "heap") heap.push(message.bytes);
      else ending ??= message;
    }
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      watchdog.stop();
      if (!hasBegun && ending === undefined) {
        reject(new Error(`the kind ${order.kind} does not open: ${errors}`));
        return;
      }
      const text = `the process ends by ${signal ?? `code ${code}`}\n${errors}`;
      resolve({ ending: ending ?? { type: "crashed", number, text }, heap });
    });
  });
}

/** Ends a process that is silent for too long, also one that does nothing but compute. */
class Watchdog {
  readonly #child: ChildProcess;
  readonly #onHang: () => void;
  #timer: NodeJS.Timeout | undefined;
  /** Looks at the current input, and the processor time at the first of them. */
  #looks = 0;
  #cpuMs: number | undefined;

  constructor(child: ChildProcess, onHang: () => void) {
    this.#child = child;
    this.#onHang = onHang;
  }

  restart(): void {
    this.#looks = 0;
    if (this.#timer === undefined) this.#timer = setTimeout(() => this.#look(), silenceMsMax);
    else this.#timer.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Whether the process has had its time: on a busy machine it may have waited for a processor. */
  #isOver(): boolean {
    const cpuMs = cpuMsOf(this.#child.pid);
    this.#looks += 1;
    if (this.#looks === 1) this.#cpuMs = cpuMs;
    if (cpuMs === undefined || this.#cpuMs === undefined || this.#looks >= silencesMax) return true;
    return cpuMs - this.#cpuMs > silenceMsMax;
  }

  /** Reads pending output of the process first: this process may be the late one. */
  #look(): void {
    const timer = this.#timer;
    let isSilent = true;
    const heard = () => {
      isSilent = false;
    };
    this.#child.once("message", heard);
    setTimeout(() => {
      this.#child.off("message", heard);
      if (!isSilent || timer !== this.#timer) return;
      if (!this.#isOver()) {
        timer?.refresh();
        return;
      }
      this.#onHang();
      this.#child.kill("SIGKILL");
    }, 20);
  }
}

/** Milliseconds of a tick of Linux. */
const tickMs = 10;

/** Processor time of a process in milliseconds; undefined if the system does not show it as Linux does. */
function cpuMsOf(pid: number | undefined): number | undefined {
  try {
    // Fields 14 and 15; the name of the process, in parentheses, is the second.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch {
    return undefined;
  }
}
