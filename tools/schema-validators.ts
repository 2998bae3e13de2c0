import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import standaloneModule from "ajv/dist/standalone/index.js";
import addFormatsModule from "ajv-formats";
import { rolldown } from "rolldown";

/** The schemas of files that users write, by the name under which their validator is exported. */
const schemaFiles = {
  arazzo: "arazzo",
  baseline: "baseline",
  ledger: "ledger-fixture",
  registry: "registry-fixture",
  scenario: "scenario",
  target: "target",
} as const;

/** What is not to be compiled at every start, as a program: for each schema a function that finds every problem. */
export async function schemaValidators(root: string): Promise<string> {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    allowUnionTypes: true,
    meta: false,
    validateSchema: false,
    code: { source: true, esm: true },
  });
  addFormatsModule.default(ajv);
  for (const [name, file] of Object.entries(schemaFiles))
    ajv.addSchema(JSON.parse(readFileSync(join(root, `schemas/${file}.schema.json`), "utf8")), name);
  const names = Object.keys(schemaFiles);
  return inOneFile(standaloneModule.default(ajv, Object.fromEntries(names.map((name) => [name, name]))), root);
}

/** The types of what is exported there. */
export function schemaValidatorTypes(): string {
  const names = Object.keys(schemaFiles).map((name) => `export declare const ${name}: ValidateFunction;`);
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
