import type { YAMLError } from "yaml";

/** What is wrong with a YAML text, in words, and what to do. */
export interface YamlProblem {
  readonly problem: string;
  readonly advice: string;
}

const indentation: YamlProblem = {
  problem: "the indentation does not match the lines above",
  advice: "Start the members of one object, and the items of one list, in the same column.",
};

const colon: YamlProblem = {
  problem: "a colon is missing after the name",
  advice: "Write a member as name: value, with a space after the colon.",
};

/** Words for the usual errors of the YAML library, by error code and by its message. */
const usual: readonly (readonly [code: string, message: RegExp, words: YamlProblem])[] = [
  ["TAB_AS_INDENT", /^/, { problem: "a tab is used for indentation", advice: "Use spaces." }],
  [
    "MISSING_CHAR",
    /closing .quote/,
    { problem: "a quote is not closed", advice: "Add the closing quote at the end of the text." },
  ],
  ["MISSING_CHAR", /keys? needs? to be followed|between flow map items/, colon],
  [
    "MISSING_CHAR",
    /between flow sequence items/,
    { problem: "a comma is missing", advice: "Write a comma between the items of a list in brackets." },
  ],
  ["BAD_INDENT", /^Flow|must end with/, { problem: "a bracket is not closed", advice: "Add the closing ] or }." }],
  ["MISSING_CHAR", /must end with/, { problem: "a bracket is not closed", advice: "Add the closing ] or }." }],
  ["BAD_INDENT", /^/, indentation],
  [
    "BLOCK_AS_IMPLICIT_KEY",
    /Nested mappings/,
    {
      problem: "a value contains a colon with a space, or the next line is indented too far",
      advice: "Put the value in quotes, or correct the indentation.",
    },
  ],
  ["BLOCK_AS_IMPLICIT_KEY", /^/, indentation],
  ["MULTILINE_IMPLICIT_KEY", /^/, colon],
  [
    "BAD_SCALAR_START",
    /^/,
    { problem: "a value begins with a character that YAML reserves", advice: "Put the value in quotes." },
  ],
  ["UNEXPECTED_TOKEN", /node end/, indentation],
  [
    "UNEXPECTED_TOKEN",
    /block-seq-ind on same line/,
    { problem: "a list begins on the line of its name", advice: "Begin the list on the next line." },
  ],
  [
    "DUPLICATE_KEY",
    /^/,
    { problem: "the name is used twice in one object", advice: "Remove or rename one of the two." },
  ],
  ["BAD_ALIAS", /contains it/, { problem: "an alias names a value that contains it", advice: "Write the value out." }],
];

/** The words for an error. An unusual error keeps the message of the library. */
export function yamlProblemOf({ code, message }: Pick<YAMLError, "code" | "message">): YamlProblem {
  const found = usual.find(([known, pattern]) => known === code && pattern.test(message));
  return found?.[2] ?? { problem: `the file is not valid YAML: ${message}`, advice: "Correct the syntax there." };
}
