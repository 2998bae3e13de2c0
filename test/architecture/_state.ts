import ts from "typescript";
import { lineOf, type Source, visit } from "./_sources.ts";

const mutable = /^(?:Weak)?(?:Map|Set)$/;
const mutators = /^(?:set|add|delete|clear|push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin)$/;

/** Places where modules hold state. A comment `// State of the module: …` above a declaration gives the reason for it. */
export function stateIn(sources: readonly Source[]): readonly string[] {
  return sources.flatMap((source) => {
    const names = namesOf(source.tree);
    return visit([source], (node, tree) => {
      if (ts.isVariableDeclaration(node) && isOfModule(node) && isState(node) && !hasReason(node, tree))
        return [`state: ${node.name.getText(tree)}`];
      if (ts.isPropertyDeclaration(node) && hasModifier(node, ts.SyntaxKind.StaticKeyword)) return ["static state"];
      const changed = changedBy(node);
      return changed !== undefined && names.has(changed) && !isParameter(node, changed)
        ? [`a change of ${changed}`]
        : [];
    });
  });
}

/** The names that the module declares, without those of state with a reason. */
function namesOf(tree: ts.SourceFile): ReadonlySet<string> {
  const declared = tree.statements.filter(ts.isVariableStatement).flatMap((each) => each.declarationList.declarations);
  const silent = declared.filter((each) => !hasReason(each, tree) && !(isState(each) || isPattern(each)));
  return new Set(silent.map(({ name }) => name.getText(tree)));
}

function isOfModule({ parent }: ts.VariableDeclaration): boolean {
  return ts.isVariableStatement(parent.parent) && ts.isSourceFile(parent.parent.parent);
}

function isState({ parent, type, initializer }: ts.VariableDeclaration): boolean {
  if (ts.isVariableDeclarationList(parent) && !(parent.flags & ts.NodeFlags.Const)) return true;
  if (initializer === undefined) return false;
  if (ts.isCallExpression(initializer)) return initializer.expression.getText() === "memoize";
  const isReadonly = /^readonly/i.test(type?.getText() ?? "");
  if (ts.isNewExpression(initializer)) {
    const made = initializer.expression.getText();
    return made.startsWith("Weak") || (mutable.test(made) && !isReadonly);
  }
  if (ts.isArrayLiteralExpression(initializer)) return initializer.elements.length === 0 && !isReadonly;
  const isOpen = type === undefined || /^(?:Record\b|\{)/.test(type.getText());
  return ts.isObjectLiteralExpression(initializer) && initializer.properties.length === 0 && isOpen;
}

/** Where a pattern goes on is set before each use. */
function isPattern({ initializer }: ts.VariableDeclaration): boolean {
  return initializer !== undefined && /^(?:\/|new RegExp\b)/.test(initializer.getText());
}

function hasReason(node: ts.Node, tree: ts.SourceFile): boolean {
  return tree.text.split("\n")[lineOf(node, tree) - 1]?.startsWith("// State of the module: ") === true;
}

function hasModifier(node: ts.PropertyDeclaration, kind: ts.SyntaxKind): boolean {
  return node.modifiers?.some((modifier) => modifier.kind === kind) === true;
}

/** The name of the value whose member a node changes. */
function changedBy(node: ts.Node): string | undefined {
  if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken)) return ownerOf(node.left);
  if (ts.isDeleteExpression(node)) return ownerOf(node.expression);
  const callee = ts.isCallExpression(node) ? node.expression : undefined;
  if (callee === undefined || !ts.isPropertyAccessExpression(callee) || !mutators.test(callee.name.text))
    return undefined;
  return ownerOf(callee);
}

/** Whether a function around the node has a parameter of this name. */
function isParameter(node: ts.Node, name: string): boolean {
  if (ts.isFunctionLike(node) && node.parameters.some((each) => each.name.getText() === name)) return true;
  return node.parent !== undefined && isParameter(node.parent, name);
}

function isAssignment({ kind }: ts.BinaryOperatorToken): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

function ownerOf(place: ts.Expression): string | undefined {
  let owner = place;
  while (ts.isPropertyAccessExpression(owner) || ts.isElementAccessExpression(owner)) owner = owner.expression;
  return owner !== place && ts.isIdentifier(owner) ? owner.text : undefined;
}
