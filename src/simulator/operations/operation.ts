import type { ReadDar } from "../../daml/archives/dar.ts";
import type { HeaderList } from "../../foundation/http/header.ts";
import type { Json, JsonObject } from "../../foundation/json/json.ts";
import type { BodyMessages } from "../../foundation/protobuf/body-messages.ts";
import type { RegistryBehaviour, ReleaseBehaviour } from "../../foundation/spec/contracts.ts";
import type { GenerationCache } from "../../foundation/text/generation-cache.ts";
import type { InterpretationCache } from "../daml/interpretation-cache.ts";
import type { OpenPackages } from "../daml/open-packages.ts";
import type { LedgerChange } from "../ledger/ledger-change.ts";
import type { LedgerState, User } from "../ledger/ledger-state.ts";
import type { RegistryChange } from "../registry/registry-change.ts";
import type { RegistryState } from "../registry/registry-state.ts";
import type { ActiveContracts } from "./active-contracts.ts";
import type { ContextCache } from "./context-cache.ts";
import type { Refusal } from "./refusal.ts";
import type { CachedMembers, ResponseBody } from "./response-body.ts";
import type { RowCache } from "./row-cache.ts";

/** A decoded request: parameters by name, and the body as read by the codec of the profile. */
export interface Call {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, Json>>;
  readonly body: JsonObject;
  readonly caller: Caller;
  readonly release: Release;
  readonly areSignaturesVerified: boolean;
  readonly rows: RowCaches;
  /** Interpretations of prepared transactions, shared by all worlds. */
  readonly interpretations: InterpretationCache;
  /** The opened archives of packages, shared by all worlds. */
  readonly packages: OpenPackages;
  /** Reads the DAR in the body. */
  readonly dar: () => ReadDar;
  /** Decodes the protobuf messages of the body, within a limit. Most requests have none. */
  readonly messages: () => BodyMessages;
}

/** A page of the users of a state. */
interface UsersPage {
  readonly users: LedgerState["users"];
  readonly size: number;
  readonly members: CachedMembers;
}

/** Caches of JSON for frequent rows, and an index. They depend on the release and are shared by all worlds. */
export interface RowCaches {
  readonly users: RowCache<User>;
  readonly pagesOfUsers: GenerationCache<string, UsersPage>;
  readonly contexts: ContextCache;
  readonly activeContracts: ActiveContracts;
}

/** The behaviour of the releases of the ledger and the registry, where releases differ. */
export interface Release extends ReleaseBehaviour, RegistryBehaviour {
  readonly version: string;
  /** Whether the ledger follows the spec where releases deviate (profile `spec`). */
  readonly isByLetter: boolean;
  /** Whether the registry follows the spec; for example, it then accepts `{}` as an empty context. */
  readonly isRegistryByLetter: boolean;
}

/** The caller. `everyone` has all rights. */
export type Caller =
  /** `reason` explains why the request has no valid token. */
  | { readonly type: "anonymous"; readonly reason: string }
  | {
      readonly type: "everyone";
      /** The default user id of a request; undefined if the token does not name a user. */
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
  /** The other participants of the world. */
  readonly participants: ReadonlyMap<string, LedgerState>;
  /** Virtual time in milliseconds since the epoch. */
  readonly nowMs: number;
  readonly seed: number;
  /** Requests so far. */
  readonly counter: number;
}

export type Change = LedgerChange | RegistryChange;

/** The result of an operation: a response body with changes, a text, or a refusal. */
export type OperationResult =
  | {
      readonly type: "succeeded";
      readonly body: ResponseBody;
      readonly changes: readonly Change[];
      /** What a node would not accept, or not like this. */
      readonly warning?: string | undefined;
    }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "bytes"; readonly bytes: Uint8Array; readonly headers: HeaderList }
  /** The API's own description. */
  | { readonly type: "described" }
  | Refusal;

/** A stream of elements, for clients of its WebSocket. It remembers how far it has been read. */
export interface ElementStream {
  readonly type: "stream";
  /** Whether it ends after the elements that are there now. */
  readonly isFinite: boolean;
  /** The elements since the last call; undefined if the ledger is not the one that was read before. */
  read(world: WorldView): readonly JsonObject[] | undefined;
  /** The element that says how far the stream has been read; undefined if it has none. */
  checkpoint?(world: WorldView): JsonObject;
}

/** One operation of the spec. It reads a world and returns an outcome; it does not change the world. */
export interface Operation {
  readonly operationId: string;
  /** Operations with the same behaviour under another path. */
  readonly aliases?: readonly string[];
  /** Whether the configuration of the node exposes the operation; absent if always. Otherwise its path is unknown. */
  isExposed?(ledger: LedgerState): boolean;
  /** Checks before the token is enforced, such as path against body. */
  precheck?(call: Call, world: WorldView): Refusal | undefined;
  /** Whether the caller has the necessary rights; absent if every authenticated caller may call. */
  mayCall?(call: Call, world: WorldView): boolean;
  perform(call: Call, world: WorldView): OperationResult;
  /** The same elements as a stream; absent for operations without a WebSocket. */
  stream?(call: Call, world: WorldView): ElementStream | Refusal;
}
