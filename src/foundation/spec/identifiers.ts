import { contracts } from "./contracts.ts";

interface Syntax {
  readonly expression: RegExp;
  readonly maxLength: number;
}

const syntaxes: ReadonlyMap<string, Syntax> = new Map(
  contracts.identifiers.map(({ name, pattern, maxLength }) => [
    name,
    { expression: new RegExp(pattern, "u"), maxLength: maxLength ?? Number.POSITIVE_INFINITY },
  ]),
);

/** Whether a text has the syntax of that name in `contracts/identifiers.yaml`. */
export function isIdentifier(syntaxName: string, text: string): boolean {
  const syntax = syntaxes.get(syntaxName);
  if (syntax === undefined) throw new RangeError(`no identifier syntax ${syntaxName}`);
  return text.length <= syntax.maxLength && syntax.expression.test(text);
}
