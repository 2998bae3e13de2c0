import type { Json } from "../../foundation/json/json.ts";
import type { DataType } from "../packages/definitions.ts";
import { type LfType, substituted } from "../packages/lf-type.ts";
import { argumentsOf } from "../packages/package-set.ts";
import type { Definitions } from "./definitions.ts";

const scalars: Readonly<Record<string, Json>> = {
  Unit: {},
  Bool: true,
  Int64: "1",
  Date: "2026-01-01",
  Timestamp: "2027-01-01T00:00:00Z",
  Text: "text",
  ContractId: `00${"0".repeat(64)}`,
  TextMap: {},
  GenMap: [],
};

/** Nesting that a node accepts (daml-lf, Value.MAXIMUM_NESTING). */
const nestingMax = 100;

/**
 * A valid value of a type, as the JSON Ledger API carries it: the same party everywhere, numbers of 1, a time that is to come, nothing that is optional.
 * Undefined for a type without values that end, or that are no data.
 */
export function sampleOf(type: LfType, party: string, definitions: Definitions): Json | undefined {
  return new Sampler(party, definitions).value(type);
}

class Sampler {
  readonly #party: string;
  readonly #definitions: Definitions;
  /** Types that a value is inside of: a value that begins one of them again would not end. */
  readonly #open = new Set<string>();

  constructor(party: string, definitions: Definitions) {
    this.#party = party;
    this.#definitions = definitions;
  }

  value(given: LfType): Json | undefined {
    const type = this.#definitions.expanded(given);
    if (type.type === "con") return this.#constructed(type);
    if (type.type !== "builtin") return undefined;
    const [argument] = type.args;
    const content = this.#definitions.optionalContent(type);
    if (content !== undefined) return this.#definitions.optionalContent(content) === undefined ? null : [];
    if (type.name === "Party") return this.#party;
    if (type.name === "List") return argument !== undefined && isParty(argument) ? [this.#party] : [];
    if (type.name === "Numeric") return argument?.type === "nat" ? numericOne(argument.value) : undefined;
    return scalars[type.name];
  }

  #constructed({ id, args }: Extract<LfType, { readonly type: "con" | "synonym" }>): Json | undefined {
    const data = this.#definitions.dataType(id);
    const key = JSON.stringify([id, args]);
    if (data === undefined || this.#open.has(key) || this.#open.size > nestingMax) return undefined;
    this.#open.add(key);
    const types = argumentsOf(data.params, args);
    const value = this.#data(data, (type) => this.value(substituted(type, types)));
    this.#open.delete(key);
    return value;
  }

  #data({ shape }: DataType, sample: (type: LfType) => Json | undefined): Json | undefined {
    if (shape.type === "interface") return undefined;
    if (shape.type === "enum") return shape.constructors[0];
    const values = shape.fields.map(({ name, type }) => [name, sample(type)] as const);
    const known = values.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
    if (shape.type === "record") return known.length === values.length ? Object.fromEntries(known) : undefined;
    const [first] = known;
    return first && { tag: first[0], value: first[1] };
  }
}

export const isParty = (type: LfType): boolean => type.type === "builtin" && type.name === "Party";

const numericOne = (scale: number): string => (scale === 0 ? "1" : `1.${"0".repeat(scale)}`);
