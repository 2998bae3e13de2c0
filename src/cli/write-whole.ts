import { renameSync, rmSync, writeFileSync } from "node:fs";
import { UserError } from "./user-error.ts";

/** Writes a file whole or not at all. Throws a UserError that names the file. */
export function writeWhole(file: string, text: string): void {
  const part = `${file}.part-${process.pid}`;
  try {
    writeFileSync(part, text);
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw new UserError(`${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}
