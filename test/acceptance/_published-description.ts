// The published OpenAPI descriptions of the ledger, from the types that openapi-typescript made of them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import type { JsonObject } from "../../src/foundation/json/json.ts";
import { root } from "./_command-line.ts";

const folder = "node_modules/@canton-network/core-ledger-client-types/dist/generated-clients";

/** Operations, query parameters, JSON bodies and schemas of the description of this version. */
export function publishedDescription(version: string): JsonObject {
  const text = readFileSync(join(root, folder, `openapi-${version}.d.ts`), "utf8");
  const source = ts.createSourceFile("openapi.d.ts", text, ts.ScriptTarget.Latest, true);
  const named = (name: string) =>
    source.statements.filter(ts.isInterfaceDeclaration).find((statement) => statement.name.text === name);
  const operations = typesIn(named("operations"));
  const paths = [...typesIn(named("paths"))].map(([path, item]) => {
    const methods = [...typesIn(item)].flatMap(([method, type]) => {
      const id = /^operations\['(.*)'\]$/.exec(type.getText())?.[1];
      return id === undefined ? [] : [[method, operationOf(operations.get(id))] as const];
    });
    return [path, Object.fromEntries(methods)] as const;
  });
  const schemas = [...typesIn(typesIn(named("components")).get("schemas"))].map(
    ([name, type]) => [name, schemaOf(type)] as const,
  );
  return { paths: Object.fromEntries(paths), components: { schemas: Object.fromEntries(schemas) } };
}

function operationOf(type: ts.TypeNode | undefined): JsonObject {
  const parts = typesIn(type);
  const query = typesIn(typesIn(parts.get("parameters")).get("query"));
  const content = (message: ts.TypeNode | undefined) => ({
    content: {
      "application/json": { schema: schemaOf(typesIn(typesIn(message).get("content")).get("application/json")) },
    },
  });
  return {
    parameters: [...query.keys()].map((name) => ({ in: "query", name, required: false })),
    requestBody: content(parts.get("requestBody")),
    responses: { "200": content(typesIn(parts.get("responses")).get("200")) },
  };
}

function schemaOf(type: ts.TypeNode | undefined): JsonObject {
  if (type === undefined) return {};
  if (ts.isParenthesizedTypeNode(type)) return schemaOf(type.type);
  if (ts.isArrayTypeNode(type)) return { type: "array", items: schemaOf(type.elementType) };
  if (ts.isIndexedAccessTypeNode(type)) {
    const name = /^components\['schemas'\]\['(.*)'\]$/.exec(type.getText())?.[1];
    return name === undefined ? {} : { $ref: `#/components/schemas/${name}` };
  }
  if (ts.isUnionTypeNode(type)) {
    const values = type.types.flatMap((part) =>
      ts.isLiteralTypeNode(part) && ts.isStringLiteral(part.literal) ? [part.literal.text] : [],
    );
    return values.length === type.types.length ? { enum: values } : { oneOf: type.types.map(schemaOf) };
  }
  if (!ts.isTypeLiteralNode(type)) return {};
  const elements = type.members.find(ts.isIndexSignatureDeclaration);
  return {
    type: "object",
    properties: Object.fromEntries([...typesIn(type)].map(([name, member]) => [name, schemaOf(member)])),
    required: membersOf(type).flatMap((member) => (member.questionToken === undefined ? [nameOf(member)] : [])),
    ...(elements === undefined ? {} : { additionalProperties: schemaOf(elements.type) }),
  };
}

function typesIn(type: ts.Node | undefined): ReadonlyMap<string, ts.TypeNode> {
  return new Map(membersOf(type).flatMap((member) => (member.type ? [[nameOf(member), member.type] as const] : [])));
}

function membersOf(type: ts.Node | undefined): readonly ts.PropertySignature[] {
  if (type === undefined || !(ts.isInterfaceDeclaration(type) || ts.isTypeLiteralNode(type))) return [];
  return type.members.filter(ts.isPropertySignature);
}

function nameOf({ name }: ts.PropertySignature): string {
  return ts.isIdentifier(name) || ts.isStringLiteral(name) || ts.isNumericLiteral(name) ? name.text : name.getText();
}
