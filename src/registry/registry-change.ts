import type { Holding, Preapproval, TransferInstruction } from "./registry-state.ts";

/** Everything that can happen to a registry. Contracts are named as in the fixture. */
export type RegistryChange =
  | { readonly type: "reassignment-begun"; readonly contract: string; readonly target: string }
  | { readonly type: "reassignment-completed"; readonly contract: string }
  | { readonly type: "preapproval-created"; readonly preapproval: Preapproval }
  | { readonly type: "preapproval-archived"; readonly receiver: string }
  | { readonly type: "holding-created"; readonly holding: Holding }
  | { readonly type: "holding-archived"; readonly holding: string }
  | { readonly type: "transfer-instruction-created"; readonly instruction: TransferInstruction };
