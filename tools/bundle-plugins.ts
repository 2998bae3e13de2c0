import { existsSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "rolldown";

/**
 * Bundles JSON as a text for JSON.parse, which is faster than an object literal. Of a large object, such as the contracts, a
 * member is parsed at its first use.
 */
export const jsonAsText: Plugin = {
  name: "json-as-text",
  transform(code, id) {
    if (!id.endsWith(".json")) return undefined;
    const value = JSON.parse(code);
    // The sources read the version alone.
    const used = basename(id) === "package.json" ? { version: value.version } : value;
    return { code: `export default ${jsonExpression(used)};`, moduleType: "js" };
  },
};

/** Maximum length of a JSON text that is parsed at once. */
const parsedTextMax = 100_000;

/** A JavaScript expression of a JSON value. */
export function jsonExpression(value: unknown): string {
  const text = JSON.stringify(value);
  if (text.length <= parsedTextMax || typeof value !== "object" || value === null || Array.isArray(value))
    return `JSON.parse(${JSON.stringify(text)})`;
  const getters = Object.entries(value).map(([name, member]) => {
    const key = JSON.stringify(name);
    return `get ${key}() { const value = ${jsonExpression(member)}; Object.defineProperty(this, ${key}, { value, enumerable: true }); return value; }`;
  });
  return `{ ${getters.join(", ")} }`;
}

/** Libraries that load slowly and that many processes do not need. */
export const heavyLibraries: readonly string[] = [
  "@noble/curves/ed25519.js",
  "@noble/curves/nist.js",
  "@noble/curves/secp256k1.js",
  "ajv-formats",
  "ajv/dist/2020.js",
  "jose",
  "json-p3",
  "ws",
  "yaml",
];

const source = (path: string) => fileURLToPath(new URL(`../src/${path}`, import.meta.url));

/** Generated sources that load slowly and that many processes do not need. */
export const heavyGenerated: readonly string[] = [
  source("entrypoints/config/generated/config-validator.js"),
  source("scenarios/files/generated/schema-validators.js"),
];

/**
 * Sources of the checker, with the examples of all rules, which `serve` needs only for a report. The operations of steps, which
 * the quickstart does not need.
 */
const heavySources: readonly string[] = [
  source("checker/engine/checker.ts"),
  source("checker/rules/index.ts"),
  source("checker/client-rules/index.ts"),
  source("checker/probes/index.ts"),
  source("scenarios/files/step-operations.ts"),
];
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
