import { Composer, type CST, type Document, Lexer, type LineCounter, Parser, YAMLParseError } from "yaml";
import { fileLimits } from "./file-limits.ts";

export interface ParsedYaml {
  readonly document: Document.Parsed;
  /** The tokens that the document was made of. */
  readonly tokens: readonly CST.Token[];
  /** The place of the first value beyond the nesting limit. The text from there on is not read. */
  readonly tooDeepAt: number | undefined;
}

/** Parses a text with all its errors. Fills `lines`. A second document is an error. */
export function parseYaml(text: string, lines: LineCounter): ParsedYaml {
  const { tokens, tooDeepAt } = tokensIn(text, lines);
  const document = withoutStackTraces(() => composed(tokens, text.length));
  return { document, tokens, tooDeepAt };
}

/** The tokens of a text. Depth is counted here, because the library composes values with recursive functions. */
function tokensIn(text: string, lines: LineCounter): Pick<ParsedYaml, "tokens" | "tooDeepAt"> {
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  let tooDeepAt: number | undefined;
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    tooDeepAt = beyondNesting(parser.stack);
    if (tooDeepAt !== undefined) break;
  }
  for (const token of parser.end()) tokens.push(token);
  return { tokens, tooDeepAt };
}

function beyondNesting(stack: readonly CST.Token[]): number | undefined {
  if (stack.length <= fileLimits.fileNestingMax) return undefined;
  return stack.filter(isCollection)[fileLimits.fileNestingMax]?.offset;
}

function isCollection({ type }: CST.Token): boolean {
  return type === "block-map" || type === "block-seq" || type === "flow-collection";
}

/** The library's own duplicate check and pretty errors are too slow for large files. */
const reading = { prettyErrors: false, uniqueKeys: false, schema: "core", resolveKnownTags: false } as const;

function composed(tokens: readonly CST.Token[], length: number): Document.Parsed {
  const [document, second] = new Composer(reading).compose(tokens, true, length);
  if (document === undefined) throw new Error("invariant: every text has a document");
  if (second !== undefined)
    document.errors.push(new YAMLParseError([second.range[0], second.range[1]], "MULTIPLE_DOCS", ""));
  return document;
}

/** Runs a synchronous function. The library creates an error object for each error; its stack trace takes most of the time. */
function withoutStackTraces<Result>(run: () => Result): Result {
  const { stackTraceLimit } = Error;
  Reflect.set(Error, "stackTraceLimit", 0);
  try {
    return run();
  } finally {
    Reflect.set(Error, "stackTraceLimit", stackTraceLimit);
  }
}
