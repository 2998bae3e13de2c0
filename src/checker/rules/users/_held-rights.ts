import { listAt, memberAt, textAt } from "../members.ts";
import { type Expectation, failedWrite, Register, type WriteOutcome } from "../register.ts";
import { type Memories, notApplicable, type RuleResult, type TracedExchange, type TraceWatch } from "../rule.ts";
import { allocations, allocationUser } from "./_allocations.ts";
import { rightKey } from "./_rights.ts";

/** Source of a right that a user holds, or `revoked`. */
type Holding = "granted" | "allocated" | "listed" | "revoked";

/** Holdings by right. A missing right is unknown, unless the map has an entry for every other right. */
export type Holdings = ReadonlyMap<string, Holding>;

/** Key for all rights that the map does not name. */
const everyOther = "every other";
/** Number of rights remembered per user. */
const holdingsMax = 2000;

export const grants = "postV2UsersUser-idRights";
export const rightsListing = "getV2UsersUser-idRights";
const revocations = "patchV2UsersUser-idRights";
const creations = "postV2Users";
const ofTheirUser: ReadonlySet<string> = new Set([
  grants,
  revocations,
  "deleteV2UsersUser-id",
  "patchV2UsersUser-idIdentity-provider-id",
]);

/** Operations that show or change the rights of a user. */
export const rightsConcerning: readonly string[] = [creations, ...ofTheirUser, ...allocations, rightsListing];

const unrecordedChange = { type: "unknown", reason: "a change of rights was recorded without its body" } as const;

/** Tracks the rights of users as far as exchanges show them. */
class HeldRights {
  readonly #held: Register<Holdings>;
  /** Number of changes to an unknown user, because the recorder omitted the request body. */
  #unnamed = 0;

  constructor(memories: Memories) {
    this.#held = new Register(memories);
  }

  begins(traced: TracedExchange): void {
    const user = changedUser(traced);
    if (user === "unnamed") this.#unnamed += 1;
    else if (user !== undefined) this.#held.writeBegins(user.id);
  }

  /**
   * Records the effect of an exchange, and gives the holdings before it; undefined if it does not concern the rights of
   * a user.
   */
  ends(traced: TracedExchange): Expectation<Holdings> | undefined {
    if (traced.operation.operationId === rightsListing) return this.#list(traced);
    const user = changedUser(traced);
    if (user === undefined) return undefined;
    if (user === "unnamed") {
      if (traced.status !== 200 && failedWrite(traced.status).type === "unchanged") this.#unnamed -= 1;
      return undefined;
    }
    const before = this.#held.before(user.id, traced.span);
    this.#held.writeEnds(user.id, traced.span, outcomeOf(traced, before.type === "known" ? before.value : new Map()));
    return this.#unnamed > 0 ? unrecordedChange : before;
  }

  #list(traced: TracedExchange): Expectation<Holdings> | undefined {
    const listed = listAt(traced.responseJson, "rights").map(rightKey);
    if (traced.status !== 200) return undefined;
    const user = traced.pathParameters["user-id"] ?? "";
    const before = this.#held.expected(user, traced.span);
    if (!listed.includes(undefined) && listed.length <= holdingsMax)
      this.#held.seen(user, traced.span, withRights(new Map([[everyOther, "revoked"]]), listed, "listed"));
    return this.#unnamed > 0 ? unrecordedChange : before;
  }
}

/**
 * Watches the rights of users. `check` is called for each exchange that shows or changes rights, with the holdings before
 * it.
 */
export function watchRights(
  memories: Memories,
  check: (traced: TracedExchange, before: Expectation<Holdings>) => RuleResult,
): TraceWatch {
  const rights = new HeldRights(memories);
  return {
    begins: (traced) => rights.begins(traced),
    ends(traced) {
      const before = rights.ends(traced);
      return before === undefined ? notApplicable : check(traced, before);
    },
  };
}

/** The source of a right, if known. */
export function holdingOf(known: Holdings, right: string): Holding | undefined {
  return known.get(right) ?? known.get(everyOther);
}

/** The rights that the user is known to hold. */
export function heldIn(known: Holdings): readonly (readonly [right: string, how: Holding])[] {
  return [...known].filter(([right, how]) => right !== everyOther && how !== "revoked");
}

/** The user whose rights the exchange may change; `unnamed` if the recording does not show the user. */
function changedUser(traced: TracedExchange): { readonly id: string } | "unnamed" | undefined {
  const { operation, pathParameters, requestJson, responseJson } = traced;
  const { operationId } = operation;
  if (allocations.has(operationId)) {
    if (requestJson === undefined) return "unnamed";
    const id = allocationUser(traced);
    return id === undefined ? undefined : { id };
  }
  if (operationId === creations) {
    const id = textAt(requestJson, "user", "id") ?? textAt(responseJson, "user", "id");
    return id === undefined ? "unnamed" : { id };
  }
  return ofTheirUser.has(operationId) ? { id: pathParameters["user-id"] ?? "" } : undefined;
}

function outcomeOf(traced: TracedExchange, known: Holdings): WriteOutcome<Holdings> {
  const { operation, status, requestJson, responseJson } = traced;
  if (status !== 200) return failedWrite(status);
  if (requestJson === undefined) return { type: "unknown" };
  const rights = listAt(requestJson, "rights").map(rightKey);
  switch (operation.operationId) {
    case grants:
      return { type: "written", value: withRights(known, rights, "granted") };
    case revocations:
      return { type: "written", value: withRights(known, rights, "revoked") };
    case "postV2PartiesExternalAllocate": {
      // An asynchronous allocation grants the right later.
      const isWaitedFor = memberAt(requestJson, "waitForAllocation") !== false;
      const party = textAt(responseJson, "partyId");
      if (!isWaitedFor || party === undefined) return { type: "unknown" };
      return { type: "written", value: withRights(known, [`CanActAs ${party}`], "allocated") };
    }
    case creations:
      // A new user has no other rights.
      if (rights.includes(undefined)) return { type: "unknown" };
      return { type: "written", value: withRights(new Map([[everyOther, "revoked"]]), rights, "granted") };
    default:
      return { type: "unknown" };
  }
}

function withRights(known: Holdings, rights: readonly (string | undefined)[], how: Holding): Holdings {
  const all = new Map(known);
  for (const right of rights) if (right !== undefined) all.set(right, how);
  return all.size > holdingsMax ? new Map() : all;
}
