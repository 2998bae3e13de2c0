import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormatsModule from "ajv-formats";
import { isJsonObject, type Json, type JsonObject } from "../json/json.ts";
import { isIdentifier } from "./identifiers.ts";
import { escapeSegment, valueAt } from "./operation.ts";
import { createPredicates, type Predicate } from "./schema-predicates.ts";

/** A violation of a schema by a value. For `required` the pointer names the missing member. */
export interface SchemaViolation {
  readonly keyword: string;
  readonly pointer: string;
  readonly message: string;
  /** The invalid value; undefined for a missing member. */
  readonly value: Json | undefined;
}

/** Gives every violation of the schema at `schemaPointer`, at most `violationsMax`. */
export type Validate = (schemaPointer: string, value: Json) => readonly SchemaViolation[];

const violationsMax = 50;
const int64Max = 9223372036854775807n;
const int64Min = -9223372036854775808n;

/** Maximum number of nested values for which all violations are collected. */
const collectedSizeMax = 5000;

/**
 * Number of values of a schema that its predicate accepts before ajv compiles the schema. A process that validates little does
 * not pay for the compilation; in one that validates much, ajv is several times as fast as the predicate.
 */
const acceptedByPredicateMax = 1000;

/**
 * A validator over one description. Ajv compiles a schema for the first value that its predicate does not accept, or after many
 * that it accepts. For a large value it gives only the first violation.
 */
export function createValidator(description: JsonObject): Validate {
  const predicateAt = createPredicates(description);
  const [validatorOfFirst, validatorOfAll] = [compilerOf(description, false), compilerOf(description, true)];
  const accepting = new Map<string, Predicate>();
  return (schemaPointer, value) => {
    const isValid =
      accepting.get(schemaPointer) ??
      createAccepting(predicateAt(schemaPointer), () => validatorOfFirst(schemaPointer));
    accepting.set(schemaPointer, isValid);
    // A bigint violates the type number, so a valid value has no bigint in a checked place.
    if (isValid(value)) return [];
    const root = containsBigint(value) ? value : undefined;
    const shown = root === undefined ? value : withoutBigint(root);
    if (root !== undefined && isValid(shown)) return [];
    const isLarge = sizeUpTo(collectedSizeMax, value) >= collectedSizeMax;
    const validate = isLarge ? validatorOfFirst(schemaPointer) : validatorOfAll(schemaPointer);
    return validate(shown) ? [] : shownErrors(validate, root);
  };
}

/** Accepts valid values: by the predicate, and later by ajv, if it can compile. */
function createAccepting(predicate: Predicate, compile: () => Predicate): Predicate {
  let accepted = 0;
  let compiled: Predicate | undefined;
  return (value) => {
    if (compiled !== undefined) return compiled(value);
    if (!predicate(value)) return false;
    accepted += 1;
    if (accepted === acceptedByPredicateMax) compiled = compiledIfAllowed(compile);
    return true;
  };
}

/** Undefined where code generation is forbidden: in edge workers, and by a Content-Security-Policy without `unsafe-eval`. */
function compiledIfAllowed(compile: () => Predicate): Predicate | undefined {
  try {
    return compile();
  } catch (error) {
    if (error instanceof EvalError) return undefined;
    throw error;
  }
}

function shownErrors({ errors }: ValidateFunction, root: Json | undefined): readonly SchemaViolation[] {
  return (errors ?? []).slice(0, violationsMax).map((error) => toViolation(error, root));
}

/** The number of nested values including itself, counted up to `max`. */
function sizeUpTo(max: number, value: Json): number {
  if (typeof value !== "object" || value === null) return 1;
  let size = 1;
  const inner: readonly Json[] = isJsonObject(value) ? Object.values(value) : value;
  for (const part of inner) {
    if (size >= max) return max;
    size += sizeUpTo(max - size, part);
  }
  return size;
}

function compilerOf(description: JsonObject, allErrors: boolean): (schemaPointer: string) => ValidateFunction {
  let ajv: Ajv2020 | undefined;
  const compiled = new Map<string, ValidateFunction>();
  return (schemaPointer) => {
    const known = compiled.get(schemaPointer);
    if (known !== undefined) return known;
    ajv ??= createAjv(description, allErrors);
    const validate = ajv.compile({ $ref: `spec:/description#${encodeFragment(schemaPointer)}` });
    compiled.set(schemaPointer, validate);
    return validate;
  };
}

function createAjv(description: JsonObject, allErrors: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    allErrors,
    verbose: true,
    meta: false,
    validateSchema: false,
    logger: false,
    // It takes a fifth of the time of a compilation; validation is as fast without it.
    code: { optimize: false },
  });
  addFormatsModule.default(ajv);
  ajv.addFormat("int32", {
    type: "number",
    validate: (value: number) => Number.isInteger(value) && Math.abs(value + 0.5) < 2 ** 31,
  });
  ajv.addFormat("int64", {
    type: "number",
    validate: (value: number) => Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63,
  });
  // ajv treats it as an annotation; the ledger refuses invalid base64.
  ajv.removeKeyword("contentEncoding");
  ajv.addKeyword({
    keyword: "contentEncoding",
    type: "string",
    schemaType: "string",
    validate: (encoding: string, text: string) => encoding !== "base64" || isIdentifier("base64", text),
    error: { message: "must be standard base64" },
  });
  ajv.addSchema(description, "spec:/description");
  return ajv;
}

function encodeFragment(pointer: string): string {
  return pointer.split("/").map(encodeURIComponent).join("/");
}

/** `root` is the original value, if its bigints were replaced for validation. */
function toViolation(error: ErrorObject, root: Json | undefined): SchemaViolation {
  const missing: unknown = error.params["missingProperty"];
  const isMissing = error.keyword === "required" && typeof missing === "string";
  const pointer = isMissing ? `${error.instancePath}/${escapeSegment(missing)}` : error.instancePath;
  return {
    keyword: error.keyword,
    pointer,
    message: isMissing ? "is missing" : describe(error),
    value: isMissing ? undefined : root === undefined ? dataOf(error) : valueAt(root, pointer),
  };
}

/** With `verbose` an error carries its value. */
function dataOf({ data }: ErrorObject): Json | undefined {
  // ajv declares it as unknown. The cast is safe, since the validated value is Json.
  return data as Json | undefined;
}

function describe(error: ErrorObject): string {
  const allowed: unknown = error.params["allowedValues"];
  if (error.keyword === "enum" && Array.isArray(allowed)) return `must be one of ${allowed.join(", ")}`;
  const extra: unknown = error.params["additionalProperty"];
  if (typeof extra === "string") return `must not have the member ${JSON.stringify(extra)}`;
  return error.message ?? `breaks ${error.keyword}`;
}

function containsBigint(value: Json): boolean {
  if (typeof value === "bigint") return true;
  if (Array.isArray(value)) return value.some(containsBigint);
  if (!isJsonObject(value)) return false;
  for (const member in value) if (containsBigint(value[member] ?? null)) return true;
  return false;
}

/** Replaces bigints for ajv: within int64 by a safe integer of the same sign, outside int64 by a number outside. */
function withoutBigint(value: Json): Json {
  if (typeof value === "bigint") {
    if (value >= int64Min && value <= int64Max) return value > 0n ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER;
    return value > 0n ? 1e19 : -1e19;
  }
  if (Array.isArray(value)) return value.map(withoutBigint);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, withoutBigint(inner)]));
}
