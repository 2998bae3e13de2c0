import { createRequire, isBuiltin } from "node:module";
import type { Plugin } from "rolldown";

/** JSON is read faster as a text than as a program. */
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

/** Libraries that take long to load and are not needed by every process that could need them. */
export const heavyLibraries: readonly string[] = [
  "@noble/curves/ed25519.js",
  "@noble/curves/nist.js",
  "ajv-formats",
  "ajv/dist/2020.js",
  "jose",
  "json-p3",
  "yaml",
];

/** What checks need, with the examples of all rules; who only serves needs it when somebody asks how that went. */
const heavySources = ["judge", "rules/index", "conduct/index", "probes/index"].map((name) => `/src/${name}.ts`);

const prefix = "\0when-needed:";

/**
 * Modules of Node and what is heavy are loaded when something of them is first used. To import a module of Node is to
 * read all that it exports, which for `node:http` alone loads a whole HTTP client; and `node:https` loads all of TLS.
 * `fileOf` names the file in which a heavy library stands; undefined where it stands in the bundle.
 */
export function loadedWhenNeeded(fileOf: (library: string) => string | undefined): Plugin {
  return {
    name: "loaded-when-needed",
    async resolveId(source, importer) {
      if (importer === undefined || importer.startsWith("\0") || importer.includes("node_modules")) return undefined;
      if (isBuiltin(source) || heavyLibraries.includes(source)) return `${prefix}${source}`;
      const resolved = await this.resolve(source, importer, { skipSelf: true });
      const isHeavy = heavySources.some((path) => resolved?.id.endsWith(path));
      return resolved !== null && isHeavy ? `${prefix}${resolved.id}` : undefined;
    },
    load(id) {
      if (!id.startsWith(prefix)) return undefined;
      const target = id.slice(prefix.length);
      const apart = heavyLibraries.includes(target) ? fileOf(target) : undefined;
      const loading = isBuiltin(target)
        ? `process.getBuiltinModule(${JSON.stringify(target)})`
        : // By another name it is the bundle's own, which finds what stands beside it.
          `${apart === undefined ? "require" : "ownRequire"}(${JSON.stringify(apart ?? target)})`;
      const names = Object.keys(createRequire(import.meta.url)(target)).map((name) => JSON.stringify(name));
      const getters = names.map((name) => `get ${name}() { return ${loading}[${name}]; }`);
      const own = apart === undefined ? "" : "const ownRequire = require;\n";
      return { code: `${own}module.exports = { ${getters.join(", ")} };`, moduleType: "js" };
    },
  };
}

/** A text of one byte a character takes half the memory, and less time to compile. */
export const inAscii: Plugin = {
  name: "in-ascii",
  generateBundle(_, bundle) {
    for (const part of Object.values(bundle))
      if (part.type === "chunk") part.code = part.code.replaceAll(/[^\0-\x7f]/g, escaped);
  },
};

/** Notes the files of libraries whose code came into a bundle. */
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
