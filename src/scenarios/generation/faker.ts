import { type Json, type JsonObject, parseJson } from "../../foundation/json/json.ts";

/** Makes a value of a schema by a seed; undefined where the library cannot. It is not always valid. */
export type Fake = (schema: JsonObject, seed: number) => Json | undefined;

/** What the library gives to whoever makes values of a format. */
export interface FormatRandom {
  int(least: number, most: number): number;
}

/** Makes the texts of a format. */
export type Formats = Readonly<Record<string, (random: FormatRandom) => string>>;

/** What is nested deeper the library would replace by empty values. */
const depthMax = 30;

/** Loads json-schema-faker, which only a generation needs; gives a maker that knows these formats too. */
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
