import { Composer, type CST, type Document, Lexer, type LineCounter, Parser, YAMLParseError } from "yaml";
import { fileLimits } from "../file-limits.ts";

interface ExceededLimit {
  readonly name: "fileNestingMax" | "yamlTokensMax";
  readonly offset: number;
}

export interface ParsedYaml {
  readonly document: Document.Parsed;
  /** The tokens that the library made it of. */
  readonly tokens: readonly CST.Token[];
  /** The limit that the text exceeds, and where. The text from there on is not read. */
  readonly exceeded: ExceededLimit | undefined;
}

/** Parses a text with all its errors. Fills `lines`. A second document is an error. */
export function parseYaml(text: string, lines: LineCounter): ParsedYaml {
  const { tokens, exceeded } = tokensIn(text, lines);
  const document = withoutStackTraces(() => composed(tokens, text.length));
  return { document, tokens, exceeded };
}

/** The tokens of a text. Both limits are counted here: the library composes values slowly, and with recursive functions. */
function tokensIn(text: string, lines: LineCounter): Pick<ParsedYaml, "tokens" | "exceeded"> {
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  let [count, exceeded]: [number, ExceededLimit | undefined] = [0, undefined];
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    count += 1;
    exceeded = exceededBy(parser, count);
    if (exceeded !== undefined) break;
  }
  for (const token of parser.end()) tokens.push(token);
  return { tokens, exceeded };
}

function exceededBy({ stack, offset }: Parser, count: number): ExceededLimit | undefined {
  const { fileNestingMax, yamlTokensMax } = fileLimits;
  if (count > yamlTokensMax) return { name: "yamlTokensMax", offset };
  const beyond = stack.length > fileNestingMax ? stack.filter(isCollection)[fileNestingMax] : undefined;
  return beyond === undefined ? undefined : { name: "fileNestingMax", offset: beyond.offset };
}

function isCollection({ type }: CST.Token): boolean {
  return type === "block-map" || type === "block-seq" || type === "flow-collection";
}

/** The library's own duplicate check and pretty errors are too slow for large files. */
const reading = {
  prettyErrors: false,
  uniqueKeys: false,
  schema: "core",
  resolveKnownTags: false,
  merge: true,
} as const;

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
