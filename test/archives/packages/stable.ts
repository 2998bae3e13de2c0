import { from } from "../_tables.ts";
import { type Archive, archiveOf } from "../archive-of.ts";
import { type Definition, definition, enumType, exception, recordType, variantType } from "../data-types.ts";
import { type Expression, get, lambda, record, typeLambda, variable, variant } from "../expressions.ts";
import {
  arrow,
  type Constructed,
  con,
  forall,
  genMap,
  INT64,
  type Members,
  STAR,
  TEXT,
  type Type,
  typeVariable,
  UNIT,
} from "../types.ts";

/** Packages that the compiler ships with every archive. Their published ids show that the encoder writes what the compiler writes. */

const stable = (name: string, module: string, ...definitions: readonly Definition[]): Archive =>
  archiveOf({ name, version: "1.0.0", isStable: true, modules: { [module]: definitions } });

/** The function that the compiler adds to a record: its constructor. */
function constructorOf(name: string, fields: Members, parameters: Members = {}): Definition {
  const made = con(name, ...Object.keys(parameters).map((parameter) => typeVariable(parameter)));
  const values = Object.fromEntries(Object.keys(fields).map((field) => [field, variable(binderOf(field))]));
  const binders = Object.fromEntries(Object.entries(fields).map(([field, type]) => [binderOf(field), type]));
  return makerOf(name, made, binders, record(made, values), parameters);
}

/** The fields of a tuple are `_1`, `_2`, …: their binders are `a1`, `a2`, …. */
const binderOf = (field: string): string => field.replace("_", "a");

function makerOf(name: string, made: Type, given: Members, content: Expression, parameters: Members): Definition {
  const type = Object.values(given).reduceRight<Type>((result, field) => arrow(field, result), made);
  const body = lambda(given, content);
  return Object.keys(parameters).length === 0
    ? definition(`$W${name}`, type, body)
    : definition(`$W${name}`, forall(parameters, type), typeLambda(parameters, body));
}

export const DA_INTERNAL_TEMPLATE: Archive = stable(
  "ghc-stdlib-DA-Internal-Template",
  "DA.Internal.Template",
  recordType("Archive", {}),
);

/** The argument of the choice `Archive`. */
export const ARCHIVE: Constructed = con(from(DA_INTERNAL_TEMPLATE, "DA.Internal.Template:Archive"));

export const DA_SET_TYPES: Archive = stable(
  "daml-stdlib-DA-Set-Types",
  "DA.Set.Types",
  recordType("Set", { map: genMap(typeVariable("k"), UNIT) }, { parameters: { k: STAR } }),
  constructorOf("Set", { map: genMap(typeVariable("k"), UNIT) }, { k: STAR }),
);

export const DA_TIME_TYPES: Archive = stable(
  "daml-stdlib-DA-Time-Types",
  "DA.Time.Types",
  recordType("RelTime", { microseconds: INT64 }),
  definition(
    "$sel:microseconds:RelTime",
    arrow(con("RelTime"), INT64),
    lambda({ x: con("RelTime") }, get(con("RelTime"), "microseconds", variable("x"))),
  ),
  constructorOf("RelTime", { microseconds: INT64 }),
);

export const DA_DATE_TYPES: Archive = stable(
  "daml-stdlib-DA-Date-Types",
  "DA.Date.Types",
  enumType("DayOfWeek", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
  enumType("Month", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
);

function exceptionPackage(name: string): Archive {
  const made = exception(name, { message: TEXT }, lambda({ x: con(name) }, get(con(name), "message", variable("x"))));
  const constructed = constructorOf(name, { message: TEXT });
  return stable(`daml-prim-DA-Exception-${name}`, `DA.Exception.${name}`, constructed, ...made);
}

export const DA_EXCEPTION_GENERAL_ERROR: Archive = exceptionPackage("GeneralError");
export const DA_EXCEPTION_ASSERTION_FAILED: Archive = exceptionPackage("AssertionFailed");
export const DA_EXCEPTION_PRECONDITION_FAILED: Archive = exceptionPackage("PreconditionFailed");

const EITHER = { Left: typeVariable("a"), Right: typeVariable("b") };
const EITHER_PARAMETERS = { a: STAR, b: STAR };

function eitherMaker(tag: "Left" | "Right", parameter: "a" | "b"): Definition {
  const made = con("Either", typeVariable("a"), typeVariable("b"));
  const content = variant(made, tag, variable(parameter));
  return makerOf(tag, made, { [parameter]: typeVariable(parameter) }, content, EITHER_PARAMETERS);
}

const tuples = Array.from({ length: 19 }, (_, at) => {
  const numbers = Array.from({ length: at + 2 }, (_each, index) => index + 1);
  const fields = Object.fromEntries(numbers.map((number) => [`_${number}`, typeVariable(`t${number}`)]));
  const parameters = Object.fromEntries(numbers.map((number) => [`t${number}`, STAR]));
  const name = `Tuple${at + 2}`;
  return [recordType(name, fields, { parameters }), constructorOf(name, fields, parameters)];
}).flat();

/** Either and the tuples of 2 to 20 members. */
export const DA_TYPES: Archive = stable(
  "daml-prim-DA-Types",
  "DA.Types",
  variantType("Either", EITHER, { parameters: EITHER_PARAMETERS }),
  eitherMaker("Left", "a"),
  eitherMaker("Right", "b"),
  ...tuples,
);
