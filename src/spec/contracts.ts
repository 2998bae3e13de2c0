import type { JsonObject } from "../http/json.ts";
import generated from "./generated/contracts.json" with { type: "json" };

export type Api = "ledger" | "registry";

/** A release, or the document itself, as `contracts/profiles` describes it. */
export interface Profile {
  readonly name: string;
  readonly api: string;
  readonly release: string | null;
  /** What a node of the release calls itself; only the ledger's have one. */
  readonly version?: string;
  readonly description: string;
  readonly readFrom: string;
  readonly implies?: { readonly registry: string };
}

/** A known difference between the document and what a release answers. Source: `contracts/profiles`. */
export interface Divergence {
  readonly id: string;
  /** Whose release it is; `*` among the operations stands for all of this API. */
  readonly api: Api;
  readonly title: string;
  readonly operations: readonly string[];
  readonly rule: string;
  readonly match: DivergenceMatch;
  readonly answered: string;
  readonly since: string | null;
  readonly until: string | null;
  readonly evidence: string;
  readonly mark: string;
  readonly played: boolean;
}

export interface DivergenceMatch {
  readonly status?: readonly number[];
  readonly mediaType?: string;
  readonly keyword?: string;
  readonly pointer?: string;
  readonly value?: unknown;
}

/** One entry of the error catalogue. Source: `contracts/error-codes.yaml`. */
export interface ErrorCode {
  readonly code: string;
  readonly category: number;
  readonly grpc: number | null;
  readonly http: number | null;
  readonly when: string;
  readonly context: readonly string[];
  readonly resource: string | null;
  readonly definiteAnswer?: boolean;
}

export interface ErrorCategory {
  readonly name: string;
  readonly grpc: number;
  readonly http: number;
  readonly retryInfo: string | null;
  readonly redacted: boolean;
}

/** A syntax of identifiers. Source: `contracts/identifiers.yaml`. */
export interface IdentifierSyntax {
  readonly name: string;
  readonly pattern: string;
  readonly maxLength: number | null;
  readonly description: string;
}

/** Everything that `npm run generate` read from `contracts/`, overlays applied. */
export interface Contracts {
  /** The stub's control API, an OpenAPI description like the others. */
  readonly control: JsonObject;
  readonly profiles: readonly Profile[];
  readonly descriptions: Readonly<Record<Api, Readonly<Record<string, JsonObject>>>>;
  readonly divergences: Readonly<Record<string, readonly Divergence[]>>;
  readonly errorCodes: {
    readonly categories: Readonly<Record<string, ErrorCategory>>;
    readonly codes: readonly ErrorCode[];
  };
  readonly identifiers: readonly IdentifierSyntax[];
}

// The compiler infers a type too narrow to be compared; a test holds this file against the JSON Schema of its parts.
const untyped: unknown = generated;
// The one cast of this module: the file is written by tools/generate.ts in exactly this shape.
export const contracts: Contracts = untyped as Contracts;
