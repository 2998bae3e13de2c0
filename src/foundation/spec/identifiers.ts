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
  return text.length <= maxLength && (padding === undefined || isWhole(text, padding)) && expression.test(text);
}

/** Whether base64 has a possible number of characters. A pattern would repeat a group of four, which takes stack. */
function isWhole(text: string, padding: "optional" | "required"): boolean {
  return padding === "required" || text.endsWith("=") ? text.length % 4 === 0 : text.length % 4 !== 1;
}
