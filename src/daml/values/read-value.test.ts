import { describe, expect, test } from "vitest";
import { archiveOf } from "../../../test/archives/archive-of.ts";
import { darOf } from "../../../test/archives/dar-of.ts";
import { enumType, recordType, synonym, variantType } from "../../../test/archives/data-types.ts";
import * as lf from "../../../test/archives/types.ts";
import type { Json } from "../../foundation/json/json.ts";
import { limitValues } from "../../foundation/limits/limits.ts";
import { readDar } from "../archives/dar.ts";
import { readValue } from "./read-value.ts";
import { ValueError } from "./value-error.ts";

const shapes = archiveOf({
  name: "shapes",
  version: "1.0.0",
  language: "2.2",
  modules: {
    Shapes: [
      recordType("Point", { x: lf.numeric(2), y: lf.optional(lf.INT64) }),
      recordType(
        "Pair",
        { left: lf.typeVariable("a"), right: lf.typeVariable("b") },
        { parameters: { a: lf.STAR, b: lf.STAR } },
      ),
      variantType("Shape", { Circle: lf.con("Point"), Nothing: lf.UNIT }),
      enumType("Color", "Red", "Green"),
      synonym("Points", lf.list(lf.con("Point"))),
      recordType("All", {
        points: lf.synonymType("Points"),
        shapes: lf.textMap(lf.con("Shape")),
        byColor: lf.genMap(lf.con("Color"), lf.TEXT),
        nested: lf.optional(lf.optional(lf.INT64)),
        pair: lf.con("Pair", lf.TEXT, lf.BOOL),
        when: lf.optional(lf.TIMESTAMP),
        day: lf.optional(lf.DATE),
      }),
    ],
  },
});

const read = readDar(darOf(shapes), limitValues());
if (read.type !== "read") throw new Error(read.problem);
const { dar } = read;
const packages = { get: (id: string) => (id === dar.main.package.id ? dar.main.package : undefined) };

function typedValue(json: Json, name = "All") {
  return readValue(json, { type: "con", id: `${shapes.id}:Shapes:${name}`, args: [] }, packages);
}

const all = { points: [], shapes: {}, byColor: [], nested: [], pair: { left: "a", right: true } };

describe("values by type", () => {
  test("a missing optional member becomes None, and a decimal gets the scale of its type", () => {
    expect(typedValue({ x: "1" }, "Point")).toEqual({
      type: "record",
      fields: [
        ["x", { type: "numeric", value: "1.00" }],
        ["y", { type: "optional", value: undefined }],
      ],
    });
    expect(typedValue({ x: -0.5, y: "3", z: null }, "Point")).toMatchObject({
      fields: [
        ["x", { value: "-0.50" }],
        ["y", { value: { value: 3n } }],
      ],
    });
  });

  test("variants, enums, maps, synonyms, type parameters, dates and nested optional values are read", () => {
    const value = typedValue({
      ...all,
      points: [{ x: "0.1" }],
      shapes: { b: { tag: "Nothing", value: {} }, a: { tag: "Circle", value: { x: "2" } } },
      byColor: [["Green", "g"]],
      nested: [[]],
      when: "2026-01-01T00:00:00.5Z",
      day: "1970-01-02",
    });
    const fields = new Map(value.type === "record" ? value.fields : []);
    expect(fields.get("points")).toMatchObject({
      elements: [
        {
          fields: [
            ["x", { value: "0.10" }],
            ["y", {}],
          ],
        },
      ],
    });
    expect(fields.get("shapes")).toMatchObject({
      entries: [
        ["a", { constructorName: "Circle" }],
        ["b", { constructorName: "Nothing", value: { type: "unit" } }],
      ],
    });
    expect(fields.get("byColor")).toMatchObject({
      entries: [[{ type: "enum", constructorName: "Green" }, { value: "g" }]],
    });
    expect(fields.get("nested")).toEqual({
      type: "optional",
      value: { type: "optional", value: undefined, isNested: true },
      isNested: true,
    });
    expect(fields.get("when")).toMatchObject({ value: { value: 1_767_225_600_500_000n } });
    expect(fields.get("day")).toMatchObject({ value: { type: "date", value: 1 } });
  });

  const invalid = "The submitted request has invalid arguments: ";
  test.each<[title: string, json: Json, path: string, code: string, message: string]>([
    [
      "a missing member",
      { ...all, points: [{}] },
      "points[0]",
      "COMMAND_PREPROCESSING_FAILED",
      "Missing non-optional fields: Set(x)",
    ],
    [
      "an unknown member",
      { ...all, pair: { ...all.pair, more: 1 } },
      "pair",
      "INVALID_ARGUMENT",
      `${invalid}Unexpected fields: more`,
    ],
    [
      "a list that is an object",
      { ...all, points: {} },
      "points",
      "INVALID_ARGUMENT",
      `${invalid}Expected ujson.Arr (data: {})`,
    ],
    [
      "a text that is a number",
      { ...all, pair: { left: 1, right: true } },
      "pair.left",
      "INVALID_ARGUMENT",
      `${invalid}Expected ujson.Str (data: 1)`,
    ],
    [
      "a boolean that is a text",
      { ...all, pair: { left: "", right: "true" } },
      "pair.right",
      "INVALID_ARGUMENT",
      `${invalid}Expected ujson.Bool (data: "true")`,
    ],
    [
      "an unknown constructor of a variant",
      { ...all, shapes: { s: { tag: "Square", value: {} } } },
      "shapes.s.tag",
      "INVALID_ARGUMENT",
      `${invalid}Unexpected variant tag: Square`,
    ],
    [
      "a variant without a tag",
      { ...all, shapes: { s: {} } },
      "shapes.s",
      "INVALID_ARGUMENT",
      `${invalid}Variant type json must have 'tag' and 'value' fields.`,
    ],
    [
      "an unknown constructor of an enum",
      { ...all, byColor: [["Blue", ""]] },
      "byColor[0][0]",
      "INVALID_ARGUMENT",
      `${invalid}Unexpected case: Blue`,
    ],
    [
      "a decimal with too many digits",
      { ...all, points: [{ x: "0.123" }] },
      "points[0].x",
      "COMMAND_PREPROCESSING_FAILED",
      "Cannot represent 0.123 as (Numeric 2) without loss of precision",
    ],
    [
      "a decimal out of bounds",
      { ...all, points: [{ x: "9".repeat(38) }] },
      "points[0].x",
      "COMMAND_PREPROCESSING_FAILED",
      `Out-of-bounds (Numeric 2) ${"9".repeat(38)}.00`,
    ],
    [
      "a text that does not have the form of a decimal",
      { ...all, points: [{ x: "1e3" }] },
      "points[0].x",
      "INVALID_ARGUMENT",
      `${invalid}Could not read Numeric string "1e3"`,
    ],
    [
      "an integer beyond 64 bits",
      { ...all, points: [{ x: "1", y: "9223372036854775808" }] },
      "points[0].y",
      "INVALID_ARGUMENT",
      `${invalid}For input string: "9223372036854775808"`,
    ],
    [
      "a day that does not exist",
      { ...all, day: "2026-02-30" },
      "day",
      "INVALID_ARGUMENT",
      `${invalid}Text '2026-02-30' could not be parsed at index 0`,
    ],
  ])("%s is refused with its place", (_title, json, path, code, message) => {
    try {
      typedValue(json);
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      expect({ code: error.code, message: error.message, path: error.path }).toEqual({ code, message, path });
      return;
    }
    expect.unreachable();
  });
});
