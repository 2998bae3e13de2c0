import type {
  CompletedCommand,
  IdentityProvider,
  NamespaceDefinition,
  Package,
  Party,
  Update,
  User,
  VettedPackage,
} from "./ledger-state.ts";
import type { Right } from "./right.ts";
import type { TrafficUpdate } from "./traffic.ts";

/** All changes of a participant node. They are plain values, so that they can be stored and replayed. */
export type LedgerChange =
  | { readonly type: "rights-granted"; readonly userId: string; readonly rights: readonly Right[] }
  | { readonly type: "user-created"; readonly user: User }
  /** New attributes of a user. The resource version grows; rights stay. */
  | { readonly type: "user-updated"; readonly user: User }
  | { readonly type: "user-deleted"; readonly userId: string }
  | { readonly type: "user-deactivated"; readonly userId: string }
  | { readonly type: "rights-revoked"; readonly userId: string; readonly rights: readonly Right[] }
  | { readonly type: "identity-provider-configured"; readonly provider: IdentityProvider }
  | { readonly type: "identity-provider-deleted"; readonly id: string }
  | { readonly type: "party-allocated"; readonly party: Party }
  /** A committed transaction with its command: creates and archives contracts, advances the offset. */
  | { readonly type: "transaction-committed"; readonly command: CompletedCommand; readonly update: Update }
  /** Another participant authorizes hosting the party, before or after this one allocates it. */
  | { readonly type: "hosting-authorized"; readonly party: string; readonly participantId: string }
  /** The owners of a namespace and their threshold; a delegated namespace owns itself. */
  | { readonly type: "namespace-defined"; readonly namespace: string; readonly definition: NamespaceDefinition }
  | { readonly type: "package-uploaded"; readonly package: Package }
  /** The new set of vetted packages on a synchronizer; the topology serial grows. */
  | { readonly type: "packages-vetted"; readonly synchronizerId: string; readonly vetted: readonly VettedPackage[] }
  | { readonly type: "traffic-credited"; readonly update: TrafficUpdate }
  | { readonly type: "traffic-events-pruned"; readonly beforeOrAtMs: number }
  | { readonly type: "synchronizer-connected"; readonly synchronizerId: string }
  | { readonly type: "synchronizer-disconnected"; readonly synchronizerId: string };
