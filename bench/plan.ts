import type { Tools } from "./machine.ts";
import type { ServerKind } from "./servers/_server.ts";
import type { Workspace } from "./workspace.ts";

/** The cases, servers and tools of a run. */
export interface Plan {
  readonly workspace: Workspace;
  readonly tools: Tools;
  readonly kinds: readonly ServerKind[];
  readonly effort: Effort;
  tell(text: string): void;
}

/** The effort of a run: rounds and durations. */
export interface Effort {
  readonly rounds: number;
  /** Seconds of load in each round. */
  readonly seconds: number;
  /** Seconds of warm-up before the first measurement of a server, for JIT compilers. */
  readonly warmUpSeconds: number;
  readonly starts: number;
  /** Number of requests before the last measurement of memory. */
  readonly requests: number;
  readonly users: number;
  readonly exchanges: number;
  /** Rounds of measurements that start a process each. */
  readonly processes: number;
}

export const wholeEffort: Effort = {
  rounds: 5,
  seconds: 3,
  warmUpSeconds: 5,
  starts: 7,
  requests: 1_000_000,
  users: 1_000_000,
  exchanges: 1_000_000,
  processes: 2,
};

export const quickEffort: Effort = {
  rounds: 2,
  seconds: 1,
  warmUpSeconds: 2,
  starts: 3,
  requests: 100_000,
  users: 100_000,
  exchanges: 50_000,
  processes: 1,
};
