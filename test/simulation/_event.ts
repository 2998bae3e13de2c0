import type { Json } from "../../src/foundation/json/json.ts";
import type { AuthenticationMode } from "../../src/stub/pipeline/claims.ts";
import type { Step } from "./steps/_step.ts";

/** The start of a walk: a stub as `serve` starts it. */
export interface Beginning {
  /** A file of `scenarios`, or `generated-<seed>` for fixtures that are generated from that seed. */
  readonly scenario: string;
  readonly profile: string;
  readonly authentication: AuthenticationMode;
  readonly seed: number;
  readonly clock: Clock;
  readonly journalMax: number;
}

export type Clock = "frozen" | "real" | "x60";

/** One thing that happens to a stub, as plain data, so that a walk can be made shorter and be printed. Worlds are named by the fork that made them; 0 is the default one. */
export type WalkEvent =
  | { readonly type: "request"; readonly world: number; readonly call: Call }
  /** Several clients at once; none waits for another one's response. */
  | { readonly type: "together"; readonly calls: readonly WorldCall[] }
  /** A client that lists all users, page by page. */
  | { readonly type: "pages"; readonly world: number; readonly size: number }
  /** The clock of the machine moves, sometimes back. Answers that are held back go out when their time has come. */
  | { readonly type: "wall"; readonly byMs: number }
  | { readonly type: "advance"; readonly world: number; readonly by: string }
  | { readonly type: "fork"; readonly world: number; readonly as: number; readonly from: "now" | "start" | number }
  | { readonly type: "remove"; readonly world: number }
  | { readonly type: "reset"; readonly world: number }
  | { readonly type: "plan"; readonly world: number; readonly entries: readonly Json[] }
  | { readonly type: "begin"; readonly world: number; readonly contract: string; readonly to: string }
  | { readonly type: "complete"; readonly world: number; readonly contract: string }
  | { readonly type: "look"; readonly world: number; readonly at: Sight }
  /** Another process that starts from the same scenario and receives the same requests. */
  | { readonly type: "rebuild"; readonly world: number }
  /** Reads all present and past states in full: no past state has changed. */
  | { readonly type: "audit" }
  /** What `serve --watch` does after a file changes. */
  | { readonly type: "reload"; readonly clock: Clock };

export interface WorldCall {
  readonly world: number;
  readonly call: Call;
}

/** A request in which earlier responses stand as references, and what becomes of it on its way. */
export interface Call {
  readonly step: Step;
  /** How it names its world. */
  readonly via: "path" | "header";
  /** Applied one after the other to the request, or to its body. */
  readonly mangled: readonly Mangling[];
}

/** A change to a well-formed request; `at` and `pick` choose a place and a value. */
export interface Mangling {
  readonly how: ManglingName;
  readonly at: number;
  readonly pick: number;
}

export const manglingNames = [
  "method",
  "path",
  "target",
  "query",
  "token",
  "media-type",
  "accept",
  "header",
  "cut-body",
  "bytes",
  "leaf",
  "drop-member",
  "add-member",
  "huge",
  "deep",
  "no-json",
] as const;
export type ManglingName = (typeof manglingNames)[number];

export const sights = [
  "worlds",
  "world",
  "journal",
  "client-rules",
  "traffic",
  "exchange",
  "tables",
  "tables-then",
  "timeline",
  "verdict",
  "report",
  "events",
] as const;
export type Sight = (typeof sights)[number];

/** The events of a seed, or what shrinking left of them. */
export interface Walk {
  readonly beginning: Beginning;
  readonly events: readonly WalkEvent[];
}
