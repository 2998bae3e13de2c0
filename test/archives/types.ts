import { int, signed } from "./_fields.ts";
import { each, fixedPart, named, type Part, typeId, within } from "./_parts.ts";
import type { Reference, Tables } from "./_tables.ts";

/** A kind of a type parameter: the fields of its `Kind`. */
export type Kind = Part;

const kind =
  (part: Part): Kind =>
  (tables) =>
    tables.kind(part(tables));

export const STAR: Kind = kind(within(1));
export const NAT: Kind = kind(within(3));
export const kindArrow = (parameter: Kind, result: Kind): Kind =>
  kind(within(2, within(1, parameter), within(2, result)));

/** A type: the fields of its `Type`. */
export type Type = Part;

/** A record, variant, enum, template or interface, with its arguments. */
export interface Constructed extends Type {
  readonly reference: Reference;
  readonly args: readonly Type[];
}

const type =
  (part: Part): Type =>
  (tables) =>
    tables.type(part(tables));

/** A type applied to arguments: in one message, or from LF 2.2 on in a chain of applications. */
function applied(number: number, head: Part, args: readonly Type[]): Type {
  const together = type(
    within(
      number,
      head,
      each(2, args, (arg) => arg),
    ),
  );
  const chain = args.reduce<Type>(
    (left, right) => type(within(9, within(1, left), within(2, right))),
    type(within(number, head)),
  );
  return (tables) => (tables.isFlat ? chain : together)(tables);
}

const builtinType = (number: number, ...args: readonly Type[]): Type => applied(3, fixedPart(int(1, number)), args);

export const UNIT: Type = builtinType(0);
export const BOOL: Type = builtinType(1);
export const INT64: Type = builtinType(2);
export const DATE: Type = builtinType(3);
export const TIMESTAMP: Type = builtinType(4);
export const PARTY: Type = builtinType(6);
export const TEXT: Type = builtinType(7);
export const ANY: Type = builtinType(13);
export const ANY_EXCEPTION: Type = builtinType(14);
export const TYPE_REP: Type = builtinType(15);
export const nat = (value: number): Type => type(fixedPart(signed(6, BigInt(value))));
export const numeric = (scale: number): Type => builtinType(5, nat(scale));
export const contractId = (template: Type): Type => builtinType(8, template);
export const optional = (content: Type): Type => builtinType(9, content);
export const list = (element: Type): Type => builtinType(10, element);
export const genMap = (key: Type, value: Type): Type => builtinType(11, key, value);
export const textMap = (value: Type): Type => builtinType(19, value);
export const update = (result: Type): Type => builtinType(17, result);
export const arrow = (argument: Type, result: Type): Type => builtinType(16, argument, result);

export const typeVariable = (text: string, ...args: readonly Type[]): Type =>
  applied(1, (tables) => int(3, tables.identifier(text)), args);

/** A record, variant, enum, template or interface. */
export const con = (reference: Reference, ...args: readonly Type[]): Constructed =>
  Object.assign(applied(2, typeId(1, reference), args), { reference, args });

/** `Type.Con`, as records and variants carry it. Its arguments stay in one message. */
export const constructedType = (number: number, { reference, args }: Constructed): Part =>
  within(
    number,
    typeId(1, reference),
    each(2, args, (arg) => arg),
  );

export const synonymType = (reference: Reference, ...args: readonly Type[]): Type =>
  type(
    within(
      7,
      typeId(1, reference),
      each(2, args, (arg) => arg),
    ),
  );

/** Members with their types, of a record, a variant or a struct; binders with their types; parameters with their kinds. */
export type Members = Readonly<Record<string, Part>>;

export const members = (number: number, given: Members): Part =>
  each(number, Object.entries(given), ([text, part]) => named(text, part));

export const struct = (given: Members): Type => type(within(5, members(1, given)));

/** A polymorphic type. From LF 2.2 on, each quantifier binds one parameter. */
export const forall = (given: Members, body: Type): Type =>
  binders(given, body, (group, inner) => type(within(4, members(1, group), within(2, inner))));

/** Binds all names at once, or one by one from LF 2.2 on. */
export function binders(given: Members, body: Part, bind: (group: Members, inner: Part) => Part): Part {
  const oneByOne = Object.entries(given).reduceRight((inner, [text, part]) => bind({ [text]: part }, inner), body);
  const together = bind(given, body);
  return (tables: Tables) => (tables.isFlat ? oneByOne : together)(tables);
}
