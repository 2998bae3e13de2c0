import type { Json, JsonObject } from "../../foundation/json/json.ts";
import { administrator, type FixturePlan } from "./fixture-plan.ts";
import { exactly, type Member, type RowMaker } from "./fixture-rows.ts";
import { randomOf } from "./random.ts";

/** A part of a fixture: a single member, or a list with lazily generated rows. */
export type FixturePart =
  | { readonly type: "member"; readonly name: string; readonly value: Json }
  | { readonly type: "list"; readonly name: string; readonly rows: Iterable<JsonObject> };

/** Number of packages from which the last one is known but not uploaded, so that a vetting can fail. */
const packagesForAbsence = 4;
/** Number of synchronizers from which the last one is disconnected. */
const synchronizersForDisconnection = 3;

/** The parts of the planned ledger fixture. */
export function ledgerParts(plan: FixturePlan, rows: RowMaker): readonly FixturePart[] {
  return [
    { type: "member", name: "participantId", value: plan.participantId },
    { type: "member", name: "ledgerEnd", value: randomOf(plan.seed, "ledger end").below(100_000) },
    // The generated scenario requests all operations of the spec, which release 3.6 disables in part.
    { type: "member", name: "deprecatedFeatures", value: { "enable-deprecated-endpoints-35": true } },
    list("synchronizers", plan.synchronizers.length, (index) => synchronizer(plan, rows, index)),
    list("identityProviders", plan.identityProviders.length, (index) => identityProvider(plan, rows, index)),
    list("packages", plan.packages.length, (index) => packageRow(plan, rows, index)),
    list("parties", plan.parties.length, (index) => party(plan, rows, index)),
    list("users", plan.sizes.users, (index) => user(plan, rows, index)),
  ];
}

/** A list with lazily generated rows. */
export function list(name: string, count: number, rowOf: (index: number) => JsonObject): FixturePart {
  function* rows(): Iterable<JsonObject> {
    for (let index = 0; index < count; index += 1) yield rowOf(index);
  }
  return { type: "list", name, rows: rows() };
}

/** A synchronizer with the first packages vetted; dependencies precede their packages, so this is always valid. */
function synchronizer({ seed, packages, synchronizers }: FixturePlan, rows: RowMaker, index: number): JsonObject {
  const isLast = index === synchronizers.length - 1;
  const isDisconnected = isLast && synchronizers.length >= synchronizersForDisconnection;
  const vettable = packages.length - (packages.length >= packagesForAbsence ? 2 : 0);
  const vetted = 1 + randomOf(seed, "vetted", index).below(vettable);
  return rows.row("synchronizers", index, {
    alias: exactly(`synchronizer-${index + 1}`),
    id: exactly(synchronizers[index] ?? ""),
    protocolVersion: { schema: { enum: [34, 35] } },
    ...(isDisconnected ? { connected: exactly(false) } : {}),
    vettedPackages: exactly(packages.slice(0, vetted).map(({ id }) => id)),
    topologySerial: { schema: { minimum: 1, maximum: 9 } },
  });
}

function identityProvider({ identityProviders }: FixturePlan, rows: RowMaker, index: number): JsonObject {
  const id = identityProviders[index] ?? "";
  const issuer = `https://${id}.example.com`;
  return rows.row("identityProviders", index, {
    id: exactly(id),
    issuer: exactly(issuer),
    jwksUrl: exactly(`${issuer}/jwks`),
    audience: { schema: { enum: ["ledger", "participant"] }, isOptional: true },
    ...(index > 1 ? { deactivated: { schema: {}, isOptional: true } } : {}),
  });
}

function packageRow({ packages }: FixturePlan, rows: RowMaker, index: number): JsonObject {
  const planned = packages[index];
  const before = packages.slice(Math.max(0, index - 8), index).map(({ id }) => id);
  const isAbsent = index === packages.length - 1 && packages.length >= packagesForAbsence;
  const dependencies: Readonly<Record<string, Member>> =
    before.length === 0
      ? {}
      : { dependencies: { schema: { uniqueItems: true, maxItems: 3, items: { enum: before } }, isOptional: true } };
  return rows.row("packages", index, {
    id: exactly(planned?.id ?? ""),
    name: exactly(planned?.name ?? ""),
    version: exactly(planned?.version ?? ""),
    ...dependencies,
    ...(isAbsent ? { uploaded: exactly(false) } : {}),
  });
}

/** Share of parties that another participant hosts. */
const hostedElsewhere = 0.05;

function party(plan: FixturePlan, rows: RowMaker, index: number): JsonObject {
  const provider = plan.providerOfParty(index);
  const isElsewhere = index > 1 && randomOf(plan.seed, "host", index).happens(hostedElsewhere);
  return rows.row("parties", index, {
    id: exactly(plan.parties[index] ?? ""),
    ...(provider === undefined ? {} : { identityProviderId: exactly(provider) }),
    ...(isElsewhere ? { hostedBy: exactly([plan.otherParticipantId]) } : {}),
  });
}

const deactivated = 0.05;
const rightsOverAll = 0.02;
/** Number of parties among which the library chooses the rights of a user. */
const partiesOfUser = 3;

/** A user; its parties have the same identity provider. */
function user(plan: FixturePlan, rows: RowMaker, index: number): JsonObject {
  const random = randomOf(plan.seed, "user", index);
  const id = exactly(plan.userId(index));
  if (index === 0)
    return rows.row("users", index, { id: exactly(administrator), rights: exactly(["ParticipantAdmin"]) });
  const first = random.below(plan.parties.length);
  const provider = plan.providerOfParty(first);
  const reached = Array.from({ length: partiesOfUser }, () => random.below(plan.parties.length));
  const own = [first, ...reached.filter((other) => plan.providerOfParty(other) === provider)];
  const parties = own.map((place) => plan.parties[place] ?? "");
  return rows.row("users", index, {
    id,
    primaryParty: { schema: { const: parties[0] ?? "" }, isOptional: true },
    ...(random.happens(deactivated) ? { deactivated: exactly(true) } : {}),
    ...(provider === undefined ? {} : { identityProviderId: exactly(provider) }),
    annotations: { schema: annotations, isOptional: true },
    resourceVersion: { schema: { pattern: "^[1-9][0-9]{0,2}$" }, isOptional: true },
    rights: { schema: { minItems: 1, maxItems: 4, items: rightOver(parties, random.happens(rightsOverAll)) } },
  });
}

const teams = ["back-office", "custody", "operations", "payments", "risk", "settlement", "trading", "treasury"];

const annotations: JsonObject = {
  type: "object",
  additionalProperties: false,
  required: ["team"],
  properties: { team: { enum: teams }, costCentre: { type: "string", pattern: "^CC-[1-9][0-9]{3}$" } },
};

function rightOver(parties: readonly string[], isOverAll: boolean): JsonObject {
  const kinds = ["CanActAs", "CanReadAs", "CanExecuteAs"].map((kind) => ({
    type: "object",
    required: [kind],
    additionalProperties: false,
    properties: { [kind]: { enum: parties } },
  }));
  return { oneOf: isOverAll ? [{ enum: ["CanReadAsAnyParty", "CanExecuteAsAnyParty"] }, ...kinds] : kinds };
}
