import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import addFormatsModule from "ajv-formats";
import ledgerFixture from "../../schemas/ledger-fixture.schema.json" with { type: "json" };
import registryFixture from "../../schemas/registry-fixture.schema.json" with { type: "json" };
import scenarioExtension from "../../schemas/scenario.schema.json" with { type: "json" };
import type { Mistake } from "./mistake.ts";
import type { SourceFile } from "./read-yaml.ts";
import { advise } from "./suggestion.ts";

export type SchemaName = "ledger" | "registry" | "scenario";
const schemas: Readonly<Record<SchemaName, object>> = {
  ledger: ledgerFixture,
  registry: registryFixture,
  scenario: scenarioExtension,
};

/** Every place where a file breaks the schema of its kind. */
export function checkSchema(kind: SchemaName, source: SourceFile): readonly Mistake[] {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    allowUnionTypes: true,
    meta: false,
    validateSchema: false,
  });
  addFormatsModule.default(ajv);
  const validate = ajv.compile(schemas[kind]);
  if (validate(source.value)) return [];
  const errors = (validate.errors ?? []).filter(
    (error) => error.keyword !== "oneOf" || !isExplained(error, validate.errors ?? []),
  );
  return errors.slice(0, mistakesMax).map((error) => toMistake(source, error));
}

export const mistakesMax = 50;

function isExplained(error: ErrorObject, all: readonly ErrorObject[]): boolean {
  return all.some(
    (other) => other.keyword === "additionalProperties" && other.instancePath.startsWith(error.instancePath),
  );
}

function toMistake(source: SourceFile, error: ErrorObject): Mistake {
  const path = error.instancePath
    .split("/")
    .slice(1)
    .map((segment) => (/^\d+$/.test(segment) ? Number(segment) : segment));
  const place = error.instancePath === "" ? "the file" : error.instancePath.slice(1).replaceAll("/", ".");
  const extra: unknown = error.params["additionalProperty"];
  if (typeof extra === "string") {
    return {
      file: source.name,
      line: source.lineOf([...path, extra]),
      problem: `${place} has the unknown member ${JSON.stringify(extra)}`,
      advice: advise(extra, memberNames(error.parentSchema)),
    };
  }
  const allowed: unknown = error.params["allowedValues"];
  const advice = Array.isArray(allowed) ? `Use one of ${allowed.join(", ")}.` : adviceOn(error);
  return {
    file: source.name,
    line: source.lineOf(path),
    problem: `${place} ${error.message ?? "is not valid"}`,
    advice,
  };
}

/** An id of digits alone is a number to YAML. */
function adviceOn({ keyword, params, data }: ErrorObject): string {
  const isUnquoted = keyword === "type" && params["type"] === "string" && typeof data === "number";
  return isUnquoted ? "Put it in quotes." : "See the schema in schemas/.";
}

function memberNames(schema: object | undefined): readonly string[] {
  const properties: unknown = schema !== undefined && "properties" in schema ? schema.properties : undefined;
  return typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
}
