// Generates docs/reference/library.md from the doc comments of what the package exports.
import ts from "typescript";
import { cell } from "../_cell.ts";

/** A module that users import, with its source. */
interface EntryPoint {
  readonly name: string;
  readonly source: string;
}

/** An export: the name that users import, and what it stands for. */
interface Export {
  readonly name: string;
  readonly symbol: ts.Symbol;
}

/** Length of the longest type that the page shows, in characters. Longer ones are generated from the API. */
const typeLengthMax = 400;

export function libraryPage(program: ts.Program, entryPoints: readonly EntryPoint[]): string {
  const seen = new Set<ts.Symbol>();
  const sections = entryPoints.map(({ name, source }) => {
    const exported = exportsOf(program, source);
    const fresh = exported.filter(({ symbol }) => !seen.has(symbol) && seen.add(symbol));
    return { name, exported, own: [...fresh.filter(isValue), ...fresh.filter((each) => !isValue(each))] };
  });
  const anchors = anchorsOf(sections.flatMap(({ own }) => own));
  const linkTo = ({ name, symbol }: Export) => `[\`${name}\`](#${anchors.get(symbol)})`;
  return [
    "<!-- Made by `npm run api` from the doc comments of src. Do not edit. -->",
    "# Library",
    "",
    "What each entry point of the package exports. [Worlds and the library](../worlds.md) and [Consumer tests](../consumer-tests.md) show how to use it.",
    "The files `dist/**/*.d.ts` of the package have all declarations in full.",
    "",
    "| Entry point | Functions and classes |",
    "| --- | --- |",
    ...sections.map(
      ({ name, exported }) =>
        `| [\`${name}\`](#${name.replace("/", "")}) | ${exported.filter(isValue).map(linkTo).join(", ")} |`,
    ),
    "",
    ...sections.flatMap(({ name, own }) => [
      `## ${name}`,
      "",
      ...own.flatMap((each) => exportLines(each, program.getTypeChecker())),
    ]),
  ].join("\n");
}

/** What a source exports, in its order, without the symbols that another package declares. */
function exportsOf(program: ts.Program, source: string): readonly Export[] {
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(source);
  const module = file && checker.getSymbolAtLocation(file);
  if (module === undefined) throw new Error(`${source} exports nothing`);
  return checker
    .getExportsOfModule(module)
    .map((symbol) => ({
      name: symbol.name,
      symbol: symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
    }))
    .filter(({ symbol }) => !declarationOf(symbol)?.getSourceFile().fileName.includes("/node_modules/"));
}

function declarationOf(symbol: ts.Symbol): ts.Declaration | undefined {
  return symbol.declarations?.[0];
}

function isValue({ symbol }: Export): boolean {
  return (symbol.flags & ts.SymbolFlags.Value) !== 0;
}

/** The anchors of the headings: the second one with the same name ends with `-1`. */
function anchorsOf(exported: readonly Export[]): ReadonlyMap<ts.Symbol, string> {
  const counts = new Map<string, number>();
  return new Map(
    exported.map(({ name, symbol }) => {
      const anchor = name.toLowerCase();
      const count = counts.get(anchor) ?? 0;
      counts.set(anchor, count + 1);
      return [symbol, count === 0 ? anchor : `${anchor}-${count}`];
    }),
  );
}

function exportLines({ name, symbol }: Export, checker: ts.TypeChecker): readonly string[] {
  const declaration = declarationOf(symbol);
  const doc = docOf(symbol, checker);
  const head = [`### ${name}`, "", ...(doc === "" ? [] : [doc, ""])];
  const examples = examplesOf(symbol, checker);
  if (declaration === undefined) return head;
  if (ts.isInterfaceDeclaration(declaration) && declaration.getSourceFile().fileName.includes("/generated/"))
    return [...head, pathTypes, ""];
  if (ts.isInterfaceDeclaration(declaration) || ts.isClassDeclaration(declaration))
    return [...head, ...examples, ...memberLines(declaration, checker)];
  return [...head, ...shownAs(declaration, checker), ...examples];
}

const pathTypes =
  "Requests and responses by path and method, generated from `contracts/`. [A typed client](../consumer-tests.md#a-typed-client) shows how to use them.";

/** The declaration without its body; a type of literal values as these values. */
function shownAs(declaration: ts.Declaration, checker: ts.TypeChecker): readonly string[] {
  const type = checker.getTypeAtLocation(declaration);
  const isOfLiterals =
    ts.isTypeAliasDeclaration(declaration) && type.isUnion() && type.types.every((each) => each.isLiteral());
  const whole = isOfLiterals
    ? `type ${declaration.name.text} = ${type.types.map((each) => checker.typeToString(each)).join(" | ")};`
    : declaration.getText();
  const text = ts.isFunctionDeclaration(declaration)
    ? whole.slice(0, -(declaration.body?.getText().length ?? 0))
    : whole;
  const shown = text.replace(/^export (?:async )?/, "").trim();
  return shown.length > typeLengthMax ? [] : codeLines(shown);
}

function memberLines(type: ts.InterfaceDeclaration | ts.ClassDeclaration, checker: ts.TypeChecker): readonly string[] {
  const bases = (type.heritageClauses ?? []).flatMap(({ types }) => types.map((base) => `\`${base.getText()}\``));
  const members = [...type.members].flatMap((member) => {
    const symbol = member.name && checker.getSymbolAtLocation(member.name);
    return symbol === undefined || isHidden(member) ? [] : [{ member, symbol }];
  });
  const rows = members.map(
    ({ member, symbol }) => `| \`${nameOf(member)}\` | ${codeCell(typeOf(member))} | ${cell(docOf(symbol, checker))} |`,
  );
  const examples = members.flatMap(({ symbol }) => {
    const lines = examplesOf(symbol, checker);
    return lines.length === 0 ? [] : [`Example of \`${symbol.name}\`:`, "", ...lines];
  });
  return [
    ...(bases.length === 0 ? [] : [`It has the members of ${bases.join(" and ")} too.`, ""]),
    ...(rows.length === 0 ? [] : ["| Member | Type | Meaning |", "| --- | --- | --- |", ...rows, ""]),
    ...examples,
  ];
}

function isHidden(member: ts.Node): boolean {
  const name = ts.isPropertyDeclaration(member) || ts.isMethodDeclaration(member) ? member.name : undefined;
  return ts.isConstructorDeclaration(member) || (name !== undefined && ts.isPrivateIdentifier(name));
}

function nameOf(member: ts.TypeElement | ts.ClassElement): string {
  const name = member.name?.getText() ?? "";
  if (ts.isMethodSignature(member) || ts.isMethodDeclaration(member)) return `${name}()`;
  return ts.isPropertySignature(member) && member.questionToken !== undefined ? `${name}?` : name;
}

function typeOf(member: ts.TypeElement | ts.ClassElement): string {
  if (ts.isMethodSignature(member) || ts.isMethodDeclaration(member)) {
    const parameters = member.parameters.map((parameter) => parameter.getText()).join(", ");
    return `(${parameters}) => ${member.type?.getText() ?? "void"}`;
  }
  return ts.isPropertySignature(member) || ts.isPropertyDeclaration(member) || ts.isGetAccessor(member)
    ? (member.type?.getText() ?? "")
    : "";
}

function docOf(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  return ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll(/\s+/g, " ").trim();
}

function examplesOf(symbol: ts.Symbol, checker: ts.TypeChecker): readonly string[] {
  return symbol
    .getJsDocTags(checker)
    .filter(({ name }) => name === "example")
    .flatMap(({ text }) => codeLines(ts.displayPartsToString(text).trim()));
}

function codeCell(text: string): string {
  return text === "" ? "" : cell(`\`${text}\``);
}

function codeLines(code: string): readonly string[] {
  return ["```ts", code, "```", ""];
}
