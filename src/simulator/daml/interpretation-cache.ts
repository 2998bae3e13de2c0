import type { DamlTransaction } from "../../foundation/protobuf/prepared-transaction.ts";
import type { LedgerContract, LedgerState } from "../ledger/ledger-state.ts";
import type { RegistryState } from "../registry/registry-state.ts";
import type { Interpreted } from "./interpret.ts";
import type { Options, TimeWindow } from "./interpretation.ts";

/** Limits of each of the two generations: interpretations, and characters of their transactions in base64. */
const interpretationsMax = 500;
const charactersMax: number = 1024 * 1024;

/** A transaction with everything that its interpretation depends on. Rows and tables are replaced when they change. */
interface KnownInterpretation {
  readonly transaction: DamlTransaction;
  readonly submitters: readonly string[];
  readonly inputs: readonly LedgerContract[];
  readonly packages: LedgerState["packages"];
  readonly templates: LedgerState["templates"];
  readonly registry: RegistryState;
  readonly window: TimeWindow;
}

/**
 * Interpretations of prepared transactions, by the UUID of the transaction, so that an execution does not interpret a
 * transaction again when nothing that it depends on has changed. When the newer generation is full, the older one is dropped.
 */
export class InterpretationCache {
  #newer = new Map<string, KnownInterpretation>();
  #older: ReadonlyMap<string, KnownInterpretation> = new Map();
  #characters = 0;

  /** Keeps an interpretation. `characters` is the length of its transaction in base64. */
  add(
    uuid: string,
    { builder, window }: Extract<Interpreted, { readonly type: "interpreted" }>,
    { ledger, registry, submitters }: Options,
    characters: number,
  ): void {
    if (characters > charactersMax) return;
    if (this.#newer.size >= interpretationsMax || this.#characters + characters > charactersMax) {
      this.#older = this.#newer;
      this.#newer = new Map();
      this.#characters = 0;
    }
    const { packages, templates } = ledger;
    const [transaction, inputs] = [builder.transaction(), builder.inputs];
    this.#newer.set(uuid, { transaction, submitters, inputs, packages, templates, registry, window });
    this.#characters += characters;
  }

  /** The interpretation with this UUID; undefined if it is not kept, or might have another result now. */
  find(uuid: string, options: Options): Pick<KnownInterpretation, "transaction" | "inputs"> | undefined {
    const known = this.#newer.get(uuid) ?? this.#older.get(uuid);
    return known !== undefined && isCurrent(known, options) ? known : undefined;
  }
}

function isCurrent(
  { submitters, inputs, packages, templates, registry, window }: KnownInterpretation,
  { ledger, nowMs, ...options }: Options,
): boolean {
  return (
    registry === options.registry &&
    packages === ledger.packages &&
    templates === ledger.templates &&
    window.fromMs <= nowMs &&
    nowMs < window.beforeMs &&
    submitters.length === options.submitters.length &&
    submitters.every((party, index) => party === options.submitters[index]) &&
    inputs.every((contract) => ledger.contracts.get(contract.contractId) === contract)
  );
}
