import { invalidDar } from "./archive-error.ts";

/** The manifest of a DAR. */
export interface DarManifest {
  readonly mainDalf: string;
  /** The entries of the packages that the main one needs. */
  readonly dependencies: readonly string[];
  readonly sdkVersion: string | undefined;
}

export const manifestName = "META-INF/MANIFEST.MF";

/** Reads a manifest: `Key: value` lines; a line that begins with a blank continues the one before. Throws ArchiveError. */
export function readManifest(text: string): DarManifest {
  const lines = text.replace(/\r\n/g, "\n").replace(/\n /g, "").split("\n");
  const values = new Map(
    lines.flatMap((line) => {
      const colon = line.indexOf(":");
      return colon < 0 ? [] : [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()]];
    }),
  );
  const [mainDalf, dalfs, format] = [values.get("Main-Dalf"), values.get("Dalfs"), values.get("Format")];
  if (mainDalf === undefined || dalfs === undefined || format !== "daml-lf") throw invalidDar();
  const named = new Set(dalfs.split(",").map((name) => name.trim()));
  const dependencies = [...named].filter((name) => name !== mainDalf);
  return { mainDalf, dependencies, sdkVersion: values.get("Sdk-Version") };
}
