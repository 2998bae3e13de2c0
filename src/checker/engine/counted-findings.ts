import type { ClientFinding, ClientRuleFault, CountedClientFinding } from "../client-rules/client-finding.ts";

/** Kinds of finding that are kept. */
export const findingKindsMax = 200;

/** Counts findings by kind in constant memory. Findings of kinds beyond the limit are only counted. */
export class CountedFindings {
  readonly #byKind = new Map<string, CountedClientFinding>();
  #dropped = 0;

  get dropped(): number {
    return this.#dropped;
  }

  /** Returns the finding if it is the first of its kind. */
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

/** Counts the errors that rules threw, by rule. */
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

/** Characters of a kind. The request controls the length of pointers. */
const kindMax = 300;

/** Identifies the kind of a finding. List indices are replaced by `*`. */
function kindOf({ rule, operationId, pointer }: ClientFinding): string {
  const place = pointer.replaceAll(/\/\d+(?=\/|$)/g, "/*");
  return `${rule} ${operationId} ${place === "" ? "-" : place}`.slice(0, kindMax);
}
