import type { FileReader } from "../../scenarios/files/load-scenario.ts";

/** Files that are there as texts, by path; a path is resolved against the folder of the file that names it. */
export function textFiles(texts: Readonly<Record<string, string>>): FileReader {
  return {
    read: (path) => (Object.hasOwn(texts, path) ? texts[path] : undefined),
    resolve: (from, relative) => (relative.startsWith("/") ? relative : resolved(from, relative)),
  };
}

function resolved(from: string, relative: string): string {
  const segments = from.split("/").slice(0, -1);
  for (const segment of relative.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "." && segment !== "") segments.push(segment);
  }
  return segments.join("/");
}
