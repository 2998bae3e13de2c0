import { readFileSync } from "node:fs";
import { packagedFile } from "../library/files.ts";

/** The version in the package's own package.json. */
export function version(): string {
  const description: unknown = JSON.parse(readFileSync(packagedFile("package.json"), "utf8"));
  const found: unknown =
    typeof description === "object" && description !== null && "version" in description
      ? description.version
      : undefined;
  return String(found);
}
