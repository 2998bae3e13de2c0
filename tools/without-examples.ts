import type { Plugin } from "rolldown";
import ts from "typescript";

/**
 * Keeps only the names of the examples of rules, and drops the values that nothing else uses. Only tests and the docs need
 * the rest, whose bytes would be encoded at each start.
 */
export const rulesWithoutExamples: Plugin = {
  name: "without-examples",
  transform(code, id) {
    if (!/[\\/]src[\\/]checker[\\/](?:client-)?rules[\\/]/.test(id)) return undefined;
    return { code: usedPart(namesOfExamples(code)), moduleSideEffects: false };
  },
};

/** The source of a rule with the names of its examples. */
export function namesOfExamples(code: string): string {
  const examples = sourceOf(code)
    .statements.flatMap(declarationsIn)
    .flatMap(({ initializer }) => membersOf(initializer))
    .filter(({ name }) => name?.getText() === "examples")
    .flatMap((member) => (ts.isPropertyAssignment(member) ? membersOf(member.initializer) : []))
    .flatMap((list) => (ts.isPropertyAssignment(list) ? elementsOf(list.initializer) : []));
  return replaced(
    code,
    examples.map((example) => ({ node: example, by: `{ ${nameOf(example)} }` })),
  );
}

function nameOf(example: ts.Node): string {
  const member = membersOf(example).find(({ name }) => name?.getText() === "name");
  if (member === undefined) throw new Error(`an example without a name: ${example.getText()}`);
  return member.getText();
}

function membersOf(node: ts.Node | undefined): readonly ts.ObjectLiteralElementLike[] {
  return node !== undefined && ts.isObjectLiteralExpression(node) ? node.properties : [];
}

function elementsOf(node: ts.Node): readonly ts.Node[] {
  return ts.isArrayLiteralExpression(node) ? node.elements : [];
}

/** The source without the top-level values and functions that neither it nor another file uses. */
export function usedPart(code: string): string {
  const statements = sourceOf(code).statements.map((node) => ({ node, used: new Set(identifiersIn(node)) }));
  const unused = statements.filter(({ node }) => {
    const names = ownNames(node);
    return (
      names.length > 0 &&
      !names.some((name) => statements.some(({ node: other, used }) => other !== node && used.has(name)))
    );
  });
  if (unused.length === 0) return code;
  return usedPart(
    replaced(
      code,
      unused.map(({ node }) => ({ node, by: "" })),
    ),
  );
}

/** The names that a statement declares for its own file alone. */
function ownNames(statement: ts.Statement): readonly string[] {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  if (modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
  if (ts.isFunctionDeclaration(statement)) return statement.name === undefined ? [] : [statement.name.text];
  return declarationsIn(statement).flatMap(({ name }) => identifiersIn(name));
}

function declarationsIn(statement: ts.Statement): readonly ts.VariableDeclaration[] {
  return ts.isVariableStatement(statement) ? statement.declarationList.declarations : [];
}

function identifiersIn(node: ts.Node): readonly string[] {
  const names: string[] = [];
  const visit = (inner: ts.Node): void => {
    if (ts.isIdentifier(inner)) names.push(inner.text);
    ts.forEachChild(inner, visit);
  };
  visit(node);
  return names;
}

/** The source with other texts in the place of nodes, which are in order. */
function replaced(code: string, changes: readonly { readonly node: ts.Node; readonly by: string }[]): string {
  let [text, from] = ["", 0];
  for (const { node, by } of changes) {
    text += code.slice(from, node.getStart()) + by;
    from = node.end;
  }
  return text + code.slice(from);
}

function sourceOf(code: string): ts.SourceFile {
  return ts.createSourceFile("rule.ts", code, ts.ScriptTarget.Latest, true);
}
