import { preambleNames } from "./_preamble.ts";
import type { Definitions } from "./definitions.ts";

/** Names that a definition cannot have: those of the file itself, of type parameters, and of TypeScript. */
const reserved: ReadonlySet<string> = new Set([
  ...preambleNames,
  ...["Templates", "Interfaces", "Record", "Readonly", "Exclude"],
]);

/**
 * A name for each definition: its own, with the module if another one has this name too, and with the package and its version
 * if that is not enough.
 */
export function definitionNames(ids: readonly string[], definitions: Definitions): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const forms = [
    (id: string) => id.split(":")[2] ?? "",
    (id: string) => id.split(":").slice(1).join("_"),
    (id: string) => `${definitions.publicId(id)}_${definitions.packageOf(id)?.version}`.slice(1),
  ];
  for (const form of forms) {
    const candidates = ids.filter((id) => !names.has(id)).map((id) => [id, identifier(form(id))] as const);
    for (const [id, name] of candidates) {
      const isShared = candidates.some(([other, same]) => other !== id && same === name);
      const isTaken = reserved.has(name) || /^T\d+$/.test(name) || [...names.values()].includes(name);
      if (!isShared && !isTaken) names.set(id, name);
    }
  }
  return names;
}

const identifier = (text: string): string => text.replaceAll(/[^\w$]/g, "_").replace(/^(?=\d)/, "_");
