import type { Json } from "../../foundation/json/json.ts";
import type { RegistryContract } from "../registry/registry-state.ts";
import { CachedMembers } from "./cached-members.ts";
import { contextValues, disclosedBriefly, disclosedJson, type Entry } from "./registry-context.ts";
import type { BodyMembers, BodyPart } from "./response-body.ts";
import { RowCache } from "./row-cache.ts";

/** A choice context with the contracts that are disclosed for it, in their order. */
export interface ChoiceContext {
  readonly entries: readonly Entry[];
  readonly contracts: readonly RegistryContract[];
  readonly hasDebugFields: boolean;
}

interface CachedContext {
  readonly context: ChoiceContext;
  readonly members: CachedMembers<BodyMembers<BodyPart>>;
}

/** Maximum number of cached contexts, and of the characters of their blobs, the largest part of their text. */
const contextsMax = 100;
const blobCharactersMax: number = 4 * 1024 * 1024;

/** A cache of recent choice contexts and their contracts. A context stays the same as long as none of its contracts changes. */
export class ContextCache {
  readonly #disclosed = new RowCache<RegistryContract>();
  readonly #disclosedBriefly = new RowCache<RegistryContract>();
  readonly #recent = new Map<string, CachedContext>();
  #blobCharacters = 0;

  of(context: ChoiceContext): CachedMembers<BodyMembers<BodyPart>> {
    const name = nameOf(context);
    const known = this.#recent.get(name);
    if (known !== undefined && isSame(known.context, context)) {
      known.members.join();
      return known.members;
    }
    const blobCharacters = context.contracts.reduce((sum, contract) => sum + contract.createdEventBlob.length, 0);
    if (this.#recent.size >= contextsMax || this.#blobCharacters + blobCharacters > blobCharactersMax) {
      this.#recent.clear();
      this.#blobCharacters = 0;
    }
    const members = new CachedMembers(this.#membersOf(context));
    this.#recent.set(name, { context, members });
    this.#blobCharacters += blobCharacters;
    return members;
  }

  #membersOf({ entries, contracts, hasDebugFields }: ChoiceContext): BodyMembers<BodyPart> {
    const choiceContextData: Json = { values: contextValues(entries) };
    const disclosedContracts = contracts.map((contract) =>
      hasDebugFields
        ? this.#disclosed.of(contract, disclosedJson)
        : this.#disclosedBriefly.of(contract, disclosedBriefly),
    );
    return { choiceContextData, disclosedContracts };
  }
}

/** Of contexts with the same name, the last one is cached. */
function nameOf({ contracts, hasDebugFields }: ChoiceContext): string {
  let name = hasDebugFields ? "debug" : "brief";
  for (const contract of contracts) name += ` ${contract.name}`;
  return name;
}

function isSame(left: ChoiceContext, right: ChoiceContext): boolean {
  return (
    left.hasDebugFields === right.hasDebugFields &&
    left.contracts.length === right.contracts.length &&
    left.contracts.every((contract, index) => right.contracts[index] === contract) &&
    left.entries.length === right.entries.length &&
    left.entries.every(
      ({ key, contract }, index) => right.entries[index]?.key === key && right.entries[index]?.contract === contract,
    )
  );
}
