import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DocsPage } from "./docs-index.ts";

/** Reads the pages in a folder of docs, without the listings of types. */
export function readDocsPages(folder: string): readonly DocsPage[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".md") && !/^(?:reference\/api|node_modules|\.\w+)\//.test(file))
    .sort()
    .map((file) => ({ path: `docs/${file}`, text: readFileSync(join(folder, file), "utf8") }));
}
