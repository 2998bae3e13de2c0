import type { Preapproval, RegistryContract } from "./registry-state.ts";

/** All changes of a registry. Contracts have the names of the fixture. */
export type RegistryChange =
  | { readonly type: "reassignment-begun"; readonly contract: string; readonly target: string }
  | { readonly type: "reassignment-completed"; readonly contract: string }
  | { readonly type: "preapproval-created"; readonly preapproval: Preapproval }
  | { readonly type: "preapproval-archived"; readonly receiver: string }
  /** A contract that a transaction added to the registry. */
  | { readonly type: "contract-added"; readonly contract: RegistryContract }
  /** A transaction archived a contract of the registry. */
  | { readonly type: "contract-archived"; readonly contract: string };
