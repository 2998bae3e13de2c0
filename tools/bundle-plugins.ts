import { existsSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { basename } from "node:path";
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

const source = (path: string) => fileURLToPath(new URL(`../src/${path}`, import.meta.url));

/** Generated sources that load slowly and that many processes do not need. */
export const heavyGenerated: readonly string[] = [
  source("entrypoints/config/generated/config-validator.js"),
  source("scenarios/files/generated/schema-validators.js"),
];

/** Sources of the checker, with the examples of all rules. `serve` needs them only for a report. */
const heavySources = ["engine/checker", "rules/index", "client-rules/index", "probes/index"].map((name) =>
  source(`checker/${name}.ts`),
);
for (const file of [...heavySources, ...heavyGenerated])
  if (!existsSync(file)) throw new Error(`${file}: no such source. Correct the lists.`);

const prefix = "\0when-needed:";

/**
 * Loads modules of Node and heavy modules on first use. An import of a module of Node reads all its exports: for `node:http`
 * this loads the HTTP client, for `node:https` all of TLS. Heavy libraries and generated sources are in files of their own in
 * a folder, which is named as it is found from the bundle.
 */
export function loadedWhenNeeded(folder: string): Plugin {
  return {
    name: "loaded-when-needed",
    async resolveId(source, importer) {
      if (source.startsWith(folder) && source.endsWith(".cjs")) return { id: source, external: true };
      if (importer === undefined || importer.startsWith("\0") || importer.includes("node_modules")) return undefined;
      if (isBuiltin(source) || heavyLibraries.includes(source)) return `${prefix}${source}`;
      const resolved = await this.resolve(source, importer, { skipSelf: true });
      const isHeavy = resolved !== null && (heavySources.includes(resolved.id) || heavyGenerated.includes(resolved.id));
      return isHeavy ? `${prefix}${resolved.id}` : undefined;
    },
    load(id) {
      if (!id.startsWith(prefix)) return undefined;
      const target = id.slice(prefix.length);
      const isApart = heavyLibraries.includes(target) || heavyGenerated.includes(target);
      const loading = isBuiltin(target)
        ? `process.getBuiltinModule(${JSON.stringify(target)})`
        : `require(${JSON.stringify(isApart ? `${folder}${apartName(target)}.cjs` : target)})`;
      const names = Object.keys(createRequire(import.meta.url)(target)).map((name) => JSON.stringify(name));
      const getters = names.map((name) => `get ${name}() { return (loaded ??= ${loading})[${name}]; }`);
      return { code: `let loaded;\nmodule.exports = { ${getters.join(", ")} };`, moduleType: "js" };
    },
  };
}

/** The name of the file of a heavy library or generated source, without its ending. */
export function apartName(library: string): string {
  const name = heavyGenerated.includes(library) ? basename(library) : library;
  return `library-${name.replace(/\.js$/, "").replaceAll(/[^a-z0-9]+/g, "-")}`;
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
