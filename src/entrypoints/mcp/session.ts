import type { DocsIndex } from "./docs-index.ts";
import type { OpenStubs } from "./open-stubs.ts";

/** What the tools share while an assistant is connected. */
export interface Session {
  /** Absolute path of the folder that relative file names start from. */
  readonly folder: string;
  readonly stubs: OpenStubs;
  readonly docs: DocsIndex;
}
