import type { Json } from "../../foundation/json/json.ts";
import type { Api } from "../../foundation/spec/contracts.ts";
import type { ExchangeContext, TokenKind } from "../rules/rule.ts";
import type { HookName, Need, TargetValues } from "./target.ts";

/** Provokes answers of a live target. It knows how to ask; what is right is for the rules to say. */
export interface Probe {
  readonly id: string;
  readonly summary: string;
  /** The section of the spec. */
  readonly section: string;
  /** A safe probe changes nothing on a target that keeps the contract; a destructive one cannot be undone. */
  readonly safety: Safety;
  readonly needs: readonly Need[];
  /** What it hopes for, as `operation status`. */
  readonly reaches: readonly string[];
  run(context: ProbeContext): Promise<void>;
}

export const safeties = ["safe", "writes", "destructive"] as const;
export type Safety = (typeof safeties)[number];

/** A request in the words of the spec. Path parameters are encoded where it is sent. */
export interface ProbeCall {
  readonly operationId: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Json;
  /** The body where it is no JSON. */
  readonly text?: string;
  /** Whose token; the administrator's, or none where the operation is public. `empty` names the scheme alone, `basic` another one. */
  readonly token?: TokenKind | "empty" | "basic" | "forged" | "submitter";
  /** What the exchange does not show, beside the token. */
  readonly context?: ExchangeContext;
}

/** Calls that nobody wrote down: some are valid by the schemas, in each of the others one thing is wrong. */
export interface GeneratedCalls {
  readonly valid: readonly ProbeCall[];
  readonly invalid: readonly ProbeCall[];
}

/** What the next step of a probe goes by; the status is 0 where no response came whole. */
export interface ProbeResponse {
  readonly status: number;
  readonly json: Json | undefined;
}

export interface ProbeContext {
  /** Begins every id that the probe makes, and no other. */
  readonly prefix: string;
  /** When the check began, in milliseconds since the epoch. */
  readonly startedAtMs: number;
  /** All synchronizers of the participant, where it says so. */
  readonly connectedSynchronizers: readonly string[] | undefined;
  /** A value that the probe needs or that may be absent. */
  readonly values: TargetValues;
  /** A value among the probe's needs. */
  need<Name extends keyof TargetValues>(name: Name): NonNullable<TargetValues[Name]>;
  /** Calls of an API's operations whose ids begin with the prefix; they name nobody who is there, and vet in dry runs. */
  madeUpCalls(api: Api): GeneratedCalls;
  /** Whether the release has the operation; some additional operations are young. */
  knows(operationId: string): boolean;
  send(call: ProbeCall): Promise<ProbeResponse>;
  /** Ends the probe early, for this reason. */
  end(why: string): never;
  /** 32 bytes that depend on the seed and the purpose alone. */
  seededBytes(purpose: string): Uint8Array;
  /** Says that something is there now that was not. */
  created(kind: string, id: string): void;
  /** Says that it is gone again. */
  removed(kind: string, id: string): void;
  /** Lets the target's owner take a step; ends the probe where that fails. */
  hook(name: HookName, variables: Readonly<Record<string, string>>): Promise<void>;
}
