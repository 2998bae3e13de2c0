import type { Dar } from "../archives/dar.ts";
import type { DataType, LfInterface } from "../packages/definitions.ts";
import type { LfPackage } from "../packages/lf-package.ts";
import type { LfType } from "../packages/lf-type.ts";
import { dataTypeOf, expanded, interfaceOf } from "../packages/package-set.ts";

/** The definitions of all packages of a DAR by their ids, `package:Module:Name`. */
export class Definitions {
  readonly #packages: ReadonlyMap<string, LfPackage>;

  constructor({ main, dependencies }: Dar) {
    this.#packages = new Map([main, ...dependencies].map((each) => [each.package.id, each.package]));
  }

  interface(id: string): LfInterface | undefined {
    return interfaceOf(id, this.#packages);
  }

  dataType(id: string): DataType | undefined {
    return dataTypeOf(id, this.#packages);
  }

  packageOf(id: string): LfPackage | undefined {
    return this.#packages.get(id.split(":")[0] ?? "");
  }

  /** `#package:Module:Name`, with the name of the package. */
  publicId(id: string): string {
    const [packageId = "", ...names] = id.split(":");
    return `#${[this.packageOf(id)?.name ?? packageId, ...names].join(":")}`;
  }

  expanded(type: LfType): LfType {
    return expanded(type, this.#packages);
  }

  /** The type in an optional one; undefined for any other type. */
  optionalContent(type: LfType): LfType | undefined {
    const known = this.expanded(type);
    return known.type === "builtin" && known.name === "Optional" ? known.args[0] : undefined;
  }

  /** The data types that types are made of, in the order in which they are found. */
  reachable(types: readonly LfType[]): ReadonlyMap<string, DataType> {
    const found = new Map<string, DataType>();
    const left = types.map((type) => this.expanded(type));
    for (let type = left.shift(); type !== undefined; type = left.shift()) {
      const data = type.type === "con" && !found.has(type.id) ? this.dataType(type.id) : undefined;
      const isData = data !== undefined && data.shape.type !== "interface";
      if (isData) found.set(data.id, data);
      const fields = isData && "fields" in data.shape ? data.shape.fields.map((field) => field.type) : [];
      left.push(...[...("args" in type ? type.args : []), ...fields].map((inner) => this.expanded(inner)));
    }
    return found;
  }
}
