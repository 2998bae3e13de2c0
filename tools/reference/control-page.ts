// Generates docs/reference/control-requests.md from contracts/control.yaml.
import { type Schema, schemaTable } from "./schema-rows.ts";

interface Content {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly description?: string;
  readonly schema?: Schema;
}

interface ControlOperation {
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

/** `contracts/control.yaml`. */
export interface ControlContract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ControlOperation>>>>;
  readonly components: {
    readonly responses: Readonly<Record<string, Content>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
}

interface NamedOperation {
  /** Method and path. */
  readonly name: string;
  readonly operation: ControlOperation;
}

export function controlPage({ paths, components }: ControlContract): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method, { tags }]) => /^(?:get|post|delete)$/.test(method) && !tags.includes("inspection"))
      .map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );
  const shown = new Map<string, string>();
  return [
    "<!-- Made by `npm run generate` from contracts/control.yaml. Do not edit. -->",
    "# Requests of the control API",
    "",
    "[The control API](../control-api.md) says who may send these requests. `{world}` is the id of a world, such as `default`. A refused request gets 400, 401, 403, 404, 405, 409 or 503 with the reason in `error`.",
    "The inspector has further requests, which may change: `contracts/control.yaml`.",
    "",
    "| Request | Effect |",
    "| --- | --- |",
    ...operations.map(({ name, operation: { summary } }) => `| \`${name}\` | [${summary}](#${anchorOf(summary)}) |`),
    "",
    ...operations.flatMap((each) => operationLines(each, components, shown)),
  ].join("\n");
}

function operationLines(
  { name, operation }: NamedOperation,
  components: ControlContract["components"],
  shown: Map<string, string>,
): readonly string[] {
  const { summary, description, parameters = [], requestBody, responses } = operation;
  const resolve = (reference: string) => components.schemas[reference.replace("#/components/schemas/", "")];
  const [status = "", given = {}] = Object.entries(responses)[0] ?? [];
  const response =
    given.$ref === undefined ? given : components.responses[given.$ref.replace("#/components/responses/", "")];
  const answer = schemaTable(schemaOf(response), resolve, false);
  const same = shown.get(answer.join("\n"));
  if (same === undefined) shown.set(answer.join("\n"), summary);
  return [
    `## ${summary}`,
    "",
    `\`${name}\``,
    "",
    description,
    "",
    ...titled("Query:", schemaTable(queryOf(parameters), resolve)),
    ...titled("Body:", schemaTable(schemaOf(requestBody), resolve)),
    ...(same === undefined || answer.length === 0
      ? titled(`Response ${status}:`, answer)
      : [`Response ${status}: the members of [${same}](#${anchorOf(same)}).`, ""]),
  ];
}

function anchorOf(summary: string): string {
  return summary.toLowerCase().replaceAll(" ", "-");
}

function titled(title: string, table: readonly string[]): readonly string[] {
  return table.length === 0 ? [] : [title, "", ...table];
}

/** The parameters of the query as the members of an object. */
function queryOf(parameters: readonly Parameter[]): Schema {
  const members = parameters.flatMap(({ name = "", in: place, description, schema }) =>
    place === "query" ? [[name, { ...schema, ...(description === undefined ? {} : { description }) }] as const] : [],
  );
  return { properties: Object.fromEntries(members) };
}

function schemaOf(content: Content | undefined): Schema {
  return Object.values(content?.content ?? {})[0]?.schema ?? {};
}
