import type { Json } from "../../foundation/json/json.ts";
import { GenerationCache } from "../../foundation/text/generation-cache.ts";
import type { ContextEntry, RegistryContract } from "../registry/registry-state.ts";
import { contextValues, disclosedBriefly, disclosedJson, type Entry } from "./registry-context.ts";
import { CachedMembers } from "./response-body.ts";
import { RowCache } from "./row-cache.ts";

/** A factory with its choice context and the contracts that are disclosed for it, in their order. */
export interface FactoryContext {
  readonly factory: RegistryContract;
  /** Undefined for a factory of another choice. */
  readonly transferKind: string | undefined;
  readonly entries: readonly Entry[];
  readonly data: readonly ContextEntry[];
  readonly contracts: readonly RegistryContract[];
  readonly hasDebugFields: boolean;
}

interface CachedResponse {
  readonly context: FactoryContext;
  readonly members: CachedMembers;
}

/** Maximum number of responses in one generation of the cache, and of the characters of their blobs, the largest part of their text. */
const responsesMax = 50;
const blobCharactersMax: number = 2 * 1024 * 1024;

/** A cache of recent responses of factory lookups. A response stays the same as long as none of its contracts changes. */
export class ContextCache {
  readonly #disclosed = new RowCache<RegistryContract>();
  readonly #disclosedBriefly = new RowCache<RegistryContract>();
  readonly #recent = new GenerationCache<string, CachedResponse>(
    { entriesMax: responsesMax, sizeMax: blobCharactersMax },
    ({ context }) => context.contracts.reduce((sum, { createdEventBlob }) => sum + createdEventBlob.length, 0),
  );

  of(context: FactoryContext): CachedMembers {
    const name = nameOf(context);
    const known = this.#recent.get(name);
    if (known !== undefined && isSame(known.context, context)) return known.members;
    const members = this.#membersOf(context);
    this.#recent.set(name, { context, members });
    return members;
  }

  #membersOf({ factory, transferKind, entries, data, contracts, hasDebugFields }: FactoryContext): CachedMembers {
    const choiceContextData: Json = { values: contextValues(entries, data) };
    const disclosedContracts = contracts.map((contract) =>
      hasDebugFields
        ? this.#disclosed.of(contract, disclosedJson)
        : this.#disclosedBriefly.of(contract, disclosedBriefly),
    );
    const kind = transferKind === undefined ? {} : { transferKind };
    const choiceContext = new CachedMembers({ choiceContextData, disclosedContracts });
    return new CachedMembers({ factoryId: factory.contractId, ...kind, choiceContext });
  }
}

/** Of responses with the same name, the last one is cached. */
function nameOf({ transferKind, contracts, hasDebugFields }: FactoryContext): string {
  let name = `${transferKind} ${hasDebugFields ? "debug" : "brief"}`;
  for (const contract of contracts) name += ` ${contract.name}`;
  return name;
}

function isSame(left: FactoryContext, right: FactoryContext): boolean {
  return (
    left.factory === right.factory &&
    left.transferKind === right.transferKind &&
    left.hasDebugFields === right.hasDebugFields &&
    left.contracts.length === right.contracts.length &&
    left.contracts.every((contract, index) => right.contracts[index] === contract) &&
    left.data.length === right.data.length &&
    left.data.every((entry, index) => right.data[index] === entry) &&
    left.entries.length === right.entries.length &&
    left.entries.every(
      ({ key, contract }, index) => right.entries[index]?.key === key && right.entries[index]?.contract === contract,
    )
  );
}
