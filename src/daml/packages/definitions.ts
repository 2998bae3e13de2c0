import type { WireMessage } from "../wire/message.ts";
import type { LfField, LfType } from "./lf-type.ts";

// The definitions of a module. An expression stays undecoded: it is a message, which is a range of bytes.

/** An expression that is not decoded yet. */
type UndecodedExpr = WireMessage<"Expr">;

export interface DataType {
  /** `package:Module:Name`; the name of the record of a constructor is `Type.Constructor`. */
  readonly id: string;
  readonly params: readonly string[];
  readonly isSerializable: boolean;
  readonly shape: DataShape;
}

export type DataShape =
  | { readonly type: "record" | "variant"; readonly fields: readonly LfField[] }
  | { readonly type: "enum"; readonly constructors: readonly string[] }
  | { readonly type: "interface" };

export interface TypeSynonym {
  readonly params: readonly string[];
  readonly type: LfType;
}

export interface LfTemplate {
  readonly id: string;
  /** The variable of the contract in the expressions. */
  readonly param: string;
  readonly precondition: UndecodedExpr | undefined;
  readonly signatories: UndecodedExpr | undefined;
  readonly observers: UndecodedExpr | undefined;
  readonly choices: ReadonlyMap<string, LfChoice>;
  readonly key: LfKey | undefined;
  /** By the id of the interface. */
  readonly implements: ReadonlyMap<string, InterfaceInstance>;
}

export interface LfChoice {
  readonly name: string;
  readonly isConsuming: boolean;
  readonly self: string;
  readonly argument: LfField;
  readonly returnType: LfType;
  readonly controllers: UndecodedExpr | undefined;
  readonly observers: UndecodedExpr | undefined;
  readonly update: UndecodedExpr | undefined;
}

interface LfKey {
  readonly type: LfType;
  readonly key: UndecodedExpr | undefined;
  readonly maintainers: UndecodedExpr | undefined;
}

export interface InterfaceInstance {
  readonly methods: ReadonlyMap<string, UndecodedExpr | undefined>;
  readonly view: UndecodedExpr | undefined;
}

export interface LfInterface {
  readonly id: string;
  readonly param: string;
  readonly methods: ReadonlyMap<string, LfType>;
  readonly choices: ReadonlyMap<string, LfChoice>;
  readonly view: LfType;
  readonly requires: readonly string[];
}

export interface LfValue {
  readonly id: string;
  readonly type: LfType;
  readonly body: UndecodedExpr | undefined;
}

export interface LfException {
  readonly id: string;
  readonly message: UndecodedExpr | undefined;
}
