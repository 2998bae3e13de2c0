import type { DataType, LfChoice, LfInterface, LfTemplate } from "./definitions.ts";
import type { LfModule } from "./lf-module.ts";
import type { LfPackage } from "./lf-package.ts";
import { type LfType, substituted } from "./lf-type.ts";

/** Packages by id. */
export interface PackageSet {
  get(packageId: string): LfPackage | undefined;
}

/** Expansions of synonyms within each other; a hostile synonym can be its own body. */
const expansionsMax = 100;

export function templateOf(id: string, packages: PackageSet): LfTemplate | undefined {
  const [module, name] = placeOf(id, packages);
  return module?.templates.get(name);
}

export function interfaceOf(id: string, packages: PackageSet): LfInterface | undefined {
  const [module, name] = placeOf(id, packages);
  return module?.interfaces.get(name);
}

/** A choice of a template or of an interface. */
export function choiceOf(id: string, choice: string, packages: PackageSet): LfChoice | undefined {
  return (templateOf(id, packages) ?? interfaceOf(id, packages))?.choices.get(choice);
}

/** A data type by the id of its definition, `package:Module:Name`. */
export function dataTypeOf(id: string, packages: PackageSet): DataType | undefined {
  const [module, name] = placeOf(id, packages);
  return module?.dataTypes.get(name);
}

/** The type without a synonym on its outside. Throws RangeError for one that cannot be expanded. */
export function expanded(type: LfType, packages: PackageSet): LfType {
  let current = type;
  for (let count = 0; current.type === "synonym"; count += 1) {
    const [module, name] = placeOf(current.id, packages);
    const synonym = module?.synonyms.get(name);
    if (synonym === undefined || count > expansionsMax) throw new RangeError(`${current.id} cannot be expanded`);
    current = substituted(synonym.type, argumentsOf(synonym.params, current.args));
  }
  return current;
}

/** The types of parameters. */
export function argumentsOf(params: readonly string[], args: readonly LfType[]): ReadonlyMap<string, LfType> {
  return new Map(
    params.flatMap((param, index) => {
      const type = args[index];
      return type === undefined ? [] : [[param, type] as const];
    }),
  );
}

function placeOf(id: string, packages: PackageSet): readonly [module: LfModule | undefined, name: string] {
  const [packageId = "", module = "", name = ""] = id.split(":");
  return [packages.get(packageId)?.modules.get(module), name];
}
