import type { Json, JsonObject } from "../../foundation/json/json.ts";
import { listOf, objectOf, objectsOf, textOf, withoutUndefined } from "../../foundation/json/members.ts";
import { decodePreparedTransaction } from "../../foundation/protobuf/prepared-transaction.ts";
import type { Call } from "./call.ts";

interface SeenPackage {
  name: string;
  version: string;
  /** Whether it was uploaded initially, and whether it is now. */
  wasUploaded: boolean | undefined;
  isUploaded: boolean | undefined;
  readonly dependencies: Set<string>;
}

/** A refused vetting, with the packages that it lacks. */
interface PackageRefusal {
  readonly vetted: readonly JsonObject[];
  readonly unvetted: readonly JsonObject[];
  readonly missing: readonly string[];
  /** Whether the missing packages are not uploaded, rather than not vetted. */
  readonly isUploadMissing: boolean;
}

/** Limits of packages and of refusals in one recording. */
const packagesMax = 20_000;
const refusalsMax = 1000;

/** The placeholder for an unvetted package that a refusal does not name. */
const unnamedDependency = "0".repeat(63) + 1;

/** The initial packages, and changes to them that no request caused. */
export class SeenPackages {
  readonly #packages = new Map<string, SeenPackage>();
  readonly #refusals: PackageRefusal[] = [];
  readonly #plan: JsonObject[] = [];

  note(call: Call, nth: number): void {
    const { operation, path, status, response } = call;
    const on = operation.operationId;
    switch (on) {
      case "getV2Packages":
        if (status === 200)
          for (const id of listOf(objectOf(response)["packageIds"])) this.#noteUploaded(textOf(id), true, { on, nth });
        return;
      case "getV2PackagesPackage-idStatus":
        if (status === 200) this.#noteStatus(path["package-id"] ?? "", objectOf(response), { on, nth });
        return;
      case "postV2Package-vetting":
      case "postV2Package-vettingUpdate":
      case "postPackage-vettingUpdate":
        if (status >= 400) this.#noteRefusal(call);
        return;
      case "postV2Interactive-submissionPrepare":
        if (status === 200) this.#notePrepared(textOf(objectOf(response)["preparedTransaction"]));
        return;
      default:
    }
  }

  /** Notes the name and version in a row of vetted packages. */
  noteVetted(row: JsonObject): void {
    const found = this.#package(textOf(row["packageId"]));
    if (found === undefined) return;
    found.wasUploaded ??= true;
    found.isUploaded ??= true;
    found.name ||= textOf(row["packageName"]);
    found.version ||= textOf(row["packageVersion"]);
  }

  plan(): readonly JsonObject[] {
    return this.#plan;
  }

  rows(): readonly JsonObject[] {
    for (const refusal of this.#refusals) this.#noteDependencies(refusal);
    const there = [...this.#packages].filter(([, { isUploaded, dependencies, wasUploaded }]) =>
      wasUploaded === false ? isUploaded === true || dependencies.size > 0 : true,
    );
    const needed = new Set(there.flatMap(([, { dependencies }]) => [...dependencies]));
    return [...this.#packages]
      .filter(([id]) => needed.has(id) || there.some(([known]) => known === id))
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([id, seen]) => rowOf(id, seen));
  }

  #package(id: string): SeenPackage | undefined {
    const known = this.#packages.get(id);
    if (known !== undefined || id === "" || this.#packages.size >= packagesMax) return known;
    const seen: SeenPackage = {
      name: "",
      version: "",
      wasUploaded: undefined,
      isUploaded: undefined,
      dependencies: new Set(),
    };
    this.#packages.set(id, seen);
    return seen;
  }

  #noteStatus(id: string, { packageStatus }: JsonObject, when: JsonObject): void {
    if (packageStatus === "PACKAGE_STATUS_REGISTERED") this.#noteUploaded(id, true, when);
    if (packageStatus === "PACKAGE_STATUS_UNSPECIFIED" && /^[0-9a-f]{64}$/.test(id))
      this.#noteUploaded(id, false, when);
  }

  #noteUploaded(id: string, isUploaded: boolean, when: JsonObject): void {
    const seen = this.#package(id);
    if (seen === undefined) return;
    seen.wasUploaded ??= isUploaded;
    if (seen.isUploaded === false && isUploaded) this.#plan.push({ ...when, uploadPackage: id });
    seen.isUploaded = isUploaded;
  }

  /** Notes the packages of the templates in a prepared transaction. */
  #notePrepared(preparedTransaction: string): void {
    const nodes = decodePreparedTransaction(preparedTransaction)?.transaction?.nodes.values() ?? [];
    for (const node of nodes) {
      if (node.type === "rollback") continue;
      const found = this.#package(node.templateId.split(":")[0] ?? "");
      if (found === undefined) continue;
      found.wasUploaded ??= true;
      found.name ||= node.packageName;
    }
  }

  #noteRefusal({ errorCode, body, response }: Call): void {
    if (resolvedCodes.test(errorCode)) this.#noteResolved(body);
    const member = refusalMembers[errorCode];
    if (member === undefined || this.#refusals.length >= refusalsMax) return;
    const changes = objectsOf(objectOf(body)["changes"]).map((change) => objectOf(change["operation"]));
    const referred = (kind: "Vet" | "Unvet") =>
      changes.flatMap((operation) => objectsOf(objectOf(objectOf(operation[kind])["value"])["packages"]));
    const named = textOf(objectOf(objectOf(response)["context"])[member]);
    this.#refusals.push({
      vetted: referred("Vet"),
      unvetted: referred("Unvet"),
      missing: named.split(/[\s,]+/).filter((id) => /^[0-9a-f]{64}$/.test(id)),
      isUploadMissing: errorCode === "TOPOLOGY_CANNOT_VET_DUE_TO_MISSING_PACKAGES",
    });
  }

  /** Notes that the packages of a refused request exist: they were found before the refusal. */
  #noteResolved(body: Json | undefined): void {
    for (const change of objectsOf(objectOf(body)["changes"])) {
      const vetted = objectsOf(objectOf(objectOf(objectOf(change["operation"])["Vet"])["value"])["packages"]);
      for (const reference of vetted) {
        const found = this.#package(textOf(reference["packageId"]));
        if (found !== undefined) found.wasUploaded ??= true;
      }
    }
  }

  /** Packages refused because of missing ones depend on the packages that the refusal names, or that the request unvets. */
  #noteDependencies({ vetted, unvetted, missing, isUploadMissing }: PackageRefusal): void {
    const lacking = missing.length > 0 ? missing : unvetted.flatMap((reference) => this.#resolve(reference));
    const dependencies = lacking.length > 0 ? lacking : [unnamedDependency];
    for (const id of dependencies) {
      const needed = this.#package(id);
      if (needed !== undefined) needed.wasUploaded ??= !isUploadMissing;
    }
    for (const id of vetted.flatMap((reference) => this.#resolve(reference))) {
      const dependent = this.#package(id);
      for (const other of dependencies) if (other !== id) dependent?.dependencies.add(other);
    }
  }

  #resolve(reference: JsonObject): readonly string[] {
    const id = textOf(reference["packageId"]);
    if (id !== "") return [id];
    const [name, version] = [textOf(reference["packageName"]), textOf(reference["packageVersion"])];
    return [...this.#packages]
      .filter(([, seen]) => seen.name === name && (version === "" || seen.version === version))
      .map(([found]) => found);
  }
}

/** The member of the error's context that names the packages, by error code. */
const refusalMembers: Readonly<Record<string, string>> = {
  TOPOLOGY_DEPENDENCIES_NOT_VETTED: "unvetted",
  TOPOLOGY_CANNOT_VET_DUE_TO_MISSING_PACKAGES: "packages",
};

/** Errors of the topology. They follow only after all references are found. */
const resolvedCodes =
  /^(?:TOPOLOGY_(?:INVALID_MAPPING|DEPENDENCIES|CANNOT_VET)|KNOWN_PACKAGE_VERSION|NOT_VALID_UPGRADE)/;

const idLengthShown = 8;

function rowOf(id: string, { name, version, wasUploaded, dependencies }: SeenPackage): JsonObject {
  const needed: readonly Json[] = [...dependencies].sort();
  return withoutUndefined({
    id,
    name: name === "" ? `package-${id.slice(0, idLengthShown)}` : name,
    version: version === "" ? "0.0.0" : version,
    dependencies: needed.length === 0 ? undefined : needed,
    uploaded: wasUploaded === false ? false : undefined,
  });
}
