import type { ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import { writeLongInteger } from "../../foundation/json/json.ts";
import { plainMask } from "../../foundation/secrets/mask.ts";
import { isSecretName, redactionMark } from "../../foundation/secrets/secret-name.ts";
import { shortened } from "../../foundation/text/shortened.ts";
import { advise, suggestion } from "../../foundation/text/suggestion.ts";
import { arazzo, baseline, ledger, registry, scenario, target } from "./generated/schema-validators.js";
import { firstOf, type Problem, pathText, problemAt } from "./problem.ts";
import type { SourceFile } from "./source-file.ts";

type SchemaName = "arazzo" | "baseline" | "ledger" | "registry" | "scenario" | "target";

/** Functions, since the bundled validators load at their first use. */
const validators: Readonly<Record<SchemaName, () => ValidateFunction>> = {
  arazzo: () => arazzo,
  baseline: () => baseline,
  ledger: () => ledger,
  registry: () => registry,
  scenario: () => scenario,
  target: () => target,
};

/** Names of the schema files, without their ending. */
const schemaFiles: Readonly<Record<SchemaName, string>> = {
  arazzo: "arazzo",
  baseline: "baseline",
  ledger: "ledger-fixture",
  registry: "registry-fixture",
  scenario: "scenario",
  target: "target",
};

/** Violations of the schema of the file's kind. */
export function checkSchema(kind: SchemaName, source: SourceFile): readonly Problem[] {
  return source.isChecked === true ? [] : problemsWith(validators[kind](), schemaAdvice(schemaFiles[kind]), source);
}

/** Advice that names the file of a schema; `name` is without the ending. */
export function schemaAdvice(name: string): string {
  return `See schemas/${name}.schema.json.`;
}

/** Violations of a schema with its validator. `otherwise` is the advice where none fits better. */
export function problemsWith(validate: ValidateFunction, otherwise: string, source: SourceFile): readonly Problem[] {
  if (validate(source.value)) return [];
  const all = validate.errors ?? [];
  const errors = all.slice(0, errorsMax);
  const isExplained = explanationsIn(errors);
  const unknown = Map.groupBy(errors.filter(isUnknownMember), memberKey);
  const misspelt = misspeltIn(errors);
  const reported = errors.filter(
    (error) =>
      error.keyword !== "if" &&
      !isExplained(error) &&
      !misspelt.has(`${error.instancePath}/${error.params["missingProperty"]}`) &&
      (!isUnknownMember(error) || unknown.get(memberKey(error))?.[0] === error),
  );
  return firstOf(
    reported,
    (error) => toProblem(otherwise, source, error, { all: errors, unknown }),
    all.length - errors.length,
  );
}

/** Errors that are related to each other: a file of megabytes may have millions. */
const errorsMax = 10_000;

/**
 * Reduces the errors of a value with several allowed forms to one: the misspelt name, or that no form matches. A file may
 * have too many errors for comparing each pair.
 */
function explanationsIn(errors: readonly ErrorObject[]): (error: ErrorObject) => boolean {
  const formsAt = Map.groupBy(
    errors.filter(({ keyword }) => keyword === "oneOf"),
    ({ instancePath }) => instancePath,
  );
  const misspelt = errors.filter(({ keyword }) => keyword === "additionalProperties");
  const misspeltAt = new Set(misspelt.map(({ instancePath }) => instancePath));
  const aboveMisspelt = new Set([...misspeltAt].flatMap(placesAbove));
  return ({ keyword, instancePath, schemaPath }) => {
    if (keyword === "additionalProperties") return false;
    if (keyword === "oneOf") return aboveMisspelt.has(instancePath);
    return placesAbove(instancePath).some((place) =>
      formsAt.get(place)?.some((form) => schemaPath.startsWith(form.schemaPath)),
    );
  };
}

/** Unknown members that are compared with the missing ones of their object: a file may have very many. */
const comparedMax = 1000;

/** The missing members whose object has a similar, unknown one, as `memberKey` writes them: that one is reported. */
function misspeltIn(errors: readonly ErrorObject[]): ReadonlySet<string> {
  const missingAt = Map.groupBy(
    errors.filter(({ keyword }) => keyword === "required"),
    ({ instancePath }) => instancePath,
  );
  const unknown = errors.filter(isUnknownMember).slice(0, comparedMax);
  return new Set(
    unknown.flatMap(({ instancePath, params }) => {
      const missing = (missingAt.get(instancePath) ?? []).map((error) => String(error.params["missingProperty"]));
      const near = suggestion(String(params["additionalProperty"]), missing);
      return near === undefined ? [] : [`${instancePath}/${near}`];
    }),
  );
}

function isUnknownMember({ keyword }: ErrorObject): boolean {
  return keyword === "additionalProperties";
}

/** The same for the forms of one value that do not have the member. */
function memberKey({ instancePath, params }: ErrorObject): string {
  return `${instancePath}/${params["additionalProperty"]}`;
}

/** The path and its parents. */
function placesAbove(instancePath: string): readonly string[] {
  const segments = instancePath.split("/");
  return segments.map((_, index) => segments.slice(0, index + 1).join("/"));
}

interface SchemaErrors {
  readonly all: readonly ErrorObject[];
  /** Errors for unknown members, by `memberKey`. */
  readonly unknown: ReadonlyMap<string, readonly ErrorObject[]>;
}

function toProblem(otherwise: string, source: SourceFile, error: ErrorObject, { all, unknown }: SchemaErrors): Problem {
  const path = error.instancePath
    .split("/")
    .slice(1)
    .map((segment) => (/^\d+$/.test(segment) ? Number(segment) : segment));
  const place = pathText(source, path) || "the file";
  const extra: unknown = error.params["additionalProperty"];
  if (typeof extra === "string") {
    return {
      file: source.name,
      ...source.placeOf([...path, extra], "name"),
      problem: `${place} has the unknown member ${JSON.stringify(extra)}`,
      advice: adviceOnMember(extra, [
        ...new Set((unknown.get(memberKey(error)) ?? []).flatMap(({ parentSchema }) => memberNames(parentSchema))),
      ]),
    };
  }
  const advice = adviceOnNames(error, all) ?? adviceOn(otherwise, error);
  return problemAt(source, path, `${place} ${problemOf(error)}`, advice);
}

/** Names of other tools for members of a plan. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ["code", "error"],
  ["delay", "after"],
  ["then", "instead"],
  ["response", "instead"],
  ["count", "times"],
]);

function adviceOnMember(name: string, known: readonly string[]): string {
  const other = otherNames.get(name);
  return other !== undefined && known.includes(other)
    ? `Did you mean ${JSON.stringify(other)}?`
    : advise(name, known, schemasList);
}

/** Advice with the allowed names, of the value itself or of its allowed forms; examples are forms that are not names. */
function adviceOnNames(
  { keyword, instancePath, params, data, parentSchema }: ErrorObject,
  all: readonly ErrorObject[],
): string | undefined {
  const listed = keyword === "oneOf" ? all.filter((other) => other.instancePath === instancePath) : [{ params }];
  const names = listed.flatMap(({ params: { allowedValues } }) =>
    Array.isArray(allowedValues) ? allowedValues.map(String) : [],
  );
  if (names.length === 0) return undefined;
  const examples: unknown = parentSchema?.["examples"];
  const forms = Array.isArray(examples) ? examples.map(String) : [];
  return advise(typeof data === "string" ? data : "", [...names, ...forms], schemasList);
}

const schemasList = "The schemas in schemas/ list all.";

/** Maximum length of a value in a problem. */
const shownLengthMax = 100;

/** The problem in words; a pattern itself is not shown. */
function problemOf(error: ErrorObject): string {
  const { keyword, message, data, params } = error;
  // The value may be most of a file, and is written only where it is shown.
  const shown = () =>
    isSecret(error) ? redactionMark : shortened(plainMask(JSON.stringify(data, writeLongInteger)), shownLengthMax);
  if (keyword === "type")
    return `is ${typeof data === "object" && data !== null ? typeName(Array.isArray(data) ? "array" : "object") : shown()}, which is not ${[params["type"]].flat().map(typeName).join(" or ")}`;
  if (keyword === "minimum" || keyword === "maximum") return `is ${shown()}; the ${keyword} is ${params["limit"]}`;
  const missing: unknown = params["missingProperty"];
  if (typeof missing === "string") return `has no member ${JSON.stringify(missing)}`;
  if (keyword === "format") return `is ${shown()}, which is not a valid ${params["format"]}`;
  if (keyword === "enum") return `is ${shown()}, which is not an allowed value`;
  if (keyword === "pattern") return `is ${shown()}, which does not have the expected format`;
  if (keyword === "minProperties") return "is empty";
  if (keyword === "maxProperties") return `has more than ${params["limit"]} member${params["limit"] === 1 ? "" : "s"}`;
  if (keyword === "oneOf") return `is ${shown()}, which matches none of the allowed forms`;
  return message ?? "is not valid";
}

/** Whether a value must not be shown, by its name or a name above it. A value that has to be a number is no secret. */
function isSecret({ instancePath, params, keyword }: ErrorObject): boolean {
  const isNumber = [params["type"]].flat().some((type) => type === "integer" || type === "number");
  return !isNumber && keyword !== "minimum" && keyword !== "maximum" && instancePath.split("/").some(isSecretName);
}

/** Advice: an example from the schema, or quotes for an id of digits, which YAML reads as a number. */
function adviceOn(otherwise: string, { keyword, params, data, parentSchema }: ErrorObject): string {
  const examples: unknown = parentSchema?.["examples"];
  if (Array.isArray(examples)) return `Write it as ${examples.join(" or ")}.`;
  const isUnquoted = keyword === "type" && params["type"] === "string" && typeof data === "number";
  if (keyword === "format" && params["format"] === "date-time") return "Write it as 2026-01-01T00:00:00Z.";
  const isQuoted = typeof data === "string" && /^\d+$/.test(data);
  if (keyword === "type" && isQuoted && (params["type"] === "number" || params["type"] === "integer"))
    return "Write it without quotes.";
  if (keyword === "type" && params["type"] === "array") return `Put it in a list: [${listTextOf(data)}]. ${otherwise}`;
  if (keyword === "required") return `Add it${exampleOf(params["missingProperty"], parentSchema)}. ${otherwise}`;
  return isUnquoted ? "Put it in quotes." : otherwise;
}

/** The names of an object whose values are all true, as entries of a list. */
function listTextOf(data: unknown): string {
  const entries = Object.entries(typeof data === "object" && data !== null ? data : {});
  return entries.length > 0 && entries.every(([, value]) => value === true)
    ? entries.map(([name]) => name).join(", ")
    : " … ";
}

/** An example of a missing member from the schema, as it is written; empty without one. */
function exampleOf(missing: unknown, schema: ErrorObject["parentSchema"]): string {
  const member: unknown = schema?.["properties"]?.[String(missing)];
  const examples: unknown =
    typeof member === "object" && member !== null && "examples" in member ? member.examples : [];
  const [example] = Array.isArray(examples) ? examples : [];
  return example === undefined ? "" : `, for example ${String(missing)}: ${String(example)}`;
}

const typeNames: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  integer: "a whole number",
  number: "a number",
  object: "an object",
  string: "a string",
};

function typeName(type: unknown): string {
  return typeNames[String(type)] ?? String(type);
}

function memberNames(schema: object | undefined): readonly string[] {
  const properties: unknown = schema !== undefined && "properties" in schema ? schema.properties : undefined;
  return typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
}
