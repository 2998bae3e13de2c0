import type { NamedFile } from "../../programs/files/named-file.ts";

/** A file that `init` creates, changes, or keeps because it exists. */
export interface PlannedFile {
  readonly file: NamedFile;
  readonly action: "create" | "change" | "keep";
  readonly text: string;
  /** What the file is for, or why it is kept. */
  readonly purpose: string;
}
