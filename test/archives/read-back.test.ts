import fc from "fast-check";
import { expect, test } from "vitest";
import { readDar } from "../../src/daml/archives/dar.ts";
import type { LfPackage } from "../../src/daml/packages/lf-package.ts";
import type { LfField, LfType } from "../../src/daml/packages/lf-type.ts";
import type { PackageSet } from "../../src/daml/packages/package-set.ts";
import { readValue } from "../../src/daml/values/read-value.ts";
import { ValueError } from "../../src/daml/values/value-error.ts";
import { limitValues } from "../../src/foundation/limits/limits.ts";
import { jsonOfValue } from "../../src/simulator/daml/daml-json.ts";
import { seed } from "../_seed.ts";
import { type DrawnType, drawnDefinitions, drawnTypes } from "./_drawn-type.ts";
import type { LanguageVersion } from "./_tables.ts";
import { archiveOf } from "./archive-of.ts";
import { darOf } from "./dar-of.ts";
import { listOf } from "./expressions.ts";
import { template } from "./templates.ts";
import { PARTY } from "./types.ts";

interface Drawn {
  readonly fields: readonly LfField[];
  readonly main: LfPackage;
  readonly packages: PackageSet;
}

/** A package whose template has fields of these types, encoded and read. */
function readBack(types: readonly DrawnType[], language: LanguageVersion): Drawn {
  const fields = Object.fromEntries(types.map(({ written }, at) => [`field${at}`, written]));
  const definitions = template({ name: "Main", fields, signatories: listOf(PARTY) });
  const modules = { Types: drawnDefinitions, Main: definitions };
  const result = readDar(darOf(archiveOf({ name: "drawn", version: "1.0.0", language, modules })), limitValues());
  if (result.type === "refused") throw new Error(result.problem);
  const packages = [result.dar.main, ...result.dar.dependencies].map((each) => each.package);
  const [main] = packages;
  const shape = main?.modules.get("Main")?.dataTypes.get("Main")?.shape;
  if (main === undefined || shape?.type !== "record") throw new Error("invariant: a template has a record");
  return { fields: shape.fields, main, packages: new Map(packages.map((each) => [each.id, each])) };
}

const languages = ["2.1", "2.2"] as const;

test.each(languages)("types of every form are read as they are written in LF %s", (language) => {
  const property = fc.property(fc.array(drawnTypes, { minLength: 1, maxLength: 8 }), (drawn) => {
    const { fields, main } = readBack(drawn, language);
    expect(main.unknownFields).toBe(0);
    expect(fields.map(({ type }) => type)).toEqual(drawn.map(({ read }) => withId(read, main.id)));
  });
  fc.assert(property, { seed, numRuns: 100 });
});

function withId(type: LfType, id: string): LfType {
  if (!("args" in type)) return type;
  const args = type.args.map((arg) => withId(arg, id));
  return type.type === "con" ? { ...type, id: type.id.replace(/^self/, id), args } : { ...type, args };
}

test.each(languages)("values of every type are read and sent again as they are, LF %s", (language) => {
  const property = fc.property(drawnTypes.chain(withValues), ([drawn, json]) => {
    const { type, packages } = only(readBack([drawn], language));
    expect(jsonOfValue(readValue(json, type, packages))).toEqual(json);
  });
  fc.assert(property, { seed, numRuns: 300 });
});

const withValues = (type: DrawnType) => fc.tuple(fc.constant(type), type.values);

test("a wrong value is refused with the text of a node, and with its place", () => {
  const property = fc.property(
    drawnTypes.filter((type) => type.wrong.length > 0).chain(withWrong),
    ([drawn, wrong]) => {
      const { type, packages } = only(readBack([drawn], "2.2"));
      const error = refusal(() => readValue(wrong.json, type, packages));
      expect(error).toBeInstanceOf(ValueError);
      expect(error?.message).toContain(wrong.problem);
      expect(error?.path).toBe(wrong.path);
    },
  );
  fc.assert(property, { seed, numRuns: 500 });
});

const withWrong = (type: DrawnType) => fc.tuple(fc.constant(type), fc.oneof(...type.wrong));

function only({ fields, packages }: Drawn): { readonly type: LfType; readonly packages: PackageSet } {
  const [field] = fields;
  if (field === undefined) throw new Error("invariant: one type was drawn");
  return { type: field.type, packages };
}

function refusal(read: () => unknown): ValueError | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof ValueError) return error;
    throw error;
  }
}
