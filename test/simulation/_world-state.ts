import { createHash } from "node:crypto";
import type { Table } from "../../src/foundation/table/table.ts";
import type { LedgerState, User } from "../../src/simulator/ledger/ledger-state.ts";
import { rightKey } from "../../src/simulator/ledger/right.ts";
import type { RegistryState } from "../../src/simulator/registry/registry-state.ts";
import type { WorldState } from "../../src/simulator/world/world-state.ts";

// Invariants of every world at any time. They are written from the spec and from recorded nodes, not from the code that changes state.

/** The grammar of a party in Daml; a user may name parties without a namespace (Canton 3.5, source). */
const damlParty = /^[A-Za-z0-9:\-_ ]{1,255}$/;
const partySyntax = /^[A-Za-z0-9:\-_ ]{0,185}::[0-9a-f]{1,68}$/;

/** Remembers which tables are found to be in order: they share what did not change, and no table ever changes. */
export class StateInvariants {
  readonly #sound = new WeakSet<object>();

  /** What does not hold in this state, a sentence each. */
  problemsIn({ ledger, registry, plan, timedDone, nowMs }: WorldState): readonly string[] {
    return [
      ...this.#rows("user", ledger.users, (user) => userProblems(user, ledger.limits.rightsPerUserMax)),
      ...this.#rows("party", ledger.parties, ({ id, awaiting, hostedBy, signingThreshold, signingKeys }) => [
        ...must(partySyntax.test(id), "is no party"),
        ...must(
          awaiting.every((host) => hostedBy.includes(host)),
          "waits for a participant that does not host it",
        ),
        ...must(signingThreshold >= 1, "needs no signature"),
        ...must(signingKeys.length === 0 || signingThreshold <= signingKeys.length, "needs more keys than it has"),
      ]),
      ...this.#rows("synchronizer", ledger.synchronizers, ({ topologySerial, vetted }) => [
        ...must(Number.isInteger(topologySerial) && topologySerial >= 0, "has a serial that is not a whole number"),
        ...must(
          [...vetted].every(([id, row]) => row.packageId === id),
          "vets a package under another id",
        ),
      ]),
      ...this.#rows("identity provider", ledger.identityProviders, ({ id }) => must(id !== "", "has no id")),
      ...this.#rows("update", ledger.updates, ({ offset, events }) => [
        ...must(offset >= 1n && offset <= ledger.ledgerEnd, `has offset ${offset} beyond ${ledger.ledgerEnd}`),
        ...must(isAscending(events.map(({ nodeId }) => nodeId)), "has nodes out of order"),
      ]),
      ...this.#rows("active contract", ledger.contracts, ({ signatories, offset }) => [
        ...must(signatories.length > 0, "has no signatory"),
        ...must(offset <= ledger.ledgerEnd, "was created after the ledger's end"),
      ]),
      ...this.#rows("contract of the registry", registry.contracts, ({ assignment }) => [
        ...must(assignment.reassignmentCounter >= 0, "was reassigned less than never"),
        ...must(assignment.type === "assigned" || assignment.source !== assignment.target, "moves to where it is"),
      ]),
      ...this.#offsets(ledger.updates),
      ...this.#issuers(ledger.identityProviders),
      ...must(
        ledger.identityProviders.size <= ledger.limits.identityProvidersMax,
        "there are too many identity providers",
      ),
      ...must(timedDone <= plan.timed.length, "more happened than was planned"),
      ...must(
        plan.timed.every(({ atMs }, place) => place >= timedDone === atMs > nowMs || atMs === nowMs),
        "a planned event happens at its timestamp, not before and not after",
      ),
      ...must(Number.isSafeInteger(Math.floor(nowMs)), `the time is ${nowMs}`),
    ];
  }

  #rows<Row>(kind: string, table: Table<Row>, problemsOf: (row: Row) => readonly string[]): readonly string[] {
    return this.#once(table, () =>
      [...table.entries()].flatMap(([id, row]) => problemsOf(row).map((problem) => `the ${kind} ${id} ${problem}`)),
    );
  }

  #offsets(updates: WorldState["ledger"]["updates"]): readonly string[] {
    const offsets = new Set<bigint>();
    for (const { offset } of updates.values()) offsets.add(offset);
    return must(offsets.size === updates.size, "two updates have the same offset");
  }

  #issuers(providers: WorldState["ledger"]["identityProviders"]): readonly string[] {
    const issuers = [...providers.values()].map(({ issuer }) => issuer);
    return must(new Set(issuers).size === issuers.length, "two identity providers have the same issuer");
  }

  /** A table that is in order is not looked through again. */
  #once(table: object, look: () => readonly string[]): readonly string[] {
    if (this.#sound.has(table)) return [];
    const problems = look();
    if (problems.length === 0) this.#sound.add(table);
    return problems;
  }
}

function userProblems(
  { id, primaryParty, resourceVersion, rights, annotations }: User,
  max: number,
): readonly string[] {
  return [
    ...must(id !== "" && id.length <= 128, "has no id"),
    ...must(primaryParty === "" || damlParty.test(primaryParty), `has the primary party ${primaryParty}`),
    ...must(/^\d+$/.test(resourceVersion), `has the version ${resourceVersion}`),
    ...must(rights.size <= max, `has ${rights.size} rights`),
    ...must(
      [...rights].every(([key, right]) => key === rightKey(right)),
      "has a right under another key",
    ),
    ...must(
      rights.values().every((right) => !("party" in right) || damlParty.test(right.party)),
      "has a right over what is no party",
    ),
    ...must(
      Object.values(annotations).every((text) => text !== ""),
      "has an annotation without a value",
    ),
  ];
}

export function must(holds: boolean, otherwise: string): readonly string[] {
  return holds ? [] : [otherwise];
}

function isAscending(numbers: readonly number[]): boolean {
  return numbers.every((number, place) => place === 0 || number > (numbers[place - 1] ?? 0));
}

/** A digest of everything that a part of a state says: equal parts have equal ones. */
export function digestOf(part: LedgerState | RegistryState): string {
  const hash = createHash("sha1");
  for (const [name, value] of Object.entries(part))
    hash.update(`${name} ${JSON.stringify(isTable(value) ? [...value.entries()] : value, plain)}\n`);
  return hash.digest("hex");
}

function isTable(value: unknown): value is Table<unknown> {
  return typeof value === "object" && value !== null && "nextHigherPair" in value;
}

function plain(_name: string, value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  if (value instanceof Map) return [...value];
  if (value instanceof Uint8Array) return [...value];
  return value === Number.POSITIVE_INFINITY ? "infinite" : value;
}
