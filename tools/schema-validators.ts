import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020, type AnySchemaObject } from "ajv/dist/2020.js";
import standaloneModule from "ajv/dist/standalone/index.js";
import addFormatsModule from "ajv-formats";
import { rolldown } from "rolldown";

/** Schema files by the name under which their validator is exported. */
type SchemaFiles = Readonly<Record<string, string>>;

/** The schemas of files that the stub reads. */
export const schemaFiles: SchemaFiles = {
  arazzo: "arazzo",
  baseline: "baseline",
  ledger: "ledger-fixture",
  registry: "registry-fixture",
  scenario: "scenario",
  target: "target",
};

/** The schema of config files, which the stub does not read. */
export const configSchemaFile: SchemaFiles = { config: "config" };

/** The validator of archived worlds. It ends at the first problem, since archives come from clients. */
export async function worldStateValidator(root: string, schema: AnySchemaObject): Promise<string> {
  const ajv = new Ajv2020({
    discriminator: true,
    inlineRefs: false,
    allowUnionTypes: true,
    meta: false,
    validateSchema: false,
    code: { source: true, esm: true },
  });
  ajv.addSchema(schema, "worldState");
  const code = await inOneFile(standaloneModule.default(ajv, { worldState: "worldState" }), root);
  // A message has the place in the archive, and what is wrong there.
  return code.replaceAll(/schemaPath:`[^`]*`,keyword:`[^`]*`,params:\{[^{}]*\},/g, "");
}

/** What is not to be compiled at every start, as a program: for each schema a function that finds every problem. */
export async function schemaValidators(root: string, files: SchemaFiles): Promise<string> {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    allowUnionTypes: true,
    meta: false,
    validateSchema: false,
    code: { source: true, esm: true },
  });
  addFormatsModule.default(ajv);
  for (const [name, file] of Object.entries(files))
    ajv.addSchema(withoutText(readFileSync(join(root, `schemas/${file}.schema.json`), "utf8")), name);
  const names = Object.keys(files);
  return inOneFile(standaloneModule.default(ajv, Object.fromEntries(names.map((name) => [name, name]))), root);
}

/**
 * A schema without its descriptions, which no validator needs; a member may have the name `description` too. The reference from a
 * scenario to the schema of x-understudy is for editors: the stub checks that part with a validator of its own.
 */
function withoutText(schema: string): AnySchemaObject {
  return JSON.parse(schema, (key, value) =>
    (key === "description" && typeof value === "string") || key === "x-understudy" ? undefined : value,
  );
}

/** The types of what is exported there. */
export function schemaValidatorTypes(files: SchemaFiles): string {
  const names = Object.keys(files).map((name) => `export declare const ${name}: ValidateFunction;`);
  return `import type { ValidateFunction } from "ajv/dist/2020.js";\n\n${names.join("\n")}\n`;
}

/** With the little of ajv that the code calls. */
async function inOneFile(code: string, root: string): Promise<string> {
  const entry = join(root, "schema-validators.js");
  const bundled = await rolldown({
    input: entry,
    platform: "browser",
    plugins: [
      {
        name: "text-of-entry",
        load: (id) => (id === entry ? code : undefined),
        resolveId: (id) => (id === entry ? id : undefined),
      },
    ],
  });
  const { output } = await bundled.generate({ format: "es", minify: true });
  await bundled.close();
  return output[0].code;
}
