import type { TrafficLine, WorldStatus } from "./control-api.ts";

export type Severity = TrafficLine["clientRules"][number]["severity"];

/** Whether a stub or a recorded node responds, and whether the rules about the other side count too. */
export interface Sides {
  readonly isStub: boolean;
  readonly areBothShown: boolean;
}

/** What is wrong with an exchange: a broken rule, or a request that is unexpected or refused. */
export interface ExchangeProblem {
  readonly name: string;
  readonly severity: Severity;
  /** Whose problem it is. */
  readonly of: "client" | "stub" | "node";
  /** Whether the name is that of a rule or a client rule, which has a page. */
  readonly isRule: boolean;
}

export function sidesOf({ hasState }: WorldStatus, areBothShown: boolean): Sides {
  return { isStub: hasState, areBothShown };
}

/** Whether the rules about responses count: those of a recorded node always, those of a stub on request. */
export function areResponsesChecked({ isStub, areBothShown }: Sides): boolean {
  return !isStub || areBothShown;
}

/** Whether client rules count: those of the client of a stub always, those of the client of a node on request. */
export function areClientsChecked({ isStub, areBothShown }: Sides): boolean {
  return isStub || areBothShown;
}

/** What the rules about the other side add, in a sentence with the counts before and after. */
export function addedBySides(lines: readonly TrafficLine[], isStub: boolean): string {
  const [before = [], after = []] = [false, true].map((areBothShown) =>
    lines.map((line) => problemsOf(line, { isStub, areBothShown }).length),
  );
  const [few = 0, all = 0] = [before, after].map((counts) => counts.filter((count) => count > 0).length);
  const added = after.reduce((sum, count, index) => sum + count - (before[index] ?? 0), 0);
  const about = isStub ? "The responses of the stub" : "The requests of the client";
  if (added === 0) return `${about} add no problem: ${countOf(few, "exchange")} with problems, as before.`;
  return `${about} add ${countOf(added, "problem")}: ${countOf(all, "exchange")} with problems, ${few.toLocaleString("en")} before.`;
}

function countOf(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

const unexpectedTexts = {
  unsupported: "not supported by Understudy",
  "unknown-path": "unknown path",
  "wrong-method": "method not allowed",
  unplanned: "not planned by the scenario",
  refused: "refused before it reached its world",
} as const;

/** The problems of an exchange. Known divergences and injected faults are not problems. */
export function problemsOf(line: TrafficLine, sides: Sides): readonly ExchangeProblem[] {
  return [...(areClientsChecked(sides) ? problemsOfRequest(line) : []), ...problemsOfResponse(line, sides)];
}

function problemsOfRequest(line: TrafficLine): readonly ExchangeProblem[] {
  const { clientRules, unexpected } = line;
  const broken = clientRules.map(
    ({ rule, severity }) => ({ name: rule, severity, of: "client", isRule: true }) as const,
  );
  if (unexpected !== null)
    return [{ name: unexpectedTexts[unexpected], severity: "error", of: "client", isRule: false }, ...broken];
  if (broken.length > 0 || !isRefused(line)) return broken;
  return [{ name: "refused", severity: "warning", of: "client", isRule: false }];
}

/** Whether the request itself caused the refusal. 409 and 429 depend on the state and the load of the ledger. */
function isRefused({ status, reason, outcome }: TrafficLine): boolean {
  const isOfClient = status !== null && status >= 400 && status < 500 && status !== 409 && status !== 429;
  return isOfClient && reason !== null && outcome !== "PLANNED";
}

function problemsOfResponse({ rules }: TrafficLine, sides: Sides): readonly ExchangeProblem[] {
  if (!areResponsesChecked(sides)) return [];
  return rules
    .filter(({ outcome }) => outcome !== "KNOWN")
    .map(({ rule, outcome }) => ({
      name: rule,
      severity: outcome === "FAIL" ? "error" : "warning",
      of: sides.isStub ? "stub" : "node",
      isRule: true,
    }));
}

/** The worst severity; undefined without problems. */
export function worstOf(problems: readonly ExchangeProblem[]): Severity | undefined {
  if (problems.some(({ severity }) => severity === "error")) return "error";
  return problems.length === 0 ? undefined : "warning";
}

/** A problem with its operation, the number of exchanges that have it, and the newest of them. */
export interface ProblemKind extends ExchangeProblem {
  readonly operation: string;
  readonly count: number;
  readonly newest: number;
}

/** The kinds of problem in the traffic: errors first, then by first occurrence. */
export function problemKinds(lines: readonly TrafficLine[], sides: Sides): readonly ProblemKind[] {
  const kinds = new Map<string, ProblemKind>();
  for (const line of lines)
    for (const problem of problemsOf(line, sides)) {
      const operation = line.operationId ?? `${line.method} ${line.target.split("?")[0]}`;
      const key = `${problem.severity} ${problem.name} ${operation}`;
      const count = (kinds.get(key)?.count ?? 0) + 1;
      kinds.set(key, { ...problem, operation, count, newest: line.number });
    }
  const all = [...kinds.values()];
  return (["error", "warning"] as const).flatMap((worst) => all.filter(({ severity }) => severity === worst));
}
