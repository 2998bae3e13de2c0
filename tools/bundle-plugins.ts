import { existsSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { fileURLToPath } from "node:url";
import type { Plugin } from "rolldown";

/** Bundles JSON as a text for JSON.parse, which is faster than an object literal. */
export const jsonAsText: Plugin = {
  name: "json-as-text",
  transform(code, id) {
    if (!id.endsWith(".json")) return undefined;
    return {
      code: `export default JSON.parse(${JSON.stringify(JSON.stringify(JSON.parse(code)))});`,
      moduleType: "js",
    };
  },
};

/** Libraries that load slowly and that many processes do not need. */
export const heavyLibraries: readonly string[] = [
  "@noble/curves/ed25519.js",
  "@noble/curves/nist.js",
  "@noble/curves/secp256k1.js",
  "ajv-formats",
  "ajv/dist/2020.js",
  "jose",
  "json-p3",
  "yaml",
];

/** Sources of the checker, with the examples of all rules. `serve` needs them only for a report. */
const heavySources = ["engine/checker", "rules/index", "client-rules/index", "probes/index"].map((name) =>
  fileURLToPath(new URL(`../src/checker/${name}.ts`, import.meta.url)),
);
for (const file of heavySources)
  if (!existsSync(file)) throw new Error(`${file}: no such source. Correct heavySources.`);

const prefix = "\0when-needed:";

/**
 * Loads modules of Node and heavy modules on first use. An import of a module of Node reads all its exports: for `node:http`
 * this loads the HTTP client, for `node:https` all of TLS. `fileOf` gives the file of a heavy library; undefined if the
 * library is in the bundle.
 */
export function loadedWhenNeeded(fileOf: (library: string) => string | undefined): Plugin {
  return {
    name: "loaded-when-needed",
    async resolveId(source, importer) {
      if (importer === undefined || importer.startsWith("\0") || importer.includes("node_modules")) return undefined;
      if (isBuiltin(source) || heavyLibraries.includes(source)) return `${prefix}${source}`;
      const resolved = await this.resolve(source, importer, { skipSelf: true });
      return resolved !== null && heavySources.includes(resolved.id) ? `${prefix}${resolved.id}` : undefined;
    },
    load(id) {
      if (!id.startsWith(prefix)) return undefined;
      const target = id.slice(prefix.length);
      const apart = heavyLibraries.includes(target) ? fileOf(target) : undefined;
      const loading = isBuiltin(target)
        ? `process.getBuiltinModule(${JSON.stringify(target)})`
        : // Under another name the bundler leaves `require` unchanged, so it resolves files beside the bundle.
          `${apart === undefined ? "require" : "ownRequire"}(${JSON.stringify(apart ?? target)})`;
      const names = Object.keys(createRequire(import.meta.url)(target)).map((name) => JSON.stringify(name));
      const getters = names.map((name) => `get ${name}() { return (loaded ??= ${loading})[${name}]; }`);
      const own = apart === undefined ? "" : "const ownRequire = require;\n";
      return { code: `${own}let loaded;\nmodule.exports = { ${getters.join(", ")} };`, moduleType: "js" };
    },
  };
}

/** Escapes non-ASCII characters: a text with one byte per character takes half the memory and compiles faster. */
export const inAscii: Plugin = {
  name: "in-ascii",
  generateBundle(_, bundle) {
    for (const part of Object.values(bundle))
      if (part.type === "chunk") part.code = part.code.replaceAll(/[^\0-\x7f]/g, escaped);
  },
};

/** Collects the files of libraries whose code is in a bundle. */
export function notedLibraries(files: Set<string>): Plugin {
  return {
    name: "noted-libraries",
    generateBundle(_, bundle) {
      for (const part of Object.values(bundle))
        for (const id of part.type === "chunk" ? part.moduleIds : [])
          if (id.includes("node_modules") && !id.startsWith("\0")) files.add(id);
    },
  };
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
