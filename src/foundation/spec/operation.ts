import { isJsonObject, type Json, type JsonObject } from "../json/json.ts";
import { listOf } from "../json/members.ts";
import type { Api } from "./contracts.ts";
import { type OperationId, operationIds } from "./generated/names.ts";

/** The documented APIs, and the stub's own. */
export type DescribedApi = Api | "control";

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: JsonObject;
}

/** One operation of a description: method, path, and JSON pointers of its schemas. */
export interface SpecOperation<Of extends DescribedApi = Api, Id extends string = OperationId> {
  readonly operationId: Id;
  readonly api: Of;
  readonly method: string;
  readonly path: string;
  readonly section: string;
  /** Whether it is an additional operation. */
  readonly isAdditional: boolean;
  /** Whether it needs no token. */
  readonly isPublic: boolean;
  readonly parameters: readonly Parameter[];
  readonly requestSchema: string | undefined;
  /** By status, `default` included: the media type and the schema's pointer. */
  readonly responses: Readonly<Record<string, ResponseSchema>>;
}

/** The media type of a response without a body. */
export const anyMediaType = "*/*";

interface ResponseSchema {
  readonly mediaType: string;
  readonly schema: string;
}

/** The operations of an OpenAPI description, in its order. */
export function operationsOf<Of extends DescribedApi>(
  api: Of,
  description: JsonObject,
): readonly SpecOperation<Of, string>[] {
  const paths = memberObject(description, "paths");
  return Object.keys(paths).flatMap((path) => {
    const item = memberObject(paths, path);
    return Object.keys(item)
      .filter((method) => methods.has(method))
      .map((method) => toOperation(api, description, path, method));
  });
}

/** Whether the spec or the additional operations have the operation. */
export function isOfSpec<Of extends Api>(operation: SpecOperation<Of, string>): operation is SpecOperation<Of> {
  return ids.has(operation.operationId);
}

const ids: ReadonlySet<string> = new Set(operationIds);

const methods: ReadonlySet<string> = new Set(["get", "post", "put", "patch", "delete"]);

function toOperation<Of extends DescribedApi>(
  api: Of,
  description: JsonObject,
  path: string,
  method: string,
): SpecOperation<Of, string> {
  const pointer = `/paths/${escapeSegment(path)}/${method}`;
  const operation = memberObject(memberObject(memberObject(description, "paths"), path), method);
  return {
    operationId: String(operation["operationId"]),
    api,
    method: method.toUpperCase(),
    path,
    section: String(operation["x-section"] ?? ""),
    isAdditional: operation["x-additional operation"] === true,
    isPublic: isEmptyList(operation["security"]),
    parameters: listOf(operation["parameters"]).map((entry) => toParameter(resolve(description, entry).value)),
    requestSchema: jsonSchema(contentSchema(operation["requestBody"], `${pointer}/requestBody`)),
    responses: responsesOf(description, operation, pointer),
  };
}

function responsesOf(description: JsonObject, operation: JsonObject, pointer: string): Record<string, ResponseSchema> {
  const responses: Record<string, ResponseSchema> = {};
  for (const [status, response] of Object.entries(memberObject(operation, "responses"))) {
    const resolved = resolve(description, response);
    const schema = contentSchema(resolved.value, resolved.pointer ?? `${pointer}/responses/${status}`);
    if (schema !== undefined) responses[status] = schema;
  }
  return responses;
}

/** The response that an operation has for a status: its own, else that of all other errors. */
export function declaredResponse(
  { responses }: Pick<SpecOperation, "responses">,
  status: number,
): ResponseSchema | undefined {
  return responses[String(status)] ?? (status >= 400 ? responses["default"] : undefined);
}

/** The schema of a JSON body; bytes have none. */
function jsonSchema(content: ResponseSchema | undefined): string | undefined {
  return content?.mediaType === "application/octet-stream" ? undefined : content?.schema;
}

function contentSchema(message: Json | undefined, pointer: string): ResponseSchema | undefined {
  if (!isJsonObject(message)) return undefined;
  const mediaType = Object.keys(memberObject(message, "content"))[0];
  if (mediaType === undefined) return undefined;
  return { mediaType, schema: `${pointer}/content/${escapeSegment(mediaType)}/schema` };
}

function toParameter(value: Json): Parameter {
  const parameter = isJsonObject(value) ? value : {};
  return {
    name: String(parameter["name"]),
    in: String(parameter["in"]),
    required: parameter["required"] === true,
    schema: memberObject(parameter, "schema"),
  };
}

/** Follows a `$ref` once; `pointer` is the place of the value if it was a reference. */
function resolve(description: JsonObject, value: Json): { readonly value: Json; readonly pointer?: string } {
  if (!isJsonObject(value) || typeof value["$ref"] !== "string") return { value };
  const pointer = value["$ref"].slice(1);
  return { value: valueAt(description, pointer) ?? null, pointer };
}

/** The value at a JSON pointer; undefined if absent. */
export function valueAt(root: Json, pointer: string): Json | undefined {
  let value: Json | undefined = root;
  for (const segment of segmentsOf(pointer)) {
    if (Array.isArray(value)) value = value[Number(segment)];
    else if (isJsonObject(value)) value = Object.hasOwn(value, segment) ? value[segment] : undefined;
    else return undefined;
  }
  return value;
}

export function escapeSegment(segment: string): string {
  return /[~/]/.test(segment) ? segment.replaceAll("~", "~0").replaceAll("/", "~1") : segment;
}

/** The names and indexes in a JSON pointer. */
export function segmentsOf(pointer: string): readonly string[] {
  const segments = pointer.split("/").slice(1);
  return pointer.includes("~") ? segments.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~")) : segments;
}

function isEmptyList(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length === 0;
}

export function memberObject(value: JsonObject, member: string): JsonObject {
  const found = value[member];
  return isJsonObject(found) ? found : {};
}
