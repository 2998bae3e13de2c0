import type { LedgerProfile, RegistryProfile } from "../../../foundation/spec/generated/names.ts";
import type { ReplaySummary } from "../../../recordings/replay/replay-events.ts";
import type { Given } from "../caller.ts";

export const matchModes = ["loose", "strict"] as const;
export const timingModes = ["none", "recorded"] as const;

/** Options of `replay`; each but `recording` has a default. */
export interface ReplayOptions {
  /** HAR file, not compressed. It must not change during the replay. */
  readonly recording: string;
  /** Release of the recorded node. Default: `spec`. */
  readonly profile?: LedgerProfile;
  /** Release of the registry. Default: the one that goes with the ledger's profile. */
  readonly registryProfile?: RegistryProfile;
  /** `loose` (default): any order, ids may differ. `strict`: recorded order, same ids. */
  readonly match?: "loose" | "strict";
  /** `recorded` keeps the recorded response times. Default: `none`. */
  readonly timing?: "none" | "recorded";
  /** Scenario whose stub serves requests that are not recorded; `stub` starts it with the recorded world. Default: none. */
  readonly continueWith?: string;
  /** Port to listen on. Default: a free one. */
  readonly port?: number;
  /** Address to listen on. Default: `127.0.0.1`. */
  readonly host?: string;
  /** Folder that relative file names start from. Default: the working folder. */
  readonly folder?: string;
}

/** How a recording is replayed. */
export type RecordingOptions = Given<Omit<ReplayOptions, "recording" | "port" | "host" | "folder">>;

/** A request to which the recording has no response. Tokens are masked. */
export interface UnmatchedRequest {
  readonly method: string;
  readonly target: string;
  readonly reason: string;
  /** What differs from the nearest recorded requests, in lines. */
  readonly nearest: readonly string[];
}

/** A recording that is served. `await using` closes it. */
export interface Replay extends AsyncDisposable {
  /** Base URL of the ledger; append the paths of the spec. */
  readonly ledgerUrl: string;
  /** Base URL of the registry; the same as the ledger's. */
  readonly registryUrl: string;
  /** Number of recorded exchanges. */
  readonly exchanges: number;
  /** Number of requests until now by outcome, and of recorded exchanges that were never requested. */
  readonly summary: ReplaySummary;
  /** The first 1000 requests to which the recording has no response. */
  readonly unmatched: readonly UnmatchedRequest[];
  /** What the command prints on standard error, such as entries that cannot be read. */
  readonly notes: readonly string[];
  /** Ends the server. Rejects with an UnderstudyError if the recording has changed during the replay. */
  close(): Promise<void>;
}
