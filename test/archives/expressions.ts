import { chosen, fixed, signed } from "./_fields.ts";
import { all, each, fixedPart, name, named, type Part, typeId, within } from "./_parts.ts";
import { definitionId, type Reference } from "./_tables.ts";
import { binders, type Constructed, constructedType, type Members, members, type Type } from "./types.ts";

/** An expression: the fields of its `Expr`. */
export type Expression = Part;

const expression =
  (part: Part): Expression =>
  (tables) =>
    tables.expression(part(tables));

/** A form of `Expr`: its number in the `oneof`, and the fields of its message. */
const form = (number: number, ...parts: readonly Part[]): Expression => expression(within(number, ...parts));

export const variable = (text: string): Expression => expression((tables) => chosen(2, tables.identifier(text)));

/** The contract, its id, and the argument of the choice, as templates and choices bind them. */
export const THIS: Expression = variable("this");
export const SELF: Expression = variable("self");
export const ARG: Expression = variable("arg");

/** A definition of a value: `Module:name` or, in the same module, `name`. */
export const value = (reference: Reference): Expression =>
  form(3, (tables) => definitionId(tables, reference, "value"));

const BUILTINS: ReadonlyMap<string, number> = new Map(
  `TRACE 0 ERROR 1 EQUAL 2 LESS_EQ 3 LESS 4 GREATER_EQ 5 GREATER 6 ADD_INT64 7 SUB_INT64 8 MUL_INT64 9 DIV_INT64 10
  MOD_INT64 11 EXP_INT64 12 ADD_NUMERIC 13 SUB_NUMERIC 14 MUL_NUMERIC 15 DIV_NUMERIC 16 ROUND_NUMERIC 17 CAST_NUMERIC 18
  SHIFT_NUMERIC 19 INT64_TO_NUMERIC 20 NUMERIC_TO_INT64 21 INT64_TO_TEXT 22 NUMERIC_TO_TEXT 23 TIMESTAMP_TO_TEXT 25
  DATE_TO_TEXT 26 PARTY_TO_TEXT 27 TEXT_TO_PARTY 28 TEXT_TO_INT64 29 TEXT_TO_NUMERIC 30 CONTRACT_ID_TO_TEXT 31
  SHA256_TEXT 32 EXPLODE_TEXT 33 APPEND_TEXT 34 IMPLODE_TEXT 35 CODE_POINTS_TO_TEXT 36 TEXT_TO_CODE_POINTS 37
  DATE_TO_UNIX_DAYS 38 UNIX_DAYS_TO_DATE 39 TIMESTAMP_TO_UNIX_MICROSECONDS 40 UNIX_MICROSECONDS_TO_TIMESTAMP 41
  COERCE_CONTRACT_ID 42 FOLDL 43 FOLDR 44 EQUAL_LIST 45 GENMAP_EMPTY 52 GENMAP_INSERT 53 GENMAP_LOOKUP 54
  GENMAP_DELETE 55 GENMAP_KEYS 56 GENMAP_VALUES 57 GENMAP_SIZE 58 ANY_EXCEPTION_MESSAGE 59 TEXTMAP_EMPTY 60
  TEXTMAP_INSERT 61 TEXTMAP_LOOKUP 62 TEXTMAP_DELETE 63 TEXTMAP_TO_LIST 64 TEXTMAP_SIZE 65 FAIL_WITH_STATUS 66
  KECCAK256_TEXT 67 SECP256K1_BOOL 68 HEX_TO_TEXT 69 TEXT_TO_HEX 70 SHA256_HEX 71 SECP256K1_WITH_ECDSA_BOOL 72`
    .trim()
    .split(/\s+/)
    .flatMap((name, at, words) => (at % 2 === 0 ? [[name, Number(words[at + 1])]] : [])),
);

/** A builtin function by its name in the definitions. */
export function builtin(name: string): Expression {
  const number = BUILTINS.get(name);
  if (number === undefined) throw new Error(`${name} is not a builtin function.`);
  return expression(fixedPart(chosen(4, number)));
}

const simple = (number: number, choice: number): Expression => expression(fixedPart(chosen(number, choice)));
export const UNIT_VALUE: Expression = simple(5, 0);
export const FALSE: Expression = simple(5, 1);
export const TRUE: Expression = simple(5, 2);

export const int64 = (literal: bigint): Expression => form(6, fixedPart(signed(1, literal)));
/** Microseconds since 1970. */
export const timestamp = (microseconds: bigint): Expression => form(6, fixedPart(fixed(2, microseconds)));
/** The digits after the point give the scale: `1.0000000000`. */
export const decimal = (digits: string): Expression => form(6, (tables) => chosen(3, tables.string(digits)));
export const textOf = (content: string): Expression => form(6, (tables) => chosen(4, tables.string(content)));
/** Days since 1970. */
export const date = (days: number): Expression => form(6, fixedPart(chosen(5, days)));
export const failureCategory = (number: 0 | 1): Expression => form(6, fixedPart(chosen(6, number)));

export const record = (type: Constructed, values: Members): Expression =>
  form(7, constructedType(1, type), members(2, values));
export const get = (type: Constructed, field: string, content: Expression): Expression =>
  form(8, constructedType(1, type), name(4, field), within(3, content));
export const set = (type: Constructed, field: string, content: Expression, changed: Expression): Expression =>
  form(9, constructedType(1, type), name(2, field), within(3, content), within(4, changed));
export const variant = (type: Constructed, tag: string, content: Expression): Expression =>
  form(10, constructedType(1, type), name(2, tag), within(3, content));
export const enumeration = (type: Constructed, tag: string): Expression =>
  form(11, typeId(1, type.reference), name(2, tag));
export const structOf = (values: Members): Expression => form(12, members(1, values));
export const structGet = (field: string, content: Expression): Expression =>
  form(13, name(1, field), within(2, content));
export const structSet = (field: string, content: Expression, changed: Expression): Expression =>
  form(14, name(1, field), within(2, content), within(3, changed));

/** Applies to all arguments at once, or from LF 2.2 on one by one, as the compiler writes it. */
function applied(number: number, fun: Expression, args: readonly Part[]): Expression {
  const one = (head: Expression, given: readonly Part[]): Expression =>
    form(
      number,
      within(1, head),
      each(2, given, (arg) => arg),
    );
  const chain = args.reduce((head, arg) => one(head, [arg]), fun);
  const together = one(fun, args);
  return (tables) => (tables.isFlat ? chain : together)(tables);
}

export const apply = (fun: Expression, ...args: readonly Expression[]): Expression => applied(15, fun, args);
export const applyTypes = (fun: Expression, ...types: readonly Type[]): Expression => applied(16, fun, types);
export const lambda = (given: Members, body: Expression): Expression =>
  binders(given, body, (group, inner) => form(17, members(1, group), within(2, inner)));
export const typeLambda = (given: Members, body: Expression): Expression =>
  binders(given, body, (group, inner) => form(18, members(1, group), within(2, inner)));

/** An alternative of a case: its pattern, then its body. */
export type Alternative = Part;

const alternative = (body: Expression, pattern: Part): Alternative => all(pattern, within(1, body));
export const otherwise = (body: Expression): Alternative => alternative(body, within(2));
export const ifVariant = (type: Constructed, tag: string, binder: string, body: Expression): Alternative =>
  alternative(body, within(3, typeId(1, type.reference), name(2, tag), name(3, binder)));
export const ifUnit = (body: Expression): Alternative => alternative(body, fixedPart(chosen(4, 0)));
export const ifFalse = (body: Expression): Alternative => alternative(body, fixedPart(chosen(4, 1)));
export const ifTrue = (body: Expression): Alternative => alternative(body, fixedPart(chosen(4, 2)));
export const ifNil = (body: Expression): Alternative => alternative(body, within(5));
export const ifCons = (head: string, tail: string, body: Expression): Alternative =>
  alternative(body, within(6, name(1, head), name(2, tail)));
export const ifNone = (body: Expression): Alternative => alternative(body, within(7));
export const ifSome = (binder: string, body: Expression): Alternative => alternative(body, within(8, name(1, binder)));
export const ifEnum = (type: Constructed, tag: string, body: Expression): Alternative =>
  alternative(body, within(9, typeId(1, type.reference), name(2, tag)));

export const match = (scrutinee: Expression, ...alternatives: readonly Alternative[]): Expression =>
  form(
    19,
    within(1, scrutinee),
    each(2, alternatives, (part) => part),
  );

/** A name, its type, and what is bound to it: in a let a value, in a sequence an update. */
export type Binding = readonly [name: string, type: Type, bound: Expression];

export const block = (bindings: readonly Binding[], body: Expression): Part =>
  all(
    each(1, bindings, ([text, type, bound]) => all(within(1, named(text, type)), within(2, bound))),
    within(2, body),
  );
export const letIn = (bindings: readonly Binding[], body: Expression): Expression => form(20, block(bindings, body));

export const nil = (type: Type): Expression => form(21, within(1, type));
export const cons = (type: Type, front: readonly Expression[], tail: Expression): Expression =>
  form(
    22,
    within(1, type),
    each(2, front, (part) => part),
    within(3, tail),
  );
export const listOf = (type: Type, ...elements: readonly Expression[]): Expression =>
  elements.length === 0 ? nil(type) : cons(type, elements, nil(type));
export const none = (type: Type): Expression => form(25, within(1, type));

type OfType = (type: Type, content: Expression) => Expression;
const ofType =
  (number: number): OfType =>
  (type, content) =>
    form(number, within(1, type), within(2, content));
export const some: OfType = ofType(26);
export const toAny: OfType = ofType(27);
export const fromAny: OfType = ofType(28);
export const typeRep = (type: Type): Expression => form(29, type);
export const toAnyException: OfType = ofType(30);
export const fromAnyException: OfType = ofType(31);
export const raise = (result: Type, exception: Type, content: Expression): Expression =>
  form(32, within(1, result), within(2, exception), within(3, content));

type Between = (first: Reference, second: Reference, content: Expression) => Expression;
const between =
  (number: number): Between =>
  (first, second, content) =>
    form(number, typeId(1, first), typeId(2, second), within(3, content));
/** Interface, template, template value. */
export const toInterface: Between = between(33);
/** Interface, template, interface value. */
export const fromInterface: Between = between(34);
/** Required interface, requiring interface, value of the requiring one. */
export const toRequiredInterface: Between = between(41);
/** Required interface, requiring interface, value of the required one. */
export const fromRequiredInterface: Between = between(42);

export const callMethod = (face: Reference, method: string, content: Expression): Expression =>
  form(35, typeId(1, face), name(2, method), within(3, content));

type OfInterface = (face: Reference, content: Expression) => Expression;
const ofInterface =
  (number: number): OfInterface =>
  (face, content) =>
    form(number, typeId(1, face), within(2, content));
export const signatoriesOf: OfInterface = ofInterface(36);
export const observersOf: OfInterface = ofInterface(37);
export const viewOf: OfInterface = ofInterface(38);
export const typeRepOf: OfInterface = ofInterface(40);

/** An update, in field 23 of an expression. */
export const updateOf = (part: Part): Expression => form(23, part);
