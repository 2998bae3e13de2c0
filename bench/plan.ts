import type { Tools } from "./machine.ts";
import type { ServerKind } from "./servers/_server.ts";
import type { Workspace } from "./workspace.ts";

/** What a run is to do, and with what. */
export interface Plan {
  readonly workspace: Workspace;
  readonly tools: Tools;
  readonly kinds: readonly ServerKind[];
  readonly effort: Effort;
  tell(text: string): void;
}

/** How much is measured of each thing. */
export interface Effort {
  readonly rounds: number;
  /** Of load, in each round. */
  readonly seconds: number;
  /** Before a server is measured for the first time; a virtual machine takes its time to compile. */
  readonly warmUpSeconds: number;
  readonly starts: number;
  /** Before memory is looked at for the last time. */
  readonly requests: number;
  readonly users: number;
  readonly exchanges: number;
  /** Of what takes a process of its own each time. */
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
