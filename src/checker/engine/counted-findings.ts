import type { ClientFinding, ClientRuleFault, CountedClientFinding } from "../client-rules/client-finding.ts";

/** Kinds of finding that are told apart. */
export const findingKindsMax = 200;

/** Counts findings by their kinds, in constant memory; of further kinds it only knows how many there were. */
export class CountedFindings {
  readonly #byKind = new Map<string, CountedClientFinding>();
  #dropped = 0;

  get dropped(): number {
    return this.#dropped;
  }

  /** Gives the finding where it is the first of its kind. */
  add(finding: ClientFinding): CountedClientFinding | undefined {
    const kind = kindOf(finding);
    const known = this.#byKind.get(kind);
    if (known !== undefined) this.#byKind.set(kind, { ...known, count: known.count + 1 });
    else if (this.#byKind.size < findingKindsMax) {
      const first = { ...finding, kind, count: 1 };
      this.#byKind.set(kind, first);
      return first;
    } else this.#dropped += 1;
    return undefined;
  }

  list(): readonly CountedClientFinding[] {
    return [...this.#byKind.values()];
  }
}

/** Counts the faults of rules, by rule. */
export class CountedFaults {
  readonly #byRule = new Map<string, ClientRuleFault>();

  add({ rule, problem }: Omit<ClientRuleFault, "count">): void {
    const known = this.#byRule.get(rule) ?? { rule, problem, count: 0 };
    this.#byRule.set(rule, { ...known, count: known.count + 1 });
  }

  list(): readonly ClientRuleFault[] {
    return [...this.#byRule.values()];
  }
}

/** Characters of a kind: a pointer may be as long as a request likes. */
const kindMax = 300;

/** Indices of lists do not count. */
function kindOf({ rule, operationId, pointer }: ClientFinding): string {
  const place = pointer.replaceAll(/\/\d+(?=\/|$)/g, "/*");
  return `${rule} ${operationId} ${place === "" ? "-" : place}`.slice(0, kindMax);
}
