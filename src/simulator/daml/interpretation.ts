import type { LfType } from "../../daml/packages/lf-type.ts";
import type { PackageSet } from "../../daml/packages/package-set.ts";
import { typeOfText } from "../../daml/packages/type-text.ts";
import { readFields, readValue } from "../../daml/values/read-value.ts";
import type { Json } from "../../foundation/json/json.ts";
import type { DamlValue } from "../../foundation/protobuf/daml-value.ts";
import type { LedgerContract, LedgerState } from "../ledger/ledger-state.ts";
import { contractWithId, type RegistryState } from "../registry/registry-state.ts";
import { jsonOfValue, microsOfMs } from "./daml-json.ts";
import { type DamlType, valueFromJson } from "./daml-type.ts";
import type { KnownContract, TransactionBuilder } from "./transaction-builder.ts";

/** Input of an interpretation, besides the commands. */
export interface InterpretationOptions {
  readonly ledger: LedgerState;
  readonly registry: RegistryState;
  /** The packages that were uploaded as archives. */
  readonly archives: PackageSet;
  readonly nowMs: number;
  /** The time that choices read, in microseconds: the time of the preparation. Now by default. */
  readonly ledgerTimeMicros?: bigint | undefined;
  readonly submitters: readonly string[];
  /** Further parties whose contracts may be read. */
  readonly readers: readonly string[];
  /** The contracts that the submission discloses, by id. */
  readonly disclosed: Pick<ReadonlySet<string>, "has">;
}

/** An argument as JSON from a client, or as a value from a transaction. */
export type Argument =
  | { readonly type: "json"; readonly json: Json }
  | { readonly type: "value"; readonly value: DamlValue };

/** A ledger error for a command that cannot be interpreted. Thrown within an interpretation, caught by `interpret`. */
export class InterpretationFailure extends Error {
  readonly code: string;
  readonly resources: readonly (readonly [type: string, id: string])[];
  /** The part of a node that refuses: its JSON layer, before the interpretation. */
  readonly origin: "node" | "json-layer";
  /** What to do, which the text of a node does not say. */
  readonly explanation: string | undefined;

  constructor(
    code: string,
    message: string,
    resources: readonly (readonly [type: string, id: string])[] = [],
    origin: "node" | "json-layer" = "node",
    explanation?: string,
  ) {
    super(message);
    this.code = code;
    this.resources = resources;
    this.origin = origin;
    this.explanation = explanation;
  }
}

/** Throws InterpretationFailure unless a condition of a choice holds. */
export function demand(isTrue: boolean, problem: string): asserts isTrue {
  if (!isTrue) throw new InterpretationFailure("UNHANDLED_EXCEPTION", `Interpretation error: ${problem}`);
}

/** Throws InterpretationFailure unless a condition that Splice's code requires holds (Splice 0.7, Util.daml). */
export function requirement(isTrue: boolean, what: string): asserts isTrue {
  demand(isTrue, `The requirement '${what}' was not met.`);
}

/** The virtual times at which an interpretation has the same result, in milliseconds: `beforeMs` is the first later one. */
export interface TimeWindow {
  readonly fromMs: number;
  readonly beforeMs: number;
}

/** The state of one interpretation. */
export class Interpretation {
  readonly options: InterpretationOptions;
  readonly builder: TransactionBuilder;
  /** Ids, as the commands name them, of created templates that neither the fixture nor the token standard has. */
  readonly undeclared: Set<string> = new Set();
  readonly #isUsable: (contractId: string) => boolean;
  #fromMs: number = Number.NEGATIVE_INFINITY;
  #beforeMs: number = Number.POSITIVE_INFINITY;

  constructor(options: InterpretationOptions, builder: TransactionBuilder) {
    this.options = options;
    this.builder = builder;
    this.#isUsable = usability(options.registry, (atMs) => this.#hasPassed(atMs));
  }

  /** Whether virtual time has reached a point in time, in microseconds. Choices compare times with this method alone. */
  hasPassed(atMicros: bigint): boolean {
    // A division of bigints rounds towards zero, so up below zero.
    return this.#hasPassed(Number((atMicros > 0n ? atMicros + 999n : atMicros) / 1000n));
  }

  /** The times at which every comparison with virtual time has the result that it had. */
  get window(): TimeWindow {
    return { fromMs: this.#fromMs, beforeMs: this.#beforeMs };
  }

  #hasPassed(atMs: number): boolean {
    const isPast = atMs <= this.options.nowMs;
    if (isPast) this.#fromMs = Math.max(this.#fromMs, atMs);
    else this.#beforeMs = Math.min(this.#beforeMs, atMs);
    return isPast;
  }

  /** The contract with this id, if the submitters may use it. Throws InterpretationFailure otherwise. */
  contract(contractId: string): KnownContract {
    const created = this.builder.created(contractId);
    if (created !== undefined && !this.builder.isConsumed(contractId)) return created;
    const known = this.options.ledger.contracts.get(contractId);
    if (known === undefined || this.builder.isConsumed(contractId) || !this.#isVisible(known))
      throw notFound(contractId);
    if (!this.#isUsable(contractId)) throw notFound(contractId);
    this.builder.use(known);
    return known;
  }

  /** The argument as a value of a type of Daml. Throws ValueError. */
  typedValue(argument: Argument, type: LfType): DamlValue {
    return readValue(jsonOf(argument), type, this.options.archives, { isOfValue: argument.type === "value" });
  }

  /** The argument as a record of fields whose types are given as texts. Throws ValueError. */
  recordValue(argument: Argument, types: ReadonlyMap<string, string>): DamlValue {
    const fields = [...types].map(([name, type]) => ({ name, type: typeOfText(type) }));
    return readFields(jsonOf(argument), fields, { isOfValue: argument.type === "value" });
  }

  /** The ledger time, as a choice reads it. */
  get ledgerTimeMicros(): bigint {
    return this.options.ledgerTimeMicros ?? microsOfMs(this.options.nowMs);
  }

  value(argument: Argument, type: DamlType): DamlValue {
    return argument.type === "value" ? argument.value : valueFromJson(argument.json, type);
  }

  #isVisible({ contractId, signatories, observers }: LedgerContract): boolean {
    const { submitters, readers, disclosed } = this.options;
    if (disclosed.has(contractId)) return true;
    return [...signatories, ...observers].some((party) => submitters.includes(party) || readers.includes(party));
  }
}

function jsonOf(argument: Argument): Json {
  return argument.type === "value" ? jsonOfValue(argument.value) : argument.json;
}

function notFound(contractId: string): InterpretationFailure {
  return new InterpretationFailure("CONTRACT_NOT_FOUND", `Contract could not be found with id ${contractId}`, [
    ["CONTRACT_ID", contractId],
  ]);
}

/**
 * Decides by id whether a contract can be used now: a contract of the registry must be open, and must not be a revoked
 * pre-approval. Other contracts are always usable. `hasPassed` tells whether a time in milliseconds is reached.
 */
export function usability(
  registry: RegistryState,
  hasPassed: (atMs: number) => boolean,
): (contractId: string) => boolean {
  let given: ReadonlySet<string | undefined> | undefined;
  const isGiven = (name: string) => {
    given ??= new Set([...registry.preapprovals.values()].map(({ contract }) => contract));
    return given.has(name);
  };
  return (contractId) => {
    const contract = contractWithId(registry, contractId);
    if (contract === undefined) return true;
    const { name, templateId, opensAtMs = 0, closesAtMs = Number.POSITIVE_INFINITY } = contract;
    const isRevoked = templateId.endsWith(":TransferPreapproval") && !isGiven(name);
    return !isRevoked && hasPassed(opensAtMs) && !hasPassed(closesAtMs);
  };
}
