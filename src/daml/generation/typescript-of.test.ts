import ts from "typescript";
import { expect, test } from "vitest";
import { type Archive, archiveOf } from "../../../test/archives/archive-of.ts";
import { darOf } from "../../../test/archives/dar-of.ts";
import { recordType, variantType } from "../../../test/archives/data-types.ts";
import { listOf } from "../../../test/archives/expressions.ts";
import { AUCTION } from "../../../test/archives/packages/auction.ts";
import { HOLDINGS } from "../../../test/archives/packages/holdings.ts";
import { IOU } from "../../../test/archives/packages/iou.ts";
import { template } from "../../../test/archives/templates.ts";
import * as lf from "../../../test/archives/types.ts";
import { limitValues } from "../../foundation/limits/limits.ts";
import { readDar } from "../archives/dar.ts";
import { preamble } from "./_preamble.ts";
import { typescriptOf } from "./typescript-of.ts";

test("a template has its payload and its choices, a data type its TypeScript type", () => {
  expect(ownPart(AUCTION)).toMatchInlineSnapshot(`
    "

    /** #auction:Market.Auction:Auction */
    export type Auction = {
      readonly seller: Party;
      readonly bidders: readonly Party[];
      readonly phase: Phase;
      readonly highest?: Optional<Bid>;
      readonly bids: GenMap<Party, Int64>;
      readonly labels: TextMap<string>;
    };

    /** #ghc-stdlib-DA-Internal-Template:DA.Internal.Template:Archive */
    export type Archive = Unit;

    /** #auction:Market.Auction:PlaceBid */
    export type PlaceBid = {
      readonly bidder: Party;
      readonly price: Int64;
    };

    /** #auction:Market.Auction:Close */
    export type Close = Unit;

    /** #auction:Market.Auction:Outcome */
    export type Outcome = { readonly tag: "Sold"; readonly value: Outcome_Sold } | { readonly tag: "Unsold"; readonly value: Unit };

    /** #auction:Market.Auction:Phase */
    export type Phase = "Open" | "Closed";

    /** #auction:Market.Auction:Outcome.Sold */
    export type Outcome_Sold = {
      readonly winner: Party;
      readonly price: Int64;
      readonly at: Timestamp;
    };

    /** #auction:Market.Auction:Bid */
    export type Bid = {
      readonly bidder: Party;
      readonly price: Int64;
    };

    export interface Templates {
      readonly "#auction:Market.Auction:Auction": {
        readonly payload: Auction;
        readonly choices: {
          readonly Archive: { readonly argument: Archive; readonly result: Unit; readonly isConsuming: true };
          readonly PlaceBid: { readonly argument: PlaceBid; readonly result: ContractId; readonly isConsuming: true };
          readonly Close: { readonly argument: Close; readonly result: Outcome; readonly isConsuming: true };
        };
        readonly interfaces: never;
      };
    }

    export interface Interfaces {
    }
    "
  `);
});

test("an interface has its view, also one of another package, and a template names its interfaces", () => {
  const text = ownPart(HOLDINGS);
  expect(text).toContain('readonly interfaces: "#holding-api:Holding.Api:Holding";');
  expect(text).toContain('readonly "#holding-api:Holding.Api:Holding": {\n    readonly view: HoldingView;');
});

const [a, b] = [lf.typeVariable("a"), lf.typeVariable("b")];
const parameters = { a: lf.STAR, b: lf.STAR };

test("types of the same name get that of their module, and an optional value in another one is a list", () => {
  const fields = {
    owner: lf.PARTY,
    first: lf.con("One:Party"),
    second: lf.con("Two:Item", lf.INT64, lf.TEXT),
    third: lf.optional(lf.optional(lf.optional(lf.BOOL))),
  };
  const text = ownPart(
    archiveOf({
      name: "names",
      version: "1.0.0",
      modules: {
        One: [
          recordType("Party", { "odd'name": lf.list(lf.optional(lf.TEXT)) }),
          recordType("Item", { other: lf.UNIT }),
        ],
        Two: [
          variantType("Item", { Leaf: b, Node: lf.con("Item", a, b) }, { parameters }),
          ...template({
            name: "Main",
            fields: { ...fields, fourth: lf.con("One:Item") },
            signatories: listOf(lf.PARTY),
          }),
        ],
      },
    }),
  );
  for (const line of [
    "export type One_Party = {\n  readonly odd$u0027name: readonly Optional<string>[];\n};",
    'export type Two_Item<T1, T2> = { readonly tag: "Leaf"; readonly value: T2 } | { readonly tag: "Node"; readonly value: Two_Item<T1, T2> };',
    "export type One_Item = {\n  readonly other: Unit;\n};",
    "  readonly second: Two_Item<Int64, string>;",
    "  readonly third: Nested<Nested<Nested<boolean>>>;",
  ])
    expect(text).toContain(line);
});

test("the compiler accepts the types, and refuses a command that lacks a member or names another choice", () => {
  const command = (text: string) => `import type * as iou from "./iou.ts";\nexport const command: ${text};\n`;
  const create = 'iou.CreateCommand<"#iou:Iou:Iou"> = { CreateCommand: { templateId: "#iou:Iou:Iou", createArguments: ';
  const exercise =
    'iou.ExerciseCommand<iou.Templates["#iou:Iou:Iou"], "Transfer"> = { ExerciseCommand: { templateId: "", contractId: "00", ';
  const problems = compiled({
    "iou.ts": typesOf(IOU),
    "auction.ts": typesOf(AUCTION),
    "create.ts": command(`${create}{ issuer: "a", owner: "b", amount: "1.0" } } }`),
    "exercise.ts": command(`${exercise}choice: "Transfer", choiceArgument: { newOwner: "c" } } }`),
    "lacks.ts": command(`${create}{ issuer: "a", amount: "1.0" } } }`),
    "other.ts": command(`${exercise}choice: "Split", choiceArgument: { newOwner: "c" } } }`),
  });
  expect(problems).toEqual([
    expect.stringMatching(/^lacks.ts: Property 'owner' is missing/),
    expect.stringMatching(/^other.ts: Type '"Split"' is not assignable to type '"Transfer"'/),
  ]);
});

function typesOf(archive: Archive): string {
  const read = readDar(darOf(archive), limitValues());
  if (read.type === "refused") throw new Error(read.problem);
  return typescriptOf(read.dar);
}

/** What follows the part that all files have. */
const ownPart = (archive: Archive): string => typesOf(archive).split(preamble)[1] ?? "";

/** The problems that the compiler has with files, with their names. */
function compiled(files: Readonly<Record<string, string>>): readonly string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    erasableSyntaxOnly: true,
    allowImportingTsExtensions: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ESNext,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  const name = (path: string) => path.split("/").at(-1) ?? "";
  host.getSourceFile = (path, language) => {
    const text = files[name(path)];
    return text === undefined ? getSourceFile(path, language) : ts.createSourceFile(path, text, language);
  };
  host.fileExists = (path) => name(path) in files || fileExists(path);
  host.readFile = (path) => files[name(path)] ?? readFile(path);
  const program = ts.createProgram(Object.keys(files), options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file, messageText }) => `${name(file?.fileName ?? "")}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
    );
}
