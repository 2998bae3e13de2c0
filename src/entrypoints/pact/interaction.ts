import type { HeaderList } from "../../foundation/http/header.ts";
import type { Json, JsonObject } from "../../foundation/json/json.ts";
import type { MatchingRules } from "./matching-rules.ts";
import type { ValuePath } from "./rule-path.ts";

/** A Pact file of version 2, 3 or 4: what one consumer relies on of one provider. */
export interface PactFile {
  readonly name: string;
  readonly consumer: string;
  readonly provider: string;
  readonly version: 2 | 3 | 4;
  /** The profile that the file itself names; only files that Understudy wrote do. */
  readonly profile: string | undefined;
  readonly interactions: readonly Interaction[];
  /** What is in the file and is no exchange over HTTP. */
  readonly notChecked: readonly NotChecked[];
  /** The line of what stands at a path of the file, from 1. */
  lineOf(path: ValuePath): number;
}

export interface NotChecked {
  readonly description: string;
  readonly why: string;
  readonly path: ValuePath;
}

/** One exchange as a consumer relies on it: what the response does not name may be as it likes. */
export interface Interaction {
  readonly description: string;
  readonly providerStates: readonly ProviderState[];
  readonly request: PactRequest;
  readonly response: PactResponse;
  /** Whether a failure of it is no failure of the whole yet. */
  readonly isPending: boolean;
  readonly comments: JsonObject;
  /** Where it stands in the file. */
  readonly path: ValuePath;
}

/** Pact's word for what must be so before an interaction can take place. */
export interface ProviderState {
  readonly name: string;
  readonly params: JsonObject;
}

interface PactMessage {
  readonly headers: HeaderList;
  readonly body: PactBody | undefined;
  readonly rules: MatchingRules;
  readonly generators: JsonObject;
  readonly path: ValuePath;
}

export interface PactRequest extends PactMessage {
  readonly method: string;
  readonly path: ValuePath;
  /** Path and query as a client sends them. */
  readonly target: string;
}

export interface PactResponse extends PactMessage {
  readonly status: number;
}

/** A body: JSON, a text, or bytes that are neither. `path` is where its content stands in the file. */
export type PactBody =
  | { readonly type: "json"; readonly value: Json; readonly contentType: string | undefined; readonly path: ValuePath }
  | { readonly type: "text"; readonly text: string; readonly contentType: string | undefined; readonly path: ValuePath }
  | { readonly type: "bytes"; readonly contentType: string | undefined; readonly path: ValuePath };
