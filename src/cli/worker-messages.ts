import type { ConductFinding, ConductReport } from "../conformance/conduct-finding.ts";
import type { LimitsReport } from "../limits/counted-limits.ts";
import type { Team } from "../workers/team.ts";

/** What the first process says to a worker. */
export type ToWorker =
  | { readonly type: "begin"; readonly duty: Duty }
  /** Where the workers answer each other, by their numbers. */
  | { readonly type: "met"; readonly ports: ReadonlyMap<number, number> }
  /** Comes with a connection, of which these bytes were read. */
  | { readonly type: "connection"; readonly bytes: Uint8Array }
  /** No more connections come; to be answered when all requests have been. */
  | { readonly type: "drain" }
  /** No worker asks another any more. */
  | { readonly type: "end" };

export interface Duty {
  readonly worker: number;
  readonly team: Team;
  /** What workers know each other by. */
  readonly secret: string;
  readonly startMs: number | undefined;
  /** What the control API asks for; it comes as a message, since a command line can be read by all users of a machine. */
  readonly controlToken: string | undefined;
}

/** What a worker says to the first process. */
export type FromWorker =
  | { readonly type: "listening"; readonly port: number }
  /** A finding that is the first of its kind for this worker. */
  | { readonly type: "conduct"; readonly finding: ConductFinding; readonly world: string | undefined }
  | { readonly type: "drained" }
  | { readonly type: "ended"; readonly conduct: ConductReport; readonly limits: LimitsReport };

/** Both ends are the same program, so that what is a message at all is one that it knows. */
export function isMessage<Message extends ToWorker | FromWorker>(message: unknown): message is Message {
  return typeof message === "object" && message !== null && "type" in message;
}
