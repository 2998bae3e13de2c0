import { type Json, type JsonObject, parseJson } from "../../foundation/json/json.ts";

/** Generates a value of a schema from a seed; undefined if the library cannot. The value may be invalid. */
export type Fake = (schema: JsonObject, seed: number) => Json | undefined;

/** The random source of the library, for values of a format. */
export interface FormatRandom {
  int(least: number, most: number): number;
}

/** Generators of texts, by format. */
export type Formats = Readonly<Record<string, (random: FormatRandom) => string>>;

/** Limit of nesting; the library replaces deeper values with empty ones. */
const depthMax = 30;

/** Loads json-schema-faker on demand. Returns a factory of generators with additional formats. */
export async function loadFaker(): Promise<(formats?: Formats) => Fake> {
  const { generateSync } = await import("json-schema-faker");
  return (formats = {}) => {
    const more = Object.keys(formats).length === 0 ? {} : { formats: { ...formats } };
    return (schema, seed) => {
      try {
        return parseJson(JSON.stringify(generateSync({ ...schema }, { seed, maxDepth: depthMax, ...more })) ?? "null");
      } catch (error) {
        // It throws a bare Error where its own choices contradict each other, for example of a wrapper's members.
        if (!(error instanceof Error) || error instanceof TypeError) throw error;
        return undefined;
      }
    };
  };
}
