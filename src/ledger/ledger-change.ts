import type { CompletedCommand, Package, Party, Right, User, VettedPackage } from "./ledger-state.ts";

/** Everything that can happen to a participant node. Values only, so that changes can be kept and applied again. */
export type LedgerChange =
  | { readonly type: "rights-granted"; readonly userId: string; readonly rights: readonly Right[] }
  | { readonly type: "user-created"; readonly user: User }
  /** The user with new attributes; its resource version grows. Rights stay. */
  | { readonly type: "user-updated"; readonly user: User }
  | { readonly type: "user-deleted"; readonly userId: string }
  | { readonly type: "user-deactivated"; readonly userId: string }
  | { readonly type: "party-allocated"; readonly party: Party }
  | { readonly type: "command-completed"; readonly command: CompletedCommand }
  | { readonly type: "package-uploaded"; readonly package: Package }
  /** All that is vetted on the synchronizer from now on; the topology serial grows. */
  | { readonly type: "packages-vetted"; readonly synchronizerId: string; readonly vetted: readonly VettedPackage[] }
  | { readonly type: "synchronizer-connected"; readonly synchronizerId: string }
  | { readonly type: "synchronizer-disconnected"; readonly synchronizerId: string };
