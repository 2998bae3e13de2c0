import type { FileReader } from "../../scenarios/files/file-reader.ts";

/** A reader of files given as texts by path. Relative paths are resolved against the folder of the file that contains them. */
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
