import { isSameJson, type Json } from "../../../foundation/json/json.ts";
import { shortened } from "../../../foundation/text/shortened.ts";
import { type ExpressionScope, evaluate } from "./expression.ts";

// Simple conditions of Arazzo 1.0.1: comparisons joined by && and ||, grouped by parentheses, negated by !.
// A comparison with an expression that has no value is neither true nor false, and neither is its negation.

/** Undefined: not known, because an expression has no value. */
type Truth = boolean | undefined;

const token =
  /\s*(&&|\|\||==|!=|<=|>=|<|>|!(?!=)|\(|\)|'(?:[^']|'')*'|\{\$[^{}]+\}|\$(?:\['(?:[^']|'')*'\]|\["[^"]*"\]|[^\s()=!<>&|])+|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null)/y;

const shownMax = 40;
const conditionLengthMax = 10_000;
const depthMax = 100;

/** Whether a condition holds; false if it depends on an expression without a value. Throws SyntaxError for one that is not well formed, too long or too deep. */
export function holds(condition: string, scope: ExpressionScope): boolean {
  if (condition.length > conditionLengthMax)
    throw new SyntaxError(`it has ${condition.length} characters; at most ${conditionLengthMax} are allowed`);
  const tokens = tokensOf(condition);
  const rest = { at: 0, depth: 0 };
  const result = either();
  if (rest.at < tokens.length) throw new SyntaxError(`unexpected ${tokens[rest.at]}`);
  return result === true;

  function either(): Truth {
    let result = both();
    while (take("||")) result = joined(true, result, both());
    return result;
  }
  function both(): Truth {
    let result = comparison();
    while (take("&&")) result = joined(false, result, comparison());
    return result;
  }
  function comparison(): Truth {
    if (take("!")) {
      const inner = nested(comparison);
      return inner === undefined ? undefined : !inner;
    }
    if (take("(")) {
      const inner = nested(either);
      if (!take(")")) throw new SyntaxError("a parenthesis is not closed");
      return inner;
    }
    const left = operand();
    const operator = tokens[rest.at];
    if (operator === undefined || !Object.hasOwn(comparisons, operator))
      return left === undefined ? undefined : left === true;
    rest.at += 1;
    const right = operand();
    return left === undefined || right === undefined ? undefined : comparisons[operator]?.(left, right);
  }
  function nested(inner: () => Truth): Truth {
    rest.depth += 1;
    if (rest.depth > depthMax) throw new SyntaxError(`it is nested deeper than ${depthMax} levels`);
    const result = inner();
    rest.depth -= 1;
    return result;
  }
  function operand(): Json | undefined {
    const text = tokens[rest.at];
    if (text === undefined) throw new SyntaxError("it ends too early");
    rest.at += 1;
    return valueOfToken(text, scope);
  }
  function take(text: string): boolean {
    if (tokens[rest.at] !== text) return false;
    rest.at += 1;
    return true;
  }
}

/** Two parts joined by `||`, which one true part decides, or by `&&`, which one false part decides. */
function joined(deciding: boolean, left: Truth, right: Truth): Truth {
  if (left === deciding || right === deciding) return deciding;
  return left === undefined || right === undefined ? undefined : !deciding;
}

const comparisons: Readonly<Record<string, (left: Json, right: Json) => boolean>> = {
  "==": isEqual,
  "!=": (left, right) => !isEqual(left, right),
  "<": (left, right) => isOrdered(left, right, (order) => order < 0),
  "<=": (left, right) => isOrdered(left, right, (order) => order <= 0),
  ">": (left, right) => isOrdered(left, right, (order) => order > 0),
  ">=": (left, right) => isOrdered(left, right, (order) => order >= 0),
};

/** Loose comparison: the case of texts does not count, and a number equals its text. */
function isEqual(left: Json, right: Json): boolean {
  if (typeof left === "string" && typeof right === "string") return left.toLowerCase() === right.toLowerCase();
  const [number, text] = typeof left === "string" ? [right, left] : [left, right];
  if (typeof text === "string" && (typeof number === "number" || typeof number === "bigint"))
    return text.trim() !== "" && Number(text) === Number(number);
  return isSameJson(left, right);
}

/** Compares numbers, and texts that are not both numbers. Other values have no order. */
function isOrdered(left: Json, right: Json, isRight: (order: number) => boolean): boolean {
  const [low, high] = [left, right].map(numberIn);
  if (low !== undefined && high !== undefined) return isRight(low - high);
  if (typeof left !== "string" || typeof right !== "string") return false;
  const [first, second] = [left.toLowerCase(), right.toLowerCase()];
  return isRight(first === second ? 0 : first < second ? -1 : 1);
}

function numberIn(value: Json): number | undefined {
  const isNumeric = typeof value === "number" || typeof value === "bigint";
  const number = isNumeric || (typeof value === "string" && value.trim() !== "") ? Number(value) : Number.NaN;
  return Number.isNaN(number) ? undefined : number;
}

/** The runtime expressions of a well-formed condition. */
export function expressionsIn(condition: string): readonly string[] {
  return tokensOf(condition)
    .filter((text) => /^\{?\$/.test(text))
    .map(withoutBraces);
}

/** An expression without the braces that embed it in a text. */
function withoutBraces(text: string): string {
  return /^\{([^{}]*)\}$/s.exec(text)?.[1] ?? text;
}

function tokensOf(condition: string): readonly string[] {
  const found: string[] = [];
  const trimmed = withoutBraces(condition.trim());
  for (let at = 0; at < trimmed.length; at = token.lastIndex) {
    token.lastIndex = at;
    const match = token.exec(trimmed);
    if (match === null)
      throw new SyntaxError(
        `${JSON.stringify(shortened(trimmed.slice(at).trimStart(), shownMax))} is neither a value nor an operator such as ==`,
      );
    found.push(match[1] ?? "");
  }
  return found;
}

function valueOfToken(text: string, scope: ExpressionScope): Json | undefined {
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  if (/^\{?\$/.test(text)) return evaluate(withoutBraces(text), scope);
  if (text === "true" || text === "false") return text === "true";
  if (text === "null") return null;
  const number = Number(text);
  if (Number.isNaN(number)) throw new SyntaxError(`unexpected ${text}`);
  return number;
}
