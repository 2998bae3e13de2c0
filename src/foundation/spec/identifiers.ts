import { isBase64 } from "../text/base64.ts";
import { contracts, type IdentifierSyntax } from "./contracts.ts";

interface Syntax {
  readonly expression: RegExp;
  readonly maxLength: number;
  readonly padding: IdentifierSyntax["padding"];
}

const syntaxes: ReadonlyMap<string, Syntax> = new Map(
  contracts.identifiers.map(({ name, pattern, maxLength, padding }) => [
    name,
    { expression: new RegExp(pattern, "u"), maxLength: maxLength ?? Number.POSITIVE_INFINITY, padding },
  ]),
);

/** The syntax of that name in words. */
export function descriptionOf(syntaxName: string): string {
  return contracts.identifiers.find(({ name }) => name === syntaxName)?.description ?? "";
}

/** Whether a text has the syntax of that name in `contracts/identifiers.yaml`. */
export function isIdentifier(syntaxName: string, text: string): boolean {
  const syntax = syntaxes.get(syntaxName);
  if (syntax === undefined) throw new RangeError(`no identifier syntax ${syntaxName}`);
  const { expression, maxLength, padding } = syntax;
  if (text.length > maxLength) return false;
  if (padding === undefined) return expression.test(text);
  return isWhole(text, padding) && ((text.length > shortBase64Max && isBase64(text)) || expression.test(text));
}

/** Longer base64 is read by the platform, which is faster than a pattern. */
const shortBase64Max = 50;

/** Whether base64 has a possible number of characters. A pattern would repeat a group of four, which takes stack. */
function isWhole(text: string, padding: "optional" | "required"): boolean {
  return padding === "required" || text.endsWith("=") ? text.length % 4 === 0 : text.length % 4 !== 1;
}
