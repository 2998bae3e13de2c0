import type { HeaderList } from "../../foundation/http/header.ts";
import type { Json, JsonObject } from "../../foundation/json/json.ts";
import type { Place, ValuePath } from "../../scenarios/files/source-file.ts";
import type { MatchingRules } from "./matching-rules.ts";

/** A Pact file of version 2, 3 or 4: the interactions of one consumer with one provider. */
export interface PactFile {
  readonly name: string;
  readonly consumer: string;
  readonly provider: string;
  readonly version: 2 | 3 | 4;
  /** Profile in the metadata of the file; only in files that Understudy wrote. */
  readonly profile: string | undefined;
  readonly interactions: readonly Interaction[];
  /** Entries of the file that are not exchanges over HTTP. */
  readonly skipped: readonly SkippedInteraction[];
  /** Place of a path in the file. */
  placeOf(path: ValuePath): Place;
}

/** An entry of a Pact file that is not checked, with the reason. */
export interface SkippedInteraction {
  readonly description: string;
  readonly reason: string;
  readonly path: ValuePath;
}

/** An exchange that a consumer relies on. Members that the response does not name are unconstrained. */
export interface Interaction {
  readonly description: string;
  readonly providerStates: readonly ProviderState[];
  readonly request: PactRequest;
  readonly response: PactResponse;
  /** Path in the file. */
  readonly path: ValuePath;
}

/** Precondition of an interaction, in Pact's terms. */
export interface ProviderState {
  readonly name: string;
  readonly params: JsonObject;
}

interface PactMessage {
  readonly headers: HeaderList;
  readonly body: PactBody | undefined;
  readonly path: ValuePath;
}

export interface PactRequest extends PactMessage {
  readonly method: string;
  /** Path and query as a client sends them. */
  readonly target: string;
}

export interface PactResponse extends PactMessage {
  readonly status: number;
  readonly rules: MatchingRules;
}

/** A body: JSON, a text, or other bytes. `path` is the path of its content in the file. */
export type PactBody =
  | { readonly type: "json"; readonly value: Json; readonly contentType: string | undefined; readonly path: ValuePath }
  | { readonly type: "text"; readonly text: string; readonly contentType: string | undefined; readonly path: ValuePath }
  | { readonly type: "bytes"; readonly contentType: string | undefined; readonly path: ValuePath };
