import type { Install, Workspace } from "./workspace.ts";

/** What a run measures with, and how long. */
export interface Plan {
  readonly workspace: Workspace;
  /** This checkout, and the one of `--against`. */
  readonly installs: readonly Install[];
  readonly hasPeers: boolean;
  readonly effort: Effort;
  /** Prints progress. */
  tell(text: string): void;
  /** Adds a remark to the results, such as the reason of a missing number. */
  note(text: string): void;
}

export interface Effort {
  /** Rounds, and the seconds of load in each. */
  readonly rounds: number;
  readonly seconds: number;
  /** Seconds of load before the first measurement of a server, for JIT compilers. */
  readonly warmUpSeconds: number;
  /** Rounds of measurements that start a process each. */
  readonly processes: number;
  /** Requests, users, updates of the ledger and exchanges of the large cases. */
  readonly requests: number;
  readonly users: number;
  readonly updates: number;
  readonly exchanges: number;
}

export const wholeEffort: Effort = {
  rounds: 5,
  seconds: 3,
  warmUpSeconds: 5,
  processes: 3,
  requests: 1_000_000,
  users: 1_000_000,
  updates: 100_000,
  exchanges: 270_000,
};

export const quickEffort: Effort = {
  rounds: 3,
  seconds: 1,
  warmUpSeconds: 3,
  processes: 2,
  requests: 100_000,
  users: 100_000,
  updates: 5000,
  exchanges: 40_000,
};
