import fc from "fast-check";
import type { LfType } from "../../src/daml/packages/lf-type.ts";
import type { Json } from "../../src/foundation/json/json.ts";
import { from, type Reference } from "./_tables.ts";
import { type Definition, enumType, recordType, variantType } from "./data-types.ts";
import { DA_SET_TYPES, DA_TYPES } from "./packages/stable.ts";
import * as lf from "./types.ts";

/** A type as the encoder takes it and as the reader gives it back, with values. Ids of the package itself begin with `self:`. */
export interface DrawnType {
  readonly written: lf.Type;
  readonly read: LfType;
  /** JSON as a node sends it. */
  readonly values: fc.Arbitrary<Json>;
  /** What a node refuses. */
  readonly wrong: readonly fc.Arbitrary<WrongValue>[];
}

export interface WrongValue {
  readonly json: Json;
  /** Where in the JSON, and a part of the text. */
  readonly path: string;
  readonly problem: string;
}

const parameters = { a: lf.STAR, b: lf.STAR };
const [a, b] = [lf.typeVariable("a"), lf.typeVariable("b")];

/** Data types of the module `Types` that drawn types refer to. */
export const drawnDefinitions: readonly Definition[] = [
  enumType("Color", "Red", "Green"),
  recordType("Nothing", {}),
  recordType("Box", { content: lf.list(a), note: lf.optional(lf.TEXT) }, { parameters: { a: lf.STAR } }),
  variantType("Choice", { One: a, Many: lf.list(b), Named: lf.con("Choice.Named", a), None: lf.UNIT }, { parameters }),
  recordType("Choice.Named", { name: lf.TEXT, value: a }, { parameters: { a: lf.STAR } }),
];

const wrong = (json: Json, problem: string, path = ""): fc.Arbitrary<WrongValue> =>
  fc.constant({ json, problem, path });
const notText = wrong(7, "Expected ujson.Str (data: 7)");
const notList = wrong("x", 'Expected ujson.Arr (data: "x")');
const notObject = wrong([], "Expected ujson.Obj (data: [])");

/** Wrong values of an inner type in their place. */
function inside(
  { wrong: inner }: DrawnType,
  name: string,
  place: (json: Json) => fc.Arbitrary<Json>,
): readonly fc.Arbitrary<WrongValue>[] {
  return inner.map((each) =>
    each.chain(({ json, problem, path }) => {
      const separator = path === "" || name === "" || path.startsWith("[") ? "" : ".";
      return place(json).map((whole) => ({ json: whole, problem, path: `${name}${separator}${path}` }));
    }),
  );
}

type Drawn = Omit<DrawnType, "read" | "written">;

const builtin = (
  name: string,
  written: lf.Type,
  args: readonly LfType[],
  { values, wrong: bad }: Drawn,
): DrawnType => ({
  written,
  read: { type: "builtin", name, args },
  values,
  wrong: bad,
});

const hex = fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 64, maxLength: 64 });
const [day, instant] = [
  fc
    .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  fc
    .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
    .map((date) => date.toISOString().replace(".000Z", "Z")),
];
const party = fc.constantFrom("alice::1220ab", "bob::1220cd");
const unreadable = (text: string) => wrong(text, `Text '${text}' could not be parsed`);

const scalars: readonly DrawnType[] = [
  builtin("Unit", lf.UNIT, [], { values: fc.constant({}), wrong: [] }),
  builtin("Bool", lf.BOOL, [], { values: fc.boolean(), wrong: [wrong("x", 'Expected ujson.Bool (data: "x")')] }),
  builtin("Int64", lf.INT64, [], {
    values: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
    wrong: [wrong("1.5", 'For input string: "1.5"'), wrong(true, "Expected ujson.Str (data: true)"), notText],
  }),
  builtin("Date", lf.DATE, [], { values: day, wrong: [notText, unreadable("2026-13-01")] }),
  builtin("Timestamp", lf.TIMESTAMP, [], { values: instant, wrong: [notText, unreadable("2026-01-01")] }),
  builtin("Party", lf.PARTY, [], { values: party, wrong: [notText] }),
  builtin("Text", lf.TEXT, [], { values: fc.string(), wrong: [notText] }),
];

const numerics = fc.integer({ min: 0, max: 37 }).map((scale) =>
  builtin("Numeric", lf.numeric(scale), [{ type: "nat", value: scale }], {
    values: fc
      .tuple(fc.integer({ min: 0, max: 9 }), fc.bigInt({ min: 0n, max: 10n ** BigInt(scale) - 1n }))
      .map(([whole, rest]) => `${whole}.${scale === 0 ? "" : String(rest).padStart(scale, "0")}`),
    wrong: [
      wrong(true, "true is not a valid numeric value"),
      wrong(`1.${"0".repeat(scale)}1`, scale < 37 ? "without loss of precision" : "Could not read Numeric string"),
      wrong("1".repeat(39 - scale), scale > 0 ? `Out-of-bounds (Numeric ${scale})` : "Could not read Numeric string"),
    ],
  }),
);

const optional = (inner: DrawnType): DrawnType =>
  builtin("Optional", lf.optional(inner.written), [inner.read], {
    values: fc.oneof(fc.constant(null), inner.values),
    wrong: inside(inner, "", fc.constant),
  });

/** An optional value of an optional one: each of both is a list of at most one element. */
const twice = (inner: DrawnType): DrawnType => {
  const once = optional(inner);
  return builtin("Optional", lf.optional(once.written), [once.read], {
    values: fc.oneof(
      fc.constantFrom<Json>([], [[]]),
      inner.values.map((value) => [[value]]),
    ),
    wrong: [
      notList,
      wrong(null, "Expected ujson.Arr (data: null)"),
      ...inside(inner, "[0][0]", (json) => fc.constant([[json]])),
    ],
  });
};

const list = (inner: DrawnType): DrawnType =>
  builtin("List", lf.list(inner.written), [inner.read], {
    values: fc.array(inner.values, { maxLength: 3 }),
    wrong: [notList, ...inside(inner, "[1]", (json) => inner.values.map((good) => [good, json]))],
  });

const textMap = (inner: DrawnType): DrawnType =>
  builtin("TextMap", lf.textMap(inner.written), [inner.read], {
    values: fc.dictionary(fc.string(), inner.values, { maxKeys: 3 }),
    wrong: [notObject, ...inside(inner, "key", (json) => fc.constant({ key: json }))],
  });

const genMap = ([key, value]: readonly [DrawnType, DrawnType]): DrawnType =>
  builtin("GenMap", lf.genMap(key.written, value.written), [key.read, value.read], {
    values: fc.array(fc.tuple(key.values, value.values), { maxLength: 1 }),
    wrong: [
      notList,
      ...inside(key, "[0][0]", (json) => value.values.map((good) => [[json, good]])),
      ...inside(value, "[0][1]", (json) => key.values.map((good) => [[good, json]])),
    ],
  });

const contractIdOf = ({ written, read }: DrawnType): DrawnType =>
  builtin("ContractId", lf.contractId(written), [read], {
    values: hex.map((text) => `00${text}`),
    wrong: [notText, wrong("xyz", 'cannot parse ContractId "xyz"')],
  });

const con = (
  reference: Reference,
  id: string,
  args: readonly DrawnType[],
  { values, wrong: bad }: Drawn,
): DrawnType => ({
  written: lf.con(reference, ...args.map((arg) => arg.written)),
  read: { type: "con", id, args: args.map((arg) => arg.read) },
  values,
  wrong: bad,
});

const own = (name: string, args: readonly DrawnType[], drawn: Drawn) =>
  con(`Types:${name}`, `self:Types:${name}`, args, drawn);

/** Values of a record. `required` is the first member that may not be missing. */
function recordOf(fields: Readonly<Record<string, DrawnType>>, required: string): Drawn {
  const values = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.values]));
  const good = fc.record<Record<string, Json>>(values);
  return {
    values: good,
    wrong: [
      notObject,
      good.map(({ [required]: _missing, ...json }) => ({
        json,
        path: "",
        problem: `Missing non-optional fields: Set(${required})`,
      })),
      good.map((json) => ({ json: { ...json, other: 1 }, path: "", problem: "Unexpected fields: other" })),
      ...Object.entries(fields).flatMap(([name, field]) =>
        inside(field, name, (json) => good.map((rest) => ({ ...rest, [name]: json }))),
      ),
    ],
  };
}

function variantOf(constructors: Readonly<Record<string, DrawnType>>): Drawn {
  const entries = Object.entries(constructors);
  return {
    values: fc.oneof(...entries.map(([tag, { values }]) => values.map((value) => ({ tag, value })))),
    wrong: [
      wrong({ tag: "One" }, "Variant type json must have 'tag' and 'value' fields."),
      wrong({ tag: "Other", value: {} }, "Unexpected variant tag: Other", "tag"),
      ...entries.flatMap(([tag, type]) => inside(type, "value", (value) => fc.constant({ tag, value }))),
    ],
  };
}

const text = builtin("Text", lf.TEXT, [], { values: fc.string(), wrong: [notText] });
const unit = builtin("Unit", lf.UNIT, [], { values: fc.constant({}), wrong: [] });
const tuples = (reference: string, [one, two]: readonly [DrawnType, DrawnType], drawn: Drawn) =>
  con(from(DA_TYPES, reference), `${DA_TYPES.id}:${reference}`, [one, two], drawn);

const fixed: readonly DrawnType[] = [
  own("Color", [], {
    values: fc.constantFrom("Red", "Green"),
    wrong: [notText, wrong("Blue", "Unexpected case: Blue")],
  }),
  own("Nothing", [], { values: fc.constant({}), wrong: [notObject, wrong({ other: 1 }, "Unexpected fields: other")] }),
];

const choice = ([one, two]: readonly [DrawnType, DrawnType]): DrawnType =>
  own("Choice", [one, two], variantOf({ One: one, Many: list(two), Named: named(one), None: unit }));

const named = (value: DrawnType): DrawnType => own("Choice.Named", [value], recordOf({ name: text, value }, "name"));

const isOptional = ({ read }: DrawnType): boolean => read.type === "builtin" && read.name === "Optional";

/** Serializable types of all forms, nested. */
export const drawnTypes: fc.Arbitrary<DrawnType> = fc.letrec<{ type: DrawnType }>((tie) => {
  const one = tie("type");
  const pair = fc.tuple(one, one);
  const firm = one.filter((type) => !isOptional(type));
  return {
    type: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom(...scalars, ...fixed),
      numerics,
      firm.map(optional),
      firm.map(twice),
      one.map(list),
      one.map(textMap),
      one.map(contractIdOf),
      pair.map(genMap),
      one.map((type) => own("Box", [type], recordOf({ content: list(type), note: optional(text) }, "content"))),
      pair.map(choice),
      fc
        .tuple(firm, one)
        .map((types) => tuples("DA.Types:Tuple2", types, recordOf({ _1: types[0], _2: types[1] }, "_1"))),
      pair.map((types) => tuples("DA.Types:Either", types, variantOf({ Left: types[0], Right: types[1] }))),
      one.map((key) =>
        con(
          from(DA_SET_TYPES, "DA.Set.Types:Set"),
          `${DA_SET_TYPES.id}:DA.Set.Types:Set`,
          [key],
          recordOf({ map: genMap([key, unit]) }, "map"),
        ),
      ),
    ),
  };
}).type;
