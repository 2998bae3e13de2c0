import type { ClientRulesWatch } from "../../checker/client-rules/client-finding.ts";
import type { ConsumerCoverage } from "../../checker/engine/consumer-coverage.ts";
import type { CountedLimits } from "../../foundation/limits/counted-limits.ts";
import type { ProfileNames, Spec } from "../../foundation/spec/spec.ts";
import type { World } from "../../simulator/world/world.ts";
import type { AuthenticationMode } from "../pipeline/claims.ts";
import type { StreamsOf } from "../pipeline/stream.ts";
import type { Stub } from "../pipeline/stub.ts";
import type { UploadedDars } from "../pipeline/uploaded-dars.ts";
import type { StoredJournals } from "../stores/stored-journals.ts";
import type { WorldKeeper } from "../stores/world-keeper.ts";
import type { VerifyToken } from "../tokens/verify-token.ts";
import type { HostedWorld } from "./hosted-world.ts";
import type { LabelQuotas } from "./label-quotas.ts";

export interface HostingOptions {
  /** The workflow id of the served scenario. */
  readonly scenario: string;
  readonly world: World;
  readonly profile: ProfileNames;
  readonly auth: AuthenticationMode;
  /** Verifies tokens in mode `jwt`. */
  readonly verifyToken?: VerifyToken | undefined;
  /** Whether signatures are verified with the keys of their parties. */
  readonly areSignaturesVerified: boolean;
  /** Whether the additional operations are served. */
  readonly hasAdditionalOperations: boolean;
  readonly wallNowMs: () => number;
  /** Milliseconds since the epoch by a clock that is never set, for durations and times to live; `wallNowMs` if omitted. */
  readonly steadyNowMs?: (() => number) | undefined;
  /** Waits in wall time, for the delays of a plan; not longer than until the signal is aborted. */
  readonly sleep: (durationMs: number, signal: AbortSignal) => Promise<void>;
  /** Limits and their counters; defaults if omitted. */
  readonly limits?: CountedLimits | undefined;
  /** Schedules background work after pending responses are sent. */
  readonly later: (run: () => void) => void;
  /** Prefix of fork ids; default `fork`. */
  readonly forkPrefix?: string | undefined;
  /** Creates the client rules watch of a world; omitted if client rules are off. */
  readonly createClientRules?:
    | ((worldId: string, options: Pick<HostedWorld, "isWhole">) => ClientRulesWatch)
    | undefined;
  /** What the clients of all worlds have exercised, counted by the watches of `createClientRules`; omitted if it is not counted. */
  readonly coverage?: ConsumerCoverage | undefined;
  /** Keeps worlds in a store; omitted if they are in memory alone. */
  readonly keeper?: WorldKeeper | undefined;
  /** Keeps journals in the store of the worlds; omitted if they are in memory alone. */
  readonly journals?: StoredJournals | undefined;
  /** The end of the id of a fork; omitted to count the forks. */
  readonly newForkId?: (() => string) | undefined;
  /** Quotas of labels of worlds; omitted for none. */
  readonly quotas?: LabelQuotas | undefined;
  /** Loaded spec and stub factory that hostings with the same options share, since loading is slow; created if omitted. */
  readonly sharedStubs?: SharedStubs | undefined;
}

/** The spec of a hosting's stubs, and the factory that creates them. */
export interface SharedStubs {
  readonly spec: Spec;
  /** Reads uploads before the step that responds; omitted if the stub reads them in it. */
  readonly dars?: UploadedDars | undefined;
  readonly stubOver: (world: World) => Stub;
  /** Opens the streams of a world; absent for stubs without streams. */
  readonly streamsOver?: ((world: World) => StreamsOf) | undefined;
}
