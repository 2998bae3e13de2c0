import type { DataType, LfChoice, LfTemplate } from "../packages/definitions.ts";
import type { LfModule } from "../packages/lf-module.ts";
import type { LfPackage } from "../packages/lf-package.ts";
import type { LfField, LfType } from "../packages/lf-type.ts";
import { compareVersions } from "./compare-versions.ts";
import { isSameType, type PackageNames } from "./same-type.ts";

/** An earlier and a later version of something. */
interface Versions<Thing> {
  readonly past: Thing;
  readonly present: Thing;
}

type Problem = string | undefined;

/** Why a package is not a valid upgrade of an earlier one, in the words of a node; undefined if it is (Canton 3.5, Upgrading.scala). */
export function upgradeProblem(past: LfPackage, present: LfPackage, names: PackageNames): Problem {
  if (compareVersions(past.languageVersion, present.languageVersion) > 0)
    return `The upgraded package uses an older LF version (${present.languageVersion.slice(2)} < ${past.languageVersion.slice(2)})`;
  const missing = [...past.modules.keys()].find((name) => !present.modules.has(name));
  if (missing !== undefined) return removed("Module", missing);
  return first(past.modules, ([name, module]) => {
    const later = present.modules.get(name);
    return later === undefined ? undefined : moduleProblem({ past: module, present: later }, names);
  });
}

function moduleProblem({ past, present }: Versions<LfModule>, names: PackageNames): Problem {
  const gone = past.templates.names.find((name) => !present.templates.has(name));
  if (gone !== undefined) return removed("Template", gone);
  return (
    first(past.templates.all(), (template) => {
      const later = present.templates.get(nameOf(template.id));
      return later === undefined ? undefined : templateProblem({ past: template, present: later }, names);
    }) ??
    first(past.templates.all(), (template) =>
      instanceProblem({ past: template, present: present.templates.get(nameOf(template.id)) }),
    ) ??
    first(ownTypes(past), (type) => {
      const later = present.dataTypes.get(nameOf(type.id));
      if (later === undefined) return type.isSerializable ? removed("Data type", nameOf(type.id)) : undefined;
      return typeProblem({ past: type, present: later }, { past, present }, names);
    })
  );
}

/** The data types that are neither interfaces nor exceptions. */
function* ownTypes({ dataTypes, interfaces, exceptions }: LfModule): IterableIterator<DataType> {
  for (const name of dataTypes.names) {
    const type = interfaces.has(name) || exceptions.has(name) ? undefined : dataTypes.get(name);
    if (type !== undefined) yield type;
  }
}

function templateProblem({ past, present }: Versions<LfTemplate>, names: PackageNames): Problem {
  const gone = [...past.choices.keys()].find((name) => !present.choices.has(name));
  if (gone !== undefined) return removed("Choice", gone);
  const changed = first(past.choices.values(), (choice) =>
    choiceProblem(choice, present.choices.get(choice.name), names),
  );
  if (changed !== undefined) return changed;
  const template = `The upgraded template ${nameOf(present.id)} cannot`;
  if (past.key === undefined) return present.key === undefined ? undefined : `${template} add a key.`;
  if (present.key === undefined) return `${template} remove its key.`;
  return isSameType(past.key.type, present.key.type, names) ? undefined : `${template} change its key type.`;
}

function choiceProblem(past: LfChoice, present: LfChoice | undefined, names: PackageNames): Problem {
  if (present === undefined || isSameType(past.returnType, present.returnType, names)) return undefined;
  return `The upgraded choice ${present.name} cannot change its return type.`;
}

function instanceProblem({
  past,
  present,
}: {
  readonly past: LfTemplate;
  readonly present: LfTemplate | undefined;
}): Problem {
  const gone = [...past.implements.keys()].find((id) => present?.implements.has(id) === false);
  if (gone === undefined) return undefined;
  return `Implementation of interface ${gone} by template ${nameOf(past.id)} appears in package that is being upgraded, but does not appear in this package.`;
}

function typeProblem({ past, present }: Versions<DataType>, modules: Versions<LfModule>, names: PackageNames): Problem {
  const name = nameOf(present.id);
  const [before, origin] = [originOf(nameOf(past.id), modules.past), originOf(name, modules.present)];
  if (!past.isSerializable) return undefined;
  if (!present.isSerializable)
    return `The upgraded ${origin} was serializable and is now unserializable. Datatypes cannot change their serializability via upgrades.`;
  if (before !== origin) return `The record ${name} has changed origin from ${before} to ${origin}`;
  if (past.params.length !== present.params.length)
    return `The upgraded ${origin} has changed the number of type variables it has.`;
  const [earlier, later] = [past.shape, present.shape];
  if (earlier.type !== later.type)
    return `The upgraded data type ${name} has changed from a ${earlier.type} to a ${later.type}. Datatypes cannot change variety via upgrades.`;
  const isSame = (left: LfType, right: LfType) => isSameType(left, right, names, [past.params, present.params]);
  if (earlier.type === "record" && later.type === "record")
    return recordProblem(earlier.fields, later.fields, origin, isSame);
  if (earlier.type === "variant" && later.type === "variant")
    return variantProblem(earlier.fields, later.fields, origin, isSame);
  if (earlier.type === "enum" && later.type === "enum")
    return enumProblem(earlier.constructors, later.constructors, origin);
  return undefined;
}

/** What a data type belongs to: a template, a choice, a constructor of a variant, or nothing. */
function originOf(name: string, { templates, dataTypes }: LfModule): string {
  if (templates.has(name)) return `template ${name}`;
  for (const template of templates.all())
    if (template.choices.has(name)) return `input type of choice ${name} on template ${nameOf(template.id)}`;
  const dot = name.lastIndexOf(".");
  const owner = name.slice(0, Math.max(dot, 0));
  const isConstructor = dataTypes.get(owner)?.shape.type === "variant";
  return isConstructor ? `variant constructor ${name} from variant ${owner}` : `data type ${name}`;
}

function recordProblem(past: Fields, present: Fields, origin: string, isSame: SameTypes): Problem {
  const [before, after] = [byName(past), byName(present)];
  if (past.some(({ name }) => !after.has(name)))
    return `The upgraded ${origin} is missing some of its original fields.`;
  if (past.some(({ name, type }) => !isUnchanged(type, after.get(name), isSame)))
    return `The upgraded ${origin} has changed the types of some of its original fields.`;
  const isOptional = (type: LfType) => type.type === "builtin" && type.name === "Optional";
  if (present.some(({ name, type }) => !before.has(name) && !isOptional(type)))
    return origin.startsWith("variant constructor")
      ? `The upgraded ${origin} has added a field.`
      : `The upgraded ${origin} has added new fields, but those fields are not Optional.`;
  return isReordered(past.map(nameIn), present.map(nameIn))
    ? `The upgraded ${origin} has changed the order of its fields - any new fields must be added at the end of the record.`
    : undefined;
}

function variantProblem(past: Fields, present: Fields, origin: string, isSame: SameTypes): Problem {
  const after = byName(present);
  if (past.some(({ name }) => !after.has(name))) return `The upgraded ${origin} has removed an existing variant.`;
  if (past.some(({ name, type }) => !isUnchanged(type, after.get(name), isSame)))
    return `The upgraded ${origin} has changed the type of a variant.`;
  return isReordered(past.map(nameIn), present.map(nameIn)) ? reordered(origin, "variant") : undefined;
}

function enumProblem(past: readonly string[], present: readonly string[], origin: string): Problem {
  if (past.some((name) => !present.includes(name))) return `The upgraded ${origin} has removed an existing variant.`;
  return isReordered(past, present) ? reordered(origin, "enum") : undefined;
}

function reordered(origin: string, variety: string): string {
  return `The upgraded ${origin} has changed the order of its variants - any new variant must be added at the end of the ${variety}.`;
}

function removed(kind: string, name: string): string {
  return `${kind} ${name} appears in package that is being upgraded, but does not appear in the upgrading package.`;
}

type Fields = readonly LfField[];
type SameTypes = (past: LfType, present: LfType) => boolean;

function byName(fields: Fields): ReadonlyMap<string, LfType> {
  return new Map(fields.map(({ name, type }) => [name, type]));
}

const nameIn = ({ name }: LfField): string => name;

function isUnchanged(past: LfType, present: LfType | undefined, isSame: SameTypes): boolean {
  return present !== undefined && isSame(past, present);
}

function isReordered(past: readonly string[], present: readonly string[]): boolean {
  return past.some((name, index) => present[index] !== undefined && present[index] !== name);
}

function first<Thing>(things: Iterable<Thing>, problemOf: (thing: Thing) => Problem): Problem {
  for (const thing of things) {
    const problem = problemOf(thing);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The name of a definition in its module. */
function nameOf(id: string): string {
  return id.slice(id.lastIndexOf(":") + 1);
}
