import { interfaceOf, templateOf } from "../../daml/packages/package-set.ts";
import { packageOf } from "../daml/token-contracts.ts";
import type { Call, WorldView } from "./operation.ts";
import { nodeError, type Refusal } from "./refusal.ts";

/** The names in a filter for a template or an interface; undefined if it has none. */
interface FilterNames {
  readonly packageName: string | undefined;
  /** Module and entity. */
  readonly template: string | undefined;
  readonly interface: string | undefined;
}

/** The refusal of filters whose package, template or interface the ledger does not have (Canton 3.5, RequestValidationErrors.scala, TransactionServiceFiltersIT). */
export function unknownNameProblem(
  filters: readonly FilterNames[],
  { packages }: Call,
  { ledger, registry }: WorldView,
): Refusal | undefined {
  for (const { packageName, ...filter } of filters) {
    if (packageName === undefined || isPlayed(packageName)) continue;
    const kind = filter.interface === undefined ? "template" : "interface";
    const entity = filter.interface ?? filter.template ?? "";
    const versions = [...ledger.packages.values()].filter(({ name, isUploaded }) => isUploaded && name === packageName);
    if (versions.length === 0)
      return nodeError(
        "PACKAGE_NAMES_NOT_FOUND",
        `The following package names do not match upgradable packages uploaded on this participant: [${packageName}].`,
      );
    if (versions.every(({ archive }) => archive !== undefined)) {
      const [archives, find] = [packages.of(ledger), kind === "template" ? templateOf : interfaceOf];
      if (!versions.some(({ id }) => find(`${id}:${entity}`, archives) !== undefined))
        return unknownEntity(kind, packageName, entity);
    } else if (isUndeclared(kind, packageName, entity)) return unknownEntity(kind, packageName, entity);
  }
  return undefined;

  /** Whether the stub plays the package, which a fixture need not list. */
  function isPlayed(name: string): boolean {
    return name.startsWith("splice-") || name === packageOf(registry).packageName;
  }

  /** Whether the fixture declares the templates of the package without this one. Interfaces are declared without signatories. */
  function isUndeclared(kind: Kind, name: string, entity: string): boolean {
    if (![...ledger.templates.keys()].some((key) => key.startsWith(`${name}:`))) return false;
    const declared = ledger.templates.get(`${name}:${entity}`);
    return declared === undefined || (kind === "template") === (declared.signatories.length === 0);
  }
}

type Kind = "template" | "interface";

function unknownEntity(kind: Kind, packageName: string, entity: string): Refusal {
  return nodeError(
    kind === "template"
      ? "NO_TEMPLATES_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME"
      : "NO_INTERFACE_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME",
    `The following package-name/${kind} qualified-name pairs do not reference any ${kind}-id uploaded on this participant: [(${packageName},${entity})].`,
  );
}
