import type { ClientFinding, ClientRuleFault, CountedClientFinding } from "../client-rules/client-finding.ts";

/** Kinds of finding that are kept. */
export const findingKindsMax = 200;

/** A finding with its kind. It is masked when it is first shown, since most findings are only counted. */
export class FoundFinding {
  /** Names rule, operation and place, without values. */
  readonly kind: string;
  readonly #show: () => ClientFinding;
  #shown: ClientFinding | undefined;

  constructor(kind: string, show: () => ClientFinding) {
    this.kind = kind;
    this.#show = show;
  }

  get shown(): ClientFinding {
    this.#shown ??= this.#show();
    return this.#shown;
  }
}

/** Counts findings by kind in constant memory. Findings of kinds beyond the limit are only counted. */
export class CountedFindings {
  readonly #byKind = new Map<string, { readonly first: ClientFinding; count: number }>();
  #dropped = 0;

  get dropped(): number {
    return this.#dropped;
  }

  /** Returns the finding if it is the first of its kind. */
  add(found: Pick<FoundFinding, "kind" | "shown">): CountedClientFinding | undefined {
    const { kind } = found;
    const known = this.#byKind.get(kind);
    if (known !== undefined) known.count += 1;
    else if (this.#byKind.size < findingKindsMax) {
      const first = found.shown;
      this.#byKind.set(kind, { first, count: 1 });
      return { ...first, kind, count: 1 };
    } else this.#dropped += 1;
    return undefined;
  }

  list(): readonly CountedClientFinding[] {
    return [...this.#byKind].map(([kind, { first, count }]) => ({ ...first, kind, count }));
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

/** Identifies the kind of a finding at this pointer. List indices are replaced by `*`. */
export function kindOfFinding(rule: string, operationId: string, pointer: string): string {
  const place = pointer.replaceAll(/\/\d+(?=\/|$)/g, "/*");
  return `${rule} ${operationId} ${place === "" ? "-" : place}`.slice(0, kindMax);
}
