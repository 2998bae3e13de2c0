import type { Preapproval, RegistryContract } from "./registry-state.ts";

/** Everything that can happen to a registry. Contracts are named as in the fixture. */
export type RegistryChange =
  | { readonly type: "reassignment-begun"; readonly contract: string; readonly target: string }
  | { readonly type: "reassignment-completed"; readonly contract: string }
  | { readonly type: "preapproval-created"; readonly preapproval: Preapproval }
  | { readonly type: "preapproval-archived"; readonly receiver: string }
  /** A contract that a transaction made part of the registry. */
  | { readonly type: "contract-added"; readonly contract: RegistryContract };
