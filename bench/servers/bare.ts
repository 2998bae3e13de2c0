import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import type { ServerKind } from "./_server.ts";

export const bare: ServerKind = {
  name: "bare",
  title: "bare node:http",
  setUp:
    "reads and parses the body, keeps nothing, checks nothing, and sends the bytes of Understudy's response: the limit of what a server in Node can do.",
  absence: () => undefined,
  prepare({ port, workspace, samples }) {
    const script = join(workspace.folder, "bare-server.mjs");
    const source = readFileSync(new URL("bare-server.ts", import.meta.url), "utf8");
    // Compiled, so that the start does not include type stripping.
    const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ESNext };
    writeFileSync(script, ts.transpileModule(source, { compilerOptions }).outputText);
    const responses = join(workspace.folder, `answers-${port}.json`);
    const given = samples.map(({ request, response }) => ({
      method: request.method,
      prefix: request.path.replace(/(\/v2\/users).*/, "$1"),
      ...response,
    }));
    writeFileSync(responses, JSON.stringify(given));
    return { command: process.execPath, words: [script, String(port), responses] };
  },
};
