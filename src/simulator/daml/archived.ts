import type { LfChoice } from "../../daml/packages/definitions.ts";
import { choiceOf, interfaceOf, type PackageSet, templateOf } from "../../daml/packages/package-set.ts";
import { InterpretationFailure } from "./interpretation.ts";
import { packageOf, unknownTemplate, wronglyTyped } from "./template-names.ts";
import type { KnownContract } from "./transaction-builder.ts";

// What the archives of packages say about templates, interfaces and choices. Packages without an archive say nothing.

export function isArchived(templateId: string, archives: PackageSet): boolean {
  return archives.get(packageOf(templateId)) !== undefined;
}

/** Checks that an archive has the template. `named` is the id in the command. */
export function checkTemplate(templateId: string, named: string, archives: PackageSet): void {
  if (isArchived(templateId, archives) && templateOf(templateId, archives) === undefined) throw unknownTemplate(named);
}

/** Checks that a choice of a contract can be exercised by this id: that of an interface. */
export function checkInterface(id: string, named: string, contract: KnownContract, archives: PackageSet): void {
  if (interfaceOf(id, archives) !== undefined) return;
  throw templateOf(id, archives) === undefined ? unknownTemplate(named) : wronglyTyped(contract, id);
}

/** The choice of a template or an interface; undefined if its package has no archive. */
export function archivedChoice(id: string, choice: string, archives: PackageSet): LfChoice | undefined {
  if (!isArchived(id, archives)) return undefined;
  const found = choiceOf(id, choice, archives);
  if (found !== undefined) return found;
  // The text of the JSON layer (Canton 3.5, SchemaProcessorsImpl.scala).
  const problem = `The submitted request has invalid arguments: Invalid template:${id} or choice:${choice}`;
  throw new InterpretationFailure("INVALID_ARGUMENT", problem, [], "json-layer");
}
