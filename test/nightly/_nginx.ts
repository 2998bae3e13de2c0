import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The system's nginx; undefined if it is not installed. */
export function installedNginx(): string | undefined {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin"];
  return folders.map((folder) => join(folder, "nginx")).find(existsSync);
}
