import type { Json, JsonObject } from "../../foundation/json/json.ts";
import type { ReleaseBehaviour } from "../../foundation/spec/contracts.ts";
import type { LedgerChange } from "../ledger/ledger-change.ts";
import type { LedgerState, User } from "../ledger/ledger-state.ts";
import type { RegistryChange } from "../registry/registry-change.ts";
import type { RegistryContract, RegistryState } from "../registry/registry-state.ts";
import type { Refusal } from "./refusal.ts";
import type { ContextCache } from "./registry-context.ts";
import type { RowCache } from "./row-cache.ts";

/** A decoded request: parameters by name, the body as the profile's codec read it. */
export interface Call {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, Json>>;
  readonly body: JsonObject;
  readonly caller: Caller;
  readonly release: Release;
  readonly areSignaturesVerified: boolean;
  readonly rows: RowCaches;
}

/** JSON of what is read most. One release makes it, whatever the world. */
export interface RowCaches {
  readonly users: RowCache<User>;
  readonly disclosed: RowCache<RegistryContract>;
  /** Without their debug members. */
  readonly disclosedBriefly: RowCache<RegistryContract>;
  readonly contexts: ContextCache;
}

/** How the profile's release behaves, where releases differ. */
export interface Release extends ReleaseBehaviour {
  readonly version: string;
  /** Whether the letter of the spec counts where releases of the ledger do otherwise. */
  readonly isByLetter: boolean;
  /** The same for the registry: so `{}` passes for an empty context beside `{"values":{}}`, which registries refuse. */
  readonly isRegistryByLetter: boolean;
}

/** Who asks. `everyone` is a caller to whom every right is granted. */
export type Caller =
  /** `reason` says why the request speaks for nobody. */
  | { readonly type: "anonymous"; readonly reason: string }
  | {
      readonly type: "everyone";
      /** The user that a request without one is taken for; undefined where no token tells any. */
      readonly userId: string | undefined;
    }
  | {
      readonly type: "user";
      readonly userId: string;
      readonly identityProviderId: string;
      readonly isParticipantAdmin: boolean;
      readonly isIdentityProviderAdmin: boolean;
    };

export interface WorldView {
  readonly ledger: LedgerState;
  readonly registry: RegistryState;
  /** Virtual time in milliseconds since the epoch. */
  readonly nowMs: number;
  readonly seed: number;
  /** Requests so far. */
  readonly counter: number;
}

export type Change = LedgerChange | RegistryChange;

/** What an operation decided: the response, and the changes that come with it. */
export type Outcome =
  | { readonly type: "succeeded"; readonly body: Json; readonly changes: readonly Change[] }
  | { readonly type: "text"; readonly text: string }
  /** The API's own description. */
  | { readonly type: "described" }
  | Refusal;

/** One operation of the contract. It reads a world and returns an outcome; it changes nothing. */
export interface Operation {
  readonly operationId: string;
  /** Other operations that are this one under another path. */
  readonly aliases?: readonly string[];
  /** Checks that come before the token is enforced: path against body. */
  precheck?(call: Call, world: WorldView): Refusal | undefined;
  /** Whether the caller may; undefined where any authenticated caller may. */
  mayCall?(call: Call, world: WorldView): boolean;
  perform(call: Call, world: WorldView): Outcome;
}
