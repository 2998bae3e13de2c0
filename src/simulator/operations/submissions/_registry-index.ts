import type { Json } from "../../../foundation/json/json.ts";
import { asRegistryContract } from "../../daml/registry-contract.ts";
import { isOfTemplate } from "../../daml/splice-templates.ts";
import { readPreapproval } from "../../daml/token-contracts.ts";
import type { LedgerContract, Update, UpdateEvent } from "../../ledger/ledger-state.ts";
import type { RegistryChange } from "../../registry/registry-change.ts";
import { contractWithId, type RegistryContract, type RegistryState } from "../../registry/registry-state.ts";

/** Changes of the registry that follow from an update: it reads pre-approvals and featured providers from the ledger. */
export function indexed({ events, synchronizerId }: Update, registry: RegistryState): readonly RegistryChange[] {
  return events.flatMap((event) => ofEvent(event, synchronizerId, registry));
}

function ofEvent(event: UpdateEvent, synchronizerId: string, registry: RegistryState): readonly RegistryChange[] {
  const { contract } = event;
  const receiver = readPreapproval(contract);
  const isFeatured = isOfTemplate(contract, "Splice.Amulet:FeaturedAppRight");
  if (receiver === undefined && !isFeatured) return [];
  if (event.type === "exercised") return event.isConsuming ? removed(contract, receiver, registry) : [];
  const added = asRegistryContract(contract.contractId, contract, synchronizerId);
  const ofRegistry = { type: "contract-added", contract: added } as const;
  if (receiver === undefined) return [ofRegistry, ...featured(added.name, added.payload["provider"], registry)];
  const featuredAppRight = rightOf(added.payload["provider"], registry);
  const preapproval = { receiver, contract: added.name, featuredAppRight };
  return [ofRegistry, { type: "preapproval-created", preapproval }];
}

/** Pre-approvals of the provider have its right from now on. */
function featured(
  featuredAppRight: string,
  provider: Json | undefined,
  registry: RegistryState,
): readonly RegistryChange[] {
  return [...registry.preapprovals.values()].flatMap((preapproval): readonly RegistryChange[] => {
    const { payload } = registry.contracts.get(preapproval.contract ?? "") ?? {};
    if (preapproval.featuredAppRight !== undefined || payload?.["provider"] !== provider) return [];
    return [{ type: "preapproval-created", preapproval: { ...preapproval, featuredAppRight } }];
  });
}

/** The name of the contract of a provider's right. */
function rightOf(provider: Json | undefined, { contracts }: RegistryState): string | undefined {
  const isIts = ({ templateId, payload }: RegistryContract) =>
    templateId.endsWith(":Splice.Amulet:FeaturedAppRight") && payload["provider"] === provider;
  return [...contracts.values()].find(isIts)?.name;
}

function removed(
  contract: LedgerContract,
  receiver: string | undefined,
  registry: RegistryState,
): readonly RegistryChange[] {
  const name = contractWithId(registry, contract.contractId)?.name;
  if (name === undefined) return [];
  const isGiven = receiver !== undefined && registry.preapprovals.get(receiver)?.contract === name;
  const ended = isGiven ? [{ type: "preapproval-archived", receiver } as const] : [];
  return [...ended, { type: "contract-archived", contract: name }];
}
