import { readFileSync } from "node:fs";
import { parse } from "yaml";

/** The sentences of the spec, by section and number. */
export const specSentences: Readonly<Record<string, Readonly<Record<string, string>>>> = parse(
  readFileSync(new URL("../contracts/spec-sentences.yaml", import.meta.url), "utf8"),
);
