import type { Json, JsonObject } from "../json/json.ts";
import generated from "./generated/contracts.json" with { type: "json" };
import type { LedgerProfile, RegistryProfile } from "./generated/names.ts";

export type Api = "ledger" | "registry";

/** A profile: a release, or the spec itself. Source: `contracts/profiles`. */
export interface Profile {
  readonly name: string;
  readonly api: string;
  readonly release: string | null;
  /** The version that a node of the release reports; only for the ledger. */
  readonly version?: string;
  readonly description: string;
  readonly readFrom: string;
  /** Behaviour switches of the release; only for the ledger. */
  readonly behaviour?: ReleaseBehaviour;
  /** Behaviour switches of the release; only for the registry. */
  readonly registryBehaviour?: RegistryBehaviour;
  /** The release whose overlay and divergences apply first. */
  readonly basedOn?: string;
  /** Additional operations that the release lacks. */
  readonly lacks?: readonly string[];
  /** Members and query parameters of additional operations that the release lacks, as `schema.member` and `operationId.parameter`. */
  readonly lacksMembers?: readonly string[];
  readonly implies?: { readonly registry: RegistryProfile };
  /** The limit of a request body; the default of the stub if omitted. */
  readonly bodyBytesMax?: number;
  readonly disables?: readonly DisabledFeature[];
  /** Only of the spec: the releases that are meant where none is named, and that define what the spec leaves open. */
  readonly defaults?: { readonly ledger: LedgerProfile; readonly registry: RegistryProfile };
}

/** Named switches for behaviour that differs between releases (Canton, openapi.yaml of 3.4 and 3.5). */
export interface ReleaseBehaviour {
  /** Whether users have the member `primaryPartyAuthentication`. */
  readonly hasPrimaryPartyAuthentication: boolean;
  /** Whether an allocation supports `userId` and `waitForAllocation`, and checks that the identity provider exists. */
  readonly hasAllocationForUsers: boolean;
  /** Whether an execution accepts the physical id of a synchronizer. */
  readonly executesOnPhysicalIds: boolean;
  /** Whether a participant administrator may grant rights over parties that do not exist. */
  readonly grantsUnknownParties: boolean;
  /** Whether only a participant administrator may grant rights over any party. */
  readonly guardsAnyPartyRights: boolean;
  /** Whether dependencies may stay unvetted from protocol version 35 on. */
  readonly toleratesUnvettedDependencies: boolean;
  /** Whether errors of the JSON layer carry the trace id. */
  readonly tracesJsonLayerErrors: boolean;
  /** Whether the response to an unknown path has the member `ledgerApiError`. */
  readonly hasLedgerApiErrorOfUnknownPath: boolean;
  /** Whether filters by template or interface accept package names only. */
  readonly filtersByPackageName: boolean;
  /** Whether `resources` name plain types, such as `USER`, instead of `ErrorResource(USER)`. */
  readonly namesPlainResourceTypes: boolean;
  /** Whether blanks around the values of `Sec-WebSocket-Protocol` are ignored. */
  readonly trimsSubprotocols: boolean;
  /** Whether transactions and completions have `transactionHash`, and the ledger end has `synchronizerTimes`. */
  readonly hasTransactionHashes: boolean;
  /** Whether a node may accept tokens that the primary party of a user signs. */
  readonly hasPartyTokens: boolean;
  /** Whether the header `Request-Timeout` is checked. */
  readonly hasRequestTimeout: boolean;
  /** How deep the JSON of a request may be nested; null if the release has no such limit. */
  readonly jsonNestingMax: number | null;
}

/** Named switches for behaviour that differs between releases of the registry (Splice, release notes). */
export interface RegistryBehaviour {
  /** Whether the rights of featured providers are no longer in contexts from the time in the fixture on. */
  readonly endsFeaturedAppRights: boolean;
}

/** What a client notices of a switch or limit that differs. Source: `contracts/release-differences.yaml`. */
export interface ReleaseDifference {
  /** Operation ids; `*` for all. */
  readonly operations: readonly string[];
  /** Known divergences that the sentences repeat. */
  readonly divergences: readonly string[];
  /** The later release has the switch, or the higher limit. */
  readonly on: EffectOfRelease;
  readonly off: EffectOfRelease;
}

export interface EffectOfRelease {
  readonly effect: "breaks" | "changes" | "new";
  readonly text: string;
}

/** Deprecated endpoints, or requests with a deprecated member, that a release refuses unless the fixture enables the feature. */
export interface DisabledFeature {
  /** The name in the configuration of a node. */
  readonly feature: string;
  readonly deprecatedIn: string;
  readonly disabledSince: string;
  readonly removedIn: string;
  /** Known divergences that follow from it. */
  readonly divergences?: readonly string[];
  /** Method and path of each disabled endpoint. */
  readonly endpoints?: readonly string[];
  /** The replacement, by endpoint or by request with the disabled member. */
  readonly instead?: Readonly<Record<string, string>>;
  /** The disabled member, its name in errors, and the requests that may not have it. */
  readonly member?: string;
  readonly subject?: string;
  readonly requests?: readonly string[];
}

/** A known difference between the spec and the responses of a release. Source: `contracts/profiles`. */
export interface Divergence {
  readonly id: string;
  /** The API of the release; `*` in `operations` means all operations of this API. */
  readonly api: Api;
  readonly title: string;
  readonly operations: readonly string[];
  readonly rule: string;
  readonly match: DivergenceMatch;
  readonly actual: string;
  readonly since: string | null;
  readonly until: string | null;
  readonly evidence: string;
  readonly mark: string;
  /** Whether the stub responds like this. `in every profile`: in profile `spec` too, since the spec leaves it open. */
  readonly played: "yes" | "no" | "in every profile" | "with --auth none";
}

interface DivergenceMatch {
  readonly status?: readonly number[];
  readonly mediaType?: string;
  readonly keyword?: string;
  readonly pointer?: string;
  readonly value?: Json;
  /** The JSON type of the value. */
  readonly valueType?: "array" | "string";
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

interface ErrorCategory {
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
  /** Only for base64: whether `=` fills the last group of four characters. */
  readonly padding?: "optional" | "required";
  readonly description: string;
}

/** Changes of a release that no profile describes. Source: `contracts/announcements.yaml`. */
export interface AnnouncedRelease {
  readonly release: string;
  /** Its first version, where no profile has it. */
  readonly version?: string;
  readonly description: string;
  readonly changes: readonly AnnouncedChange[];
}

export interface AnnouncedChange {
  readonly id: string;
  readonly title: string;
  /** The requests that it concerns; undefined if no request shows it. */
  readonly match?: AnnouncementMatch;
  readonly advice?: string;
  readonly evidence: string;
}

export interface AnnouncementMatch {
  /** Method and path of each request. */
  readonly requests?: readonly string[];
  readonly disabledBy?: { readonly of: string; readonly features: readonly string[] };
  /** Members of the request, one of which is present and not null. */
  readonly requestHas?: readonly string[];
  /** Members of the response, one of which is present. */
  readonly responseHas?: readonly string[];
  readonly status?: readonly number[];
  readonly token?: "without-audience";
}

/** Everything that `npm run generate` read from `contracts/`, overlays applied. */
export interface Contracts {
  /** The stub's control API, an OpenAPI description like the others. */
  readonly control: JsonObject;
  /** The additional operations, with references resolved as in the spec's descriptions. */
  readonly additionalOperations: JsonObject;
  readonly profiles: readonly Profile[];
  readonly descriptions: Readonly<Record<Api, Readonly<Record<string, JsonObject>>>>;
  readonly divergences: Readonly<Record<string, readonly Divergence[]>>;
  /** By the name of a switch or limit. */
  readonly releaseDifferences: Readonly<Record<string, ReleaseDifference>>;
  /** Method and path of what releases publish, by the first profile that has it. */
  readonly publishedOperations: Readonly<Record<Api | "webSockets", Readonly<Record<string, readonly string[]>>>>;
  readonly errorCodes: {
    readonly categories: Readonly<Record<string, ErrorCategory>>;
    readonly codes: readonly ErrorCode[];
  };
  readonly identifiers: readonly IdentifierSyntax[];
  readonly announcements: readonly AnnouncedRelease[];
}

// The inferred type is too narrow to compare; a test validates this file against the JSON Schemas of its parts.
const untyped: unknown = generated;
// The one cast of this module: the file is written by tools/generate.ts in exactly this shape.
export const contracts: Contracts = untyped as Contracts;
