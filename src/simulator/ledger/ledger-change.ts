import type {
  CompletedCommand,
  IdentityProvider,
  NamespaceDefinition,
  Package,
  Party,
  Right,
  Update,
  User,
  VettedPackage,
} from "./ledger-state.ts";

/** Everything that can happen to a participant node. Values only, so that changes can be kept and applied again. */
export type LedgerChange =
  | { readonly type: "rights-granted"; readonly userId: string; readonly rights: readonly Right[] }
  | { readonly type: "user-created"; readonly user: User }
  /** The user with new attributes; its resource version grows. Rights stay. */
  | { readonly type: "user-updated"; readonly user: User }
  | { readonly type: "user-deleted"; readonly userId: string }
  | { readonly type: "user-deactivated"; readonly userId: string }
  | { readonly type: "rights-revoked"; readonly userId: string; readonly rights: readonly Right[] }
  | { readonly type: "identity-provider-configured"; readonly provider: IdentityProvider }
  | { readonly type: "identity-provider-deleted"; readonly id: string }
  | { readonly type: "party-allocated"; readonly party: Party }
  /** A transaction with the command that asked for it: contracts come and go, the offset grows. */
  | { readonly type: "transaction-committed"; readonly command: CompletedCommand; readonly update: Update }
  /** Another host of the party says that it hosts it. */
  | { readonly type: "hosting-authorized"; readonly party: string; readonly participantId: string }
  /** The owners of a decentralized namespace, and how many of them speak for it. */
  | { readonly type: "namespace-defined"; readonly namespace: string; readonly definition: NamespaceDefinition }
  | { readonly type: "package-uploaded"; readonly package: Package }
  /** All that is vetted on the synchronizer from now on; the topology serial grows. */
  | { readonly type: "packages-vetted"; readonly synchronizerId: string; readonly vetted: readonly VettedPackage[] }
  | { readonly type: "synchronizer-connected"; readonly synchronizerId: string }
  | { readonly type: "synchronizer-disconnected"; readonly synchronizerId: string };
