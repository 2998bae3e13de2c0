import { type MessageList, WireMessage } from "../wire/message.ts";
import { scanPackage } from "../wire/scan-package.ts";
import type { LfInterface, LfTemplate } from "./definitions.ts";
import { LfModule } from "./lf-module.ts";
import { type LfType, lfType } from "./lf-type.ts";

/** The bytes of a package, with its id and the minor version of Daml-LF 2, such as `1` or `3`. */
export interface PackageSource {
  readonly packageId: string;
  readonly minor: string;
  readonly package: Uint8Array;
}

/** A package of Daml-LF 2: an index of its bytes. Definitions are decoded when they are first needed. */
export class LfPackage {
  readonly id: string;
  /** Such as `2.1`. */
  readonly languageVersion: string;
  readonly name: string;
  readonly version: string;
  /** The package that this one says it upgrades; nodes decide by name and version. */
  readonly upgradedPackageId: string | undefined;
  /** The ids of the packages that it imports, itself not among them. */
  readonly imports: readonly string[];
  /** Fields that no published definition has. A node refuses such a package. */
  readonly unknownFields: number;
  readonly modules: ReadonlyMap<string, LfModule>;
  /** Expressions refer to this table by index. */
  readonly expressions: MessageList<"Expr">;
  readonly #tables: PackageTables;

  /** Checks all bytes. Throws RangeError or TypeError for bytes that are no package. */
  constructor({ packageId, minor, package: bytes }: PackageSource) {
    const message = new WireMessage("Package", bytes);
    const { unknownFields, packageTexts } = scanPackage(message, minor);
    const metadata = message.one("metadata");
    if (metadata === undefined) throw new RangeError("the package has no metadata");
    const tables = new PackageTables(packageId, message);
    const upgraded = metadata.one("upgradedPackage");
    this.id = packageId;
    this.languageVersion = `2.${minor}`;
    this.name = matching(/^[\w-]{1,255}$/, tables.text(metadata.number("name")));
    this.version = matching(/^\d{1,9}(?:\.\d{1,9}){0,20}$/, tables.text(metadata.number("version")));
    this.upgradedPackageId = upgraded && tables.text(upgraded.number("id"));
    this.imports = [
      ...new Set([...tables.importedPackages, ...[...packageTexts].map((index) => tables.text(index))]),
    ].filter((id) => id !== packageId);
    this.unknownFields = unknownFields;
    this.expressions = message.all("internedExprs");
    this.modules = new Map(message.all("modules").map((each) => moduleOf(each, packageId, tables)));
    this.#tables = tables;
  }

  /** Decodes the type of an expression. */
  type(message: WireMessage<"Type"> | undefined): LfType {
    return lfType(message, this.#tables);
  }

  text(index: number): string {
    return this.#tables.text(index);
  }

  definitionId(id: WireMessage<"DefinitionId"> | undefined): string {
    return this.#tables.definitionId(id);
  }

  /** Whether the package has no templates, no interfaces and no serializable types: it then takes no part in upgrades. */
  get isUtility(): boolean {
    return [...this.modules.values()].every(
      ({ templates, interfaces, dataTypes }) =>
        templates.names.length + interfaces.names.length === 0 &&
        [...dataTypes.all()].every(({ isSerializable }) => !isSerializable),
    );
  }

  get templates(): readonly LfTemplate[] {
    return [...this.modules.values()].flatMap(({ templates }) => [...templates.all()]);
  }

  get interfaces(): readonly LfInterface[] {
    return [...this.modules.values()].flatMap(({ interfaces }) => [...interfaces.all()]);
  }
}

function moduleOf(
  message: WireMessage<"Module">,
  packageId: string,
  tables: PackageTables,
): readonly [string, LfModule] {
  const name = tables.dottedName(message.number("name"));
  return [name, new LfModule(name, message, tables.within(`${packageId}:${name}`))];
}

/** The tables of a package; entries are decoded once, when they are first needed. */
class PackageTables {
  readonly importedPackages: readonly string[];
  readonly #packageId: string;
  readonly #message: WireMessage<"Package">;
  readonly #names: MessageList<"InternedDottedName">;
  readonly #types: MessageList<"Type">;
  readonly #decodedTexts: (string | undefined)[] = [];
  readonly #decodedNames: (string | undefined)[] = [];
  readonly #decodedTypes: LfType[] = [];

  constructor(packageId: string, message: WireMessage<"Package">) {
    this.#packageId = packageId;
    this.#message = message;
    this.#names = message.all("internedDottedNames");
    this.#types = message.all("internedTypes");
    this.importedPackages = message.one("packageImports")?.texts("importedPackages") ?? [];
    // At once, so that a package with other names is refused when it is read.
    for (let index = 0; index < this.#names.length; index += 1) this.dottedName(index);
  }

  readonly text = (index: number): string => {
    this.#decodedTexts[index] ??= this.#message.textAt("internedStrings", index);
    return this.#decodedTexts[index];
  };

  readonly dottedName = (index: number): string => {
    this.#decodedNames[index] ??= this.#names
      .at(index)
      .numbers("segments")
      .map((segment) => matching(/^[A-Za-z_$][\w$]{0,999}$/, this.text(segment)))
      .join(".");
    return this.#decodedNames[index];
  };

  readonly typeAt = (index: number): LfType => {
    // In order: an entry refers to earlier ones only, so that decoding it does not go deep.
    for (let next = this.#decodedTypes.length; next <= index; next += 1)
      this.#decodedTypes.push(lfType(this.#types.at(next), this));
    const type = this.#decodedTypes[index];
    if (type === undefined) throw new Error("invariant: the scan has checked the index");
    return type;
  };

  readonly definitionId = (id: WireMessage<"DefinitionId"> | undefined): string => {
    const module = id?.one("module");
    const packageId = this.#referredPackage(module?.one("package"));
    return `${packageId}:${this.dottedName(module?.number("name") ?? 0)}:${this.dottedName(id?.number("name") ?? 0)}`;
  };

  #referredPackage(reference: WireMessage<"SelfOrImportedPackageId"> | undefined): string {
    if (reference?.has("importedPackage")) return this.text(reference.number("importedPackage"));
    if (!reference?.has("packageImport")) return this.#packageId;
    return this.importedPackages[reference.number("packageImport")] ?? "";
  }

  /** The tables as seen from a module. */
  within(moduleId: string): Omit<PackageTables, "within" | "importedPackages"> & { readonly moduleId: string } {
    const { text, dottedName, typeAt, definitionId } = this;
    return { text, dottedName, typeAt, definitionId, moduleId };
  }
}

/** A name of the archive, which is a part of files and of generated code. */
function matching(form: RegExp, name: string): string {
  if (form.test(name)) return name;
  throw new RangeError(`${JSON.stringify(name.slice(0, 100))} is not a name`);
}
