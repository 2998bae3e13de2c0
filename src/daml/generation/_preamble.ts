/** Types that all generated files begin with. */
export const preamble = `/** Digits, from -2^63 to 2^63 - 1. */
export type Int64 = string;
/** Digits with a point. A response has all digits of the scale. */
export type Numeric = string;
export type Party = string;
export type ContractId = string;
/** YYYY-MM-DD. */
export type Day = string;
/** ISO 8601, in UTC. */
export type Timestamp = string;
export type Unit = Readonly<Record<string, never>>;
export type TextMap<T> = Readonly<Record<string, T>>;
export type GenMap<K, V> = readonly (readonly [K, V])[];
export type Optional<T> = T | null;
/** An optional value in another one, and the other one: lists of at most one element. */
export type Nested<T> = readonly [] | readonly [T];

/** A command that creates a contract of a template. */
export interface CreateCommand<Id extends keyof Templates> {
  readonly CreateCommand: { readonly templateId: Id; readonly createArguments: Templates[Id]["payload"] };
}

interface Exercisable {
  readonly choices: Readonly<Record<string, { readonly argument: unknown }>>;
}

/** A command that exercises a choice of a template or an interface. */
export interface ExerciseCommand<Entity extends Exercisable, Choice extends keyof Entity["choices"]> {
  readonly ExerciseCommand: {
    readonly templateId: string;
    readonly contractId: ContractId;
    readonly choice: Choice;
    readonly choiceArgument: Entity["choices"][Choice]["argument"];
  };
}`;

export const preambleNames: readonly string[] = [...preamble.matchAll(/^(?:export )?(?:type|interface) (\w+)/gm)].map(
  ([, name = ""]) => name,
);
