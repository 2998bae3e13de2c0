// Generates docs/reference/file-formats.md and a page for each file format, from schemas/.
import { type Schema, schemaTable } from "./schema-rows.ts";

/** A schema file of the package. */
export interface FormatSchema extends Schema {
  readonly title: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const mark = "<!-- Made by `npm run generate` from schemas. Do not edit. -->";

/** The pages by path; `schemas` are by the name of their file, such as `target.schema.json`. */
export function formatPages(schemas: ReadonlyMap<string, FormatSchema>): ReadonlyMap<string, string> {
  const pages = [...schemas].map(([file, schema]) => ({ file, schema, name: file.replace(".schema.json", "") }));
  const index = [
    mark,
    "# File formats",
    "",
    "Every file that Understudy reads or writes, with its members. `understudy validate FILE` checks scenarios, fixtures, config files and target files. The schemas are in the folder `schemas` of the package;",
    "an editor completes a YAML file that begins with `# yaml-language-server: $schema=node_modules/canton-understudy/schemas/ledger-fixture.schema.json`.",
    "",
    "| Format | Schema |",
    "| --- | --- |",
    ...pages.map(({ file, schema, name }) => `| [${titleOf(schema)}](file-formats/${name}.md) | \`schemas/${file}\` |`),
    "",
  ];
  return new Map([
    ["docs/reference/file-formats.md", index.join("\n")],
    ...pages.map(
      ({ file, schema, name }) => [`docs/reference/file-formats/${name}.md`, formatPage(file, schema)] as const,
    ),
  ]);
}

function formatPage(file: string, schema: FormatSchema): string {
  const definitions = schema.$defs ?? {};
  return [
    mark,
    `# ${titleOf(schema)}`,
    "",
    `${schema.description === undefined ? "" : `${schema.description} `}Schema: \`schemas/${file}\`. In a name, \`[]\` is an element of a list and \`*\` any name.`,
    "",
    ...schemaTable(schema, (reference) => definitions[reference.replace("#/$defs/", "")]),
  ].join("\n");
}

function titleOf({ title }: FormatSchema): string {
  const short = title.replace("Understudy ", "").replace(/ \(.*|: .*/, "");
  return `${short.slice(0, 1).toUpperCase()}${short.slice(1)}`;
}
