import type { YAMLError } from "yaml";
import { fileLimits } from "../file-limits.ts";
import type { ProblemText } from "../problem.ts";

/** An error of the YAML library, or of what it does not look for. */
export type YamlError = Pick<YAMLError, "code" | "pos" | "message">;

type Words = readonly [problem: string, advice: string];

const indentation: Words = [
  "the indentation does not match the lines above",
  "Start the members of one object, and the items of one list, in the same column.",
];
const colon: Words = [
  "a colon is missing after the name",
  "Write a member as name: value, with a space after the colon.",
];
const comma: Words = [
  "a comma is missing",
  "Write a comma between the items of a list, and between the members of an object.",
];
const bracket: Words = ["a bracket is not closed", "Add the closing ] or }."];
const [tooDeep, lessDeep]: Words = [
  `the value is nested deeper than ${fileLimits.fileNestingMax} levels`,
  "Nest it less deeply.",
];

/** The words for a text that exceeds a limit. */
export const limitProblems: Readonly<Record<"fileNestingMax" | "yamlTokensMax", ProblemText>> = {
  fileNestingMax: { problem: tooDeep, advice: lessDeep },
  yamlTokensMax: {
    problem: `the file has more than ${fileLimits.yamlTokensMax} names, values, signs and spaces, too many for YAML`,
    advice: "Write it as JSON, which may have more. If it is JSON, its syntax is not valid.",
  },
};

/** Words for the usual errors of the YAML library, by error code and by its message. */
const usual: readonly (readonly [code: string, message: RegExp, ...words: Words])[] = [
  ["TAB_AS_INDENT", /^/, "a tab is used for indentation", "Use spaces."],
  ["MISSING_CHAR", /closing .quote/, "a quote is not closed", "Add the closing quote at the end of the text."],
  ["MISSING_CHAR", /keys? needs? to be followed/, ...colon],
  ["MISSING_CHAR", /Missing , or :/, "a comma or a colon is missing", "Write [a, b] or { name: value, name: value }."],
  ["MISSING_CHAR", /Missing ,/, ...comma],
  ["BLOCK_IN_FLOW", /^/, ...comma],
  ["BAD_INDENT", /^Flow|must end with/, ...bracket],
  ["MISSING_CHAR", /must end with/, ...bracket],
  ["BAD_INDENT", /^/, ...indentation],
  [
    "BLOCK_AS_IMPLICIT_KEY",
    /Nested mappings/,
    "a value contains a colon with a space, or the next line is indented too far",
    "Put the value in quotes, or correct the indentation.",
  ],
  ["BLOCK_AS_IMPLICIT_KEY", /^/, ...indentation],
  ["MULTILINE_IMPLICIT_KEY", /^/, ...colon],
  ["BAD_SCALAR_START", /^/, "a value begins with a character that YAML reserves", "Put the value in quotes."],
  ["UNEXPECTED_TOKEN", /node end/, ...indentation],
  [
    "UNEXPECTED_TOKEN",
    /block-seq-ind on same line/,
    "a list begins on the line of its name",
    "Begin the list on the next line.",
  ],
  ["DUPLICATE_KEY", /^/, "the name is used twice in one object", "Remove or rename one of the two."],
  ["MULTIPLE_DOCS", /^/, "a second document begins", "Remove the line --- and all that follows it."],
  ["BAD_ALIAS", /endless/, "an alias names a value that contains it", "Write the value out."],
  [
    "BAD_ALIAS",
    /no anchor/,
    "an alias names no anchor before it",
    "Put a text that begins with * in quotes, or write the anchor, &name, before its value.",
  ],
  [
    "BAD_ALIAS",
    /too many/,
    `the aliases of the file repeat more than ${fileLimits.aliasValuesMax} values`,
    "Use fewer aliases.",
  ],
  [
    "BAD_ALIAS",
    /no object/,
    "the merge key << has a value that is not an object",
    "Give it the alias of an object, or a list of them.",
  ],
  ["BAD_ALIAS", /too deep/, tooDeep, lessDeep],
  ["RESOURCE_EXHAUSTION", /^/, tooDeep, lessDeep],
  [
    "UNEXPECTED_TOKEN",
    /^Unexpected flow-(?:seq|map)-end token/,
    "a closing bracket has no opening bracket",
    "Remove it, or add the opening bracket.",
  ],
];

/** The words for an error. An unusual error keeps the message of the library. */
export function yamlProblemOf({ code, message }: Pick<YAMLError, "code" | "message">): ProblemText {
  const found = usual.find(([known, pattern]) => known === code && pattern.test(message));
  if (found === undefined)
    return { problem: `the file is not valid YAML: ${message}`, advice: "Correct the syntax there." };
  const [, , problem, advice] = found;
  return { problem, advice };
}
