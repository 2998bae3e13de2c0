import type { JsonObject } from "../json/json.ts";
import { objectOf, objectsOf, textOf } from "../json/members.ts";
import { compareSchemas, follow, type SchemaDifference } from "./compare-schemas.ts";

/** One difference of an operation between two OpenAPI descriptions. */
export interface DescriptionDifference {
  /** Method and path as in the first description, or in the second if only that has the operation. */
  readonly operation: string;
  readonly part: "operation" | "query" | "request" | "response";
  /** `value`: a value of an enum. `required`: a member or parameter that both have. */
  readonly kind: "operation" | "member" | "value" | "required";
  /** Names of members from the body on, joined by `/`; `*` for an element. Empty for an operation. */
  readonly member: string;
  /** The value of an enum; empty for other kinds. */
  readonly value: string;
  /** What the second description has (`added`) or lacks (`removed`). */
  readonly change: "added" | "removed";
  /** Whether the second description requires an added member or parameter. */
  readonly isRequired: boolean;
}

/**
 * The differences in operations, query parameters, and the members, values and required members of requests and of
 * successful JSON responses. Where a description does not show the members of a schema, nothing differs.
 */
export function compareDescriptions(from: JsonObject, to: JsonObject): readonly DescriptionDifference[] {
  const [before, after] = [operationsIn(from), operationsIn(to)];
  const keys = [...before.keys(), ...[...after.keys()].filter((key) => !before.has(key))];
  return keys.flatMap((key) => {
    const [left, right] = [before.get(key), after.get(key)];
    const { name: operation } = left ?? right ?? { name: key };
    if (left === undefined || right === undefined)
      return [{ ...wholeOperation, operation, change: left === undefined ? "added" : "removed" }];
    return [
      ...parameterDifferences(left, right).map((found) => ({ ...found, operation, part: "query" as const })),
      ...inBody("request", requestOf(left), requestOf(right), operation),
      ...inBody("response", responseOf(left), responseOf(right), operation),
    ];
  });
}

/** A path whose parameters have no names, since descriptions name them differently. */
export function anonymousPath(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, "{}");
}

const wholeOperation = { part: "operation", kind: "operation", member: "", value: "", isRequired: false } as const;

interface FoundOperation {
  /** Method and path. */
  readonly name: string;
  readonly operation: JsonObject;
  readonly description: JsonObject;
}

const methods: ReadonlySet<string> = new Set(["get", "post", "put", "patch", "delete"]);

function operationsIn(description: JsonObject): ReadonlyMap<string, FoundOperation> {
  const found = new Map<string, FoundOperation>();
  for (const [path, item] of Object.entries(objectOf(description["paths"])))
    for (const [method, operation] of Object.entries(objectOf(item)))
      if (methods.has(method)) {
        const name = `${method.toUpperCase()} ${path}`;
        found.set(anonymousPath(name), { name, operation: objectOf(operation), description });
      }
  return found;
}

function parameterDifferences(left: FoundOperation, right: FoundOperation): readonly SchemaDifference[] {
  const [before, after] = [queryOf(left), queryOf(right)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((member): readonly SchemaDifference[] => {
    const [was, is] = [before.get(member), after.get(member)];
    if (was === is) return [];
    const found = { member, value: "", isRequired: is === true };
    if (is === undefined) return [{ ...found, kind: "member", change: "removed" }];
    if (was === undefined) return [{ ...found, kind: "member", change: "added" }];
    return [{ ...found, kind: "required", change: is ? "added" : "removed" }];
  });
}

/** The query parameters of an operation, and whether it requires them. */
function queryOf({ operation, description }: FoundOperation): ReadonlyMap<string, boolean> {
  const parameters = objectsOf(operation["parameters"]).map((entry) => follow(description, entry));
  const query = parameters.filter((parameter) => parameter["in"] === "query");
  return new Map(query.map((parameter) => [textOf(parameter["name"]), parameter["required"] === true] as const));
}

interface Body {
  readonly schema: JsonObject;
  readonly description: JsonObject;
}

function requestOf({ operation, description }: FoundOperation): Body {
  return { schema: jsonSchemaOf(follow(description, objectOf(operation["requestBody"]))), description };
}

function responseOf({ operation, description }: FoundOperation): Body {
  const responses = objectOf(operation["responses"]);
  const success = Object.keys(responses).find((status) => /^2\d\d$/.test(status)) ?? "";
  return { schema: jsonSchemaOf(follow(description, objectOf(responses[success]))), description };
}

function jsonSchemaOf(message: JsonObject): JsonObject {
  const content = objectOf(message["content"]);
  const mediaType = Object.keys(content).find((name) => name.startsWith("application/json")) ?? "";
  return objectOf(objectOf(content[mediaType])["schema"]);
}

function inBody(part: "request" | "response", left: Body, right: Body, operation: string): DescriptionDifference[] {
  return compareSchemas(left, right).map((found) => ({ ...found, operation, part }));
}

/** Whether a description is one of Understudy, which describes only what a stub serves. */
export function isOfUnderstudy(description: JsonObject): boolean {
  return [...operationsIn(description).values()].some(({ operation }) => operation["x-section"] !== undefined);
}
