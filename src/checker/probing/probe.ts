import type { Json } from "../../foundation/json/json.ts";
import type { Api } from "../../foundation/spec/contracts.ts";
import type { ExchangeContext, TokenKind } from "../rules/rule.ts";
import type { HookName, Need, TargetValues } from "./target.ts";

/** Sends requests to a live target. Rules check the responses, not the probe. */
export interface Probe {
  readonly id: string;
  readonly summary: string;
  /** The section of the spec. */
  readonly section: string;
  /** A safe probe changes nothing on a target that conforms to the spec. The changes of a destructive probe are permanent. */
  readonly safety: Safety;
  readonly needs: readonly Need[];
  /** The responses that it intends to provoke, as `operation status`. */
  readonly reaches: readonly string[];
  run(context: ProbeContext): Promise<void>;
}

export const safeties = ["safe", "writes", "destructive"] as const;
export type Safety = (typeof safeties)[number];

/** A request by operation id. Path parameters are not encoded yet. */
export interface ProbeCall {
  readonly operationId: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Json;
  /** A body that is not JSON. */
  readonly text?: string;
  /** The kind of token. Default: the administrator's, or none for a public operation. `empty`: the scheme alone; `basic`: another scheme. */
  readonly token?: TokenKind | "empty" | "basic" | "forged" | "submitter";
  /** Context that the exchange does not show, beside the token. */
  readonly context?: ExchangeContext;
}

/** Generated calls: some valid by the schemas, the others with exactly one error each. */
export interface GeneratedCalls {
  readonly valid: readonly ProbeCall[];
  readonly invalid: readonly ProbeCall[];
}

/** The response for the next step of a probe; status 0 for an incomplete response. */
export interface ProbeResponse {
  readonly status: number;
  readonly json: Json | undefined;
}

export interface ProbeContext {
  /** The start of every id that the probe creates; unique to the run. */
  readonly prefix: string;
  /** Start of the check, in milliseconds since the epoch. */
  readonly startedAtMs: number;
  /** All synchronizers of the participant; undefined where they are unknown. */
  readonly connectedSynchronizers: readonly string[] | undefined;
  /** The values of the target, optional ones included. */
  readonly values: TargetValues;
  /** A value that the probe declares in `needs`. */
  need<Name extends keyof TargetValues>(name: Name): NonNullable<TargetValues[Name]>;
  /** Generated calls of an API. Their ids begin with the prefix and name no existing entity; vetting calls are dry runs. */
  generatedCalls(api: Api): GeneratedCalls;
  /** Whether the release has the operation; some additional operations are recent. */
  knows(operationId: string): boolean;
  send(call: ProbeCall): Promise<ProbeResponse>;
  /** Ends the probe early, for this reason. */
  end(why: string): never;
  /** 32 bytes, determined by the seed and the purpose. */
  seededBytes(purpose: string): Uint8Array;
  /** Records that the probe created an entity. */
  created(kind: string, id: string): void;
  /** Records that the probe removed an entity. */
  removed(kind: string, id: string): void;
  /** Runs a hook, a step of the target's operator. A failing hook ends the probe. */
  hook(name: HookName, variables: Readonly<Record<string, string>>): Promise<void>;
}
