import type { Json, JsonObject } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf } from "../../foundation/json/members.ts";
import type { InterfaceView } from "../daml/token-views.ts";
import type { LedgerContract } from "../ledger/ledger-state.ts";
import { unknownNameProblem } from "./_filter-names.ts";
import type { Call, WorldView } from "./operation.ts";
import { invalidArgument, invalidField, missingField, type Refusal } from "./refusal.ts";

/** The requested events and their form. */
export interface EventFormat {
  /** Filters by party; the key `undefined` is any party. A party without filters sees all its events. */
  readonly filters: ReadonlyMap<string | undefined, readonly EventFilter[]>;
}

interface EventFilter {
  /** Module and entity of a template or an interface; undefined matches everything. */
  readonly template: string | undefined;
  readonly interface: string | undefined;
  readonly hasView: boolean;
  readonly hasBlob: boolean;
  /** The name of the package, if the filter names it. */
  readonly packageName: string | undefined;
  /** The id of the package, if the filter names it by id. */
  readonly packageId: string | undefined;
}

const wildcard: EventFilter = {
  template: undefined,
  interface: undefined,
  hasView: false,
  hasBlob: false,
  packageName: undefined,
  packageId: undefined,
};

/** A format with all events of these parties. */
export function everythingFor(parties: readonly string[]): EventFormat {
  return { filters: new Map(parties.map((party) => [party, [wildcard]])) };
}

export function eventFormatOf(json: JsonObject): EventFormat {
  const byParty = Object.entries(objectOf(json["filtersByParty"])).map(
    ([party, filters]) => [party, filtersOf(filters)] as const,
  );
  const any = json["filtersForAnyParty"];
  return {
    filters: new Map<string | undefined, readonly EventFilter[]>([
      ...byParty,
      ...(any === undefined || any === null ? [] : [[undefined, filtersOf(any)] as const]),
    ]),
  };
}

/** The refusal of an update format; a part that is absent is fine. */
export function updateFormatProblem(requested: JsonObject, call: Call, world: WorldView): Refusal | undefined {
  const { includeTransactions = null, includeReassignments = null } = requested;
  return (
    (includeTransactions === null ? undefined : transactionFormatProblem(objectOf(includeTransactions), call, world)) ??
    (includeReassignments === null
      ? undefined
      : eventFormatProblem(eventFormatOf(objectOf(includeReassignments)), call, world))
  );
}

/** The refusal of a transaction format: no shape, or of its event format. */
export function transactionFormatProblem(requested: JsonObject, call: Call, world: WorldView): Refusal | undefined {
  return requested["transactionShape"] === "TRANSACTION_SHAPE_UNSPECIFIED"
    ? missingField("transaction_shape")
    : eventFormatProblem(eventFormatOf(objectOf(requested["eventFormat"])), call, world);
}

/**
 * The refusal of a format without parties, or with a name that the ledger does not have. Some releases accept only names of
 * packages (Canton 3.5.1, release notes).
 */
export function eventFormatProblem({ filters }: EventFormat, call: Call, world: WorldView): Refusal | undefined {
  if (filters.size === 0)
    return invalidArgument("filtersByParty and filtersForAnyParty cannot be empty simultaneously");
  const all = [...filters.values()].flat();
  const byId = call.release.filtersByPackageName ? all.find(({ packageId }) => packageId !== undefined) : undefined;
  return byId === undefined
    ? unknownNameProblem(all, call, world)
    : invalidField(
        "packageId",
        `Received an identifier with package ID ${byId.packageId}, but expected a package name.`,
      );
}

/** The parties of a format; undefined for any party. */
export function partiesOf({ filters }: EventFormat): readonly string[] | undefined {
  return filters.has(undefined) ? undefined : [...filters.keys()].filter((party) => party !== undefined);
}

function filtersOf(json: Json): readonly EventFilter[] {
  const cumulative = objectsOf(objectOf(json)["cumulative"]);
  return cumulative.length === 0
    ? [wildcard]
    : cumulative.map((entry) => filterOf(objectOf(entry["identifierFilter"])));
}

function filterOf(json: JsonObject): EventFilter {
  const [template, shown] = [json["TemplateFilter"], json["InterfaceFilter"]].map((one) =>
    objectOf(objectOf(one)["value"]),
  );
  const every = objectOf(objectOf(json["WildcardFilter"])["value"]);
  const blob = [template, shown, every].some((one) => one?.["includeCreatedEventBlob"] === true);
  const [templateId, interfaceId] = [textOf(template?.["templateId"]), textOf(shown?.["interfaceId"])];
  const named = (templateId || interfaceId).split(":")[0] ?? "";
  return {
    template: entityOf(templateId),
    interface: entityOf(interfaceId),
    hasView: shown?.["includeInterfaceView"] === true,
    hasBlob: blob,
    packageName: named.startsWith("#") ? named.slice(1) : undefined,
    packageId: named === "" || named.startsWith("#") ? undefined : named,
  };
}

/** Module and entity. An id of a package is ignored, since upgrades match too. */
function entityOf(id: string): string | undefined {
  return id === "" ? undefined : id.slice(id.indexOf(":") + 1);
}

/** The visible parts of a contract: its witnesses among the requesting parties, and the requested members. */
export interface Sight {
  readonly witnesses: readonly string[];
  readonly views: readonly InterfaceView[];
  readonly hasBlob: boolean;
}

/** What the format shows of a contract, of which these parties are stakeholders or witnesses; undefined for nothing. */
export function sightOf(
  contract: LedgerContract,
  parties: readonly string[],
  views: readonly InterfaceView[],
  { filters }: EventFormat,
): Sight | undefined {
  const passing = [...filters].flatMap(([party, requested]) =>
    party !== undefined && !parties.includes(party)
      ? []
      : requested.filter((filter) => isPassing(filter, contract, views)).map((filter) => ({ party, filter })),
  );
  if (passing.length === 0) return undefined;
  const isAny = passing.some(({ party }) => party === undefined);
  const askers = new Set(passing.map(({ party }) => party));
  const shown = new Set(passing.filter(({ filter }) => filter.hasView).map(({ filter }) => filter.interface));
  return {
    witnesses: parties.filter((party) => isAny || askers.has(party)),
    views: views.filter(({ interfaceId }) => shown.has(entityOf(interfaceId))),
    hasBlob: passing.some(({ filter }) => filter.hasBlob),
  };
}

function isPassing(filter: EventFilter, contract: LedgerContract, views: readonly InterfaceView[]): boolean {
  if (filter.interface !== undefined)
    return views.some(({ interfaceId }) => entityOf(interfaceId) === filter.interface);
  const { template, packageName = contract.packageName } = filter;
  return template === undefined || (entityOf(contract.templateId) === template && packageName === contract.packageName);
}
