import type { Language } from "./project.ts";

/** Files that let Jest run the first test as an ES module, whatever the project's own config is. */
export function jestConfig(language: Language, ending: string): Readonly<Record<string, string>> {
  const beginning = `// Jest runs these tests as ES modules, which canton-understudy needs. They end in .understudy.${ending}, so that the config
// of your other tests does not pick them up.
export default {
  testMatch: ["<rootDir>/*.understudy.${ending}"],
`;
  if (language === "JavaScript") return { "jest.config.mjs": `${beginning}  transform: {},\n};\n` };
  return {
    "jest.config.mjs": `${beginning}  moduleFileExtensions: ["js", "mjs", "cjs", "ts", "mts", "json", "node"],
  extensionsToTreatAsEsm: [".ts", ".mts"],
  transform: { "\\\\.m?ts$": "<rootDir>/strip-types.mjs" },
};
`,
    "strip-types.mjs": `// Removes the types. Jest compiles no TypeScript by itself.
import { stripTypeScriptTypes } from "node:module";

export default { process: (text) => ({ code: stripTypeScriptTypes(text) }) };
`,
  };
}
