import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { isIdentifier } from "../../foundation/spec/identifiers.ts";
import { memberObject, type SpecOperation } from "../../foundation/spec/operation.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import type { SchemaViolation } from "../../foundation/spec/validator.ts";
import { drawFaulty } from "./draw-faulty.ts";
import type { Fake } from "./faker.ts";
import { counted, type Flaw, makeValid, nothingMade, type Tally } from "./make-valid.ts";
import { randomOf, seedOf } from "./random.ts";
import { type Fault, faultsOf } from "./request-faults.ts";
import { meantMembers, meantParameters, usersInBody } from "./request-meaning.ts";
import { followed, formatOf, standalone, withMember } from "./request-schema.ts";

/** A generated request: operation id, parameters and body. */
export interface GeneratedRequest {
  readonly operationId: string;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body?: Json;
}

/** A request with exactly one fault. */
interface FaultyRequest extends GeneratedRequest {
  readonly fault: Fault;
}

interface GeneratedRequests {
  readonly valid: readonly GeneratedRequest[];
  readonly invalid: readonly FaultyRequest[];
  /** Number of generated values by result. */
  readonly tally: Tally;
}

/** Options of generated requests; `fake` must support the formats of `identifierFormats`. */
interface RequestOptions {
  readonly fake: Fake;
  readonly spec: Spec;
  readonly seed: number;
  /** Number of valid requests, and of invalid ones. */
  readonly count: number;
}

/**
 * Requests of an operation: valid ones, and ones that were valid until a single fault was planted. Where the spec
 * leaves a schema open, a spec with the schemas of a release says more. Throws RangeError for an unknown operation.
 */
export function generateRequests(operationId: string, options: RequestOptions): GeneratedRequests {
  const { spec, seed, count } = options;
  const operation = spec.operations.find((candidate) => candidate.operationId === operationId);
  if (operation === undefined) throw new RangeError(`unknown operation ${operationId}`);
  const maker = createMaker(operation, options);
  const valid = Array.from({ length: count }, (_, index) => maker.request(index)).filter(
    (request) => request !== undefined,
  );
  const faulty = valid.flatMap((request) => [
    ...faultyBodies(operation, spec, request),
    ...faultyQueries(operation, request),
  ]);
  return { valid, invalid: drawFaulty(faulty, { count, seed, operationId }), tally: maker.tally() };
}

interface Maker {
  request(index: number): GeneratedRequest | undefined;
  tally(): Tally;
}

function createMaker(operation: SpecOperation, { fake, spec, seed }: RequestOptions): Maker {
  const { operationId, requestSchema, api } = operation;
  const description = spec.descriptions[api];
  const schema = requestSchema === undefined ? undefined : bodySchema(operationId, description, requestSchema);
  let tally = nothingMade;
  const textOf = (parameter: JsonObject, of: string, index: number) => {
    const value = fake(parameter, seedOf(seed, `${operationId} ${of}`, index));
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  };
  return {
    request(index) {
      const path = parametersOf(operation, "path", (parameter, name) => textOf(parameter, name, index));
      const isRequested = randomOf(seed, `${operationId} query`, index);
      const query = parametersOf(operation, "query", (parameter, name) =>
        isRequested.happens(0.5) ? textOf(parameter, name, index) : undefined,
      );
      if (schema === undefined || requestSchema === undefined) return { operationId, path, query };
      const flawsIn = (value: Json): readonly Flaw[] => [
        ...spec.validate[api](requestSchema, value),
        ...misnamed(description, { $ref: `#${requestSchema}` }, value, ""),
      ];
      const made = makeValid(fake, { schema, flawsIn }, seedOf(seed, operationId, index));
      tally = counted(tally, made);
      if (made.value === undefined) return undefined;
      return { operationId, path, query, body: agreeing(operationId, path, made.value) };
    },
    tally: () => tally,
  };
}

function bodySchema(operationId: string, description: JsonObject, pointer: string): JsonObject {
  const documented = standalone(description, { $ref: `#${pointer}` });
  const meant = Object.entries(meantMembers[operationId] ?? {});
  return meant.reduce((schema, [path, member]) => withMember(schema, path.split("."), member), documented);
}

function parametersOf(
  { parameters }: SpecOperation,
  place: "path" | "query",
  textOf: (schema: JsonObject, name: string) => string | undefined,
): Readonly<Record<string, string>> {
  const given = parameters
    .filter((parameter) => parameter.in === place)
    .flatMap(({ name, schema }) => {
      const syntax = schema["x-identifier"];
      const plain = meantParameters[name] ?? { type: schema["type"] ?? "string" };
      const text = textOf(typeof syntax === "string" ? { type: "string", format: formatOf(syntax) } : plain, name);
      return text === undefined ? [] : [[name, text] as const];
    });
  return Object.fromEntries(given);
}

/** Flaws for texts that do not match their identifier syntax, which JSON Schema cannot express. */
function misnamed(description: JsonObject, schema: JsonObject, value: Json, pointer: string): readonly Flaw[] {
  const shape = followed(description, schema);
  const syntax = shape["x-identifier"];
  if (typeof value === "string" && typeof syntax === "string")
    return isIdentifier(syntax, value) ? [] : [{ pointer, keyword: "identifier" }];
  if (Array.isArray(value))
    return value.flatMap((entry, index) =>
      misnamed(description, memberObject(shape, "items"), entry, `${pointer}/${index}`),
    );
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    misnamed(description, memberObject(memberObject(shape, "properties"), name), member, `${pointer}/${name}`),
  );
}

/** The body with the user id of the path. */
function agreeing(operationId: string, path: Readonly<Record<string, string>>, body: Json): Json {
  const [member, inner] = usersInBody[operationId] ?? [];
  const user = path["user-id"];
  if (member === undefined || user === undefined || !isJsonObject(body)) return body;
  if (inner === undefined) return { ...body, [member]: user };
  return { ...body, [member]: { ...memberObject(body, member), [inner]: user } };
}

/** Requests with one fault in the body; the validator confirms that it is the only one. */
function faultyBodies(operation: SpecOperation, spec: Spec, request: GeneratedRequest): readonly FaultyRequest[] {
  const { requestSchema, api } = operation;
  if (requestSchema === undefined || request.body === undefined) return [];
  const schema = { $ref: `#${requestSchema}` };
  return faultsOf(spec.descriptions[api], schema, request.body).flatMap(({ body, ...fault }) => {
    const found = spec.validate[api](requestSchema, body);
    return found.length > 0 && found.every((violation) => isAt(fault, violation)) ? [{ ...request, body, fault }] : [];
  });
}

function isAt({ pointer = "" }: Fault, violation: SchemaViolation): boolean {
  return violation.pointer === pointer || violation.pointer.startsWith(`${pointer}/`);
}

function faultyQueries({ parameters }: SpecOperation, request: GeneratedRequest): readonly FaultyRequest[] {
  const numbers = parameters.filter((parameter) => parameter.in === "query" && parameter.schema["type"] === "integer");
  return numbers.flatMap(({ name }) =>
    [
      ["query-text", "is not a number", "many"],
      ["query-fraction", "is a fraction", "1.5"],
      ["query-too-large", "is too large", "2147483648"],
    ].map(([id = "", what = "", text = ""]) => ({
      ...request,
      query: { ...request.query, [name]: text },
      fault: { id, what: `${name} ${what}`, pointer: undefined, keyword: "type" },
    })),
  );
}
