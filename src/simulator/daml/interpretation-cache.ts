import type { PreparedTransaction } from "../../foundation/protobuf/prepared-transaction.ts";
import type { HashingScheme } from "../../foundation/protobuf/transaction-hash.ts";
import { GenerationCache } from "../../foundation/text/generation-cache.ts";
import type { LedgerContract, LedgerState } from "../ledger/ledger-state.ts";
import type { RegistryState } from "../registry/registry-state.ts";
import type { Interpreted } from "./interpret.ts";
import type { InterpretationOptions, TimeWindow } from "./interpretation.ts";

/** Limits of each of the two generations: interpretations, and characters of their transactions in base64. */
const interpretationsMax = 500;
const charactersMax: number = 1024 * 1024;

/** What an interpretation depends on. Rows and tables are replaced when they change. */
interface Dependencies {
  readonly submitters: readonly string[];
  readonly inputs: readonly LedgerContract[];
  readonly packages: LedgerState["packages"];
  readonly templates: LedgerState["templates"];
  readonly registry: RegistryState;
  readonly window: TimeWindow;
}

/** A prepared transaction, and what its interpretation depends on. */
export interface KnownInterpretation extends Dependencies {
  readonly prepared: PreparedTransaction;
  /** The number of fields that decoding the transaction reads. */
  readonly fields: number;
  readonly scheme: HashingScheme;
  /** The hash in this scheme. */
  readonly hash: Uint8Array;
}

/**
 * Interpretations of prepared transactions, by the transaction in base64, so that an execution does not decode, hash and
 * interpret it again.
 */
export class InterpretationCache {
  /** By the sample of the text. Of two texts with the same sample, the newer one is known. */
  readonly #known = new GenerationCache<number, InterpretedText>(
    { entriesMax: interpretationsMax, sizeMax: charactersMax },
    ({ base64 }) => base64.length,
  );

  add(base64: string, known: KnownInterpretation): void {
    if (base64.length <= charactersMax) this.#known.set(sampleOf(base64), { base64, known });
  }

  find(base64: string): KnownInterpretation | undefined {
    if (base64.length > charactersMax) return undefined;
    const found = this.#known.get(sampleOf(base64));
    return found?.base64 === base64 ? found.known : undefined;
  }
}

interface InterpretedText {
  readonly base64: string;
  readonly known: KnownInterpretation;
}

/**
 * A hash of a text, of every eighth character if it is long: a random id has many more than eight, so the sample has some of
 * it. As a key of a map, a text is hashed as a whole, which takes five times as long as the rest of finding it.
 */
function sampleOf(text: string): number {
  const step = text.length > 512 ? 8 : 1;
  let sample = text.length;
  for (let index = 0; index < text.length; index += step) sample = (Math.imul(sample, 31) + text.charCodeAt(index)) | 0;
  return sample;
}

export function dependenciesOf(
  { builder, window }: Extract<Interpreted, { readonly type: "interpreted" }>,
  { ledger, registry, submitters }: InterpretationOptions,
): Dependencies {
  const { packages, templates } = ledger;
  return { submitters, inputs: builder.inputs, packages, templates, registry, window };
}

/** Whether an interpretation has the same result now. */
export function isCurrent(
  { submitters, inputs, packages, templates, registry, window }: Dependencies,
  { ledger, nowMs, ...options }: InterpretationOptions,
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
