import { rules } from "../../src/checker/rules/index.ts";
import { probe, probedStub } from "../acceptance/_probed.ts";
import type { Mutant } from "./_mutant.ts";
import { checkedSession } from "./_session.ts";
import { mutants } from "./index.ts";

/** The results of all faults. */
export interface Score {
  readonly planted: number;
  /** Faults that no rule finds, or that only a warning reports although they violate the spec. */
  readonly survivors: readonly string[];
  /** Rules that find no fault, so that no test shows that they can. */
  readonly idleRules: readonly string[];
}

/** The result of one fault. */
export interface MutantResult {
  /** The rules that find it. */
  readonly rules: readonly string[];
  /** Why it counts as not found; undefined if it is found. */
  readonly survival: string | undefined;
}

/** Plants each fault and adds up the results; calls `onMutant` before each. */
export async function mutationScore(
  check: (mutant: Mutant) => Promise<MutantResult>,
  onMutant: (mutant: Mutant, index: number) => void = () => undefined,
): Promise<Score> {
  const survivors: string[] = [];
  const broken = new Set<string>();
  for (const [index, mutant] of mutants.entries()) {
    onMutant(mutant, index);
    const result = await check(mutant);
    for (const rule of result.rules) broken.add(rule);
    if (result.survival !== undefined) survivors.push(`${mutant.id}: ${result.survival}`);
  }
  const idleRules = rules.map(({ id }) => id).filter((id) => !broken.has(id));
  return { planted: mutants.length, survivors, idleRules };
}

/** Plants a fault into a fresh stub and checks it with all probes. */
export async function checkMutant(mutant: Mutant): Promise<MutantResult> {
  const found = await violationsOn(mutant);
  return { rules: [...new Set(found.map(({ rule }) => rule))], survival: survivalOf(mutant, found) };
}

function survivalOf({ isTolerable }: Mutant, found: readonly Violation[]): string | undefined {
  if (found.length === 0) return "no violation";
  const isOnlyWarned = found.every(({ outcome }) => outcome === "WARN");
  return isOnlyWarned && isTolerable !== true ? `only a warning by ${found[0]?.rule}` : undefined;
}

interface Violation {
  readonly rule: string;
  readonly outcome: string;
}

/** The violations of a faulty target. */
async function violationsOn({ profile, isSeenIn, wrap }: Mutant): Promise<readonly Violation[]> {
  const stub = await probedStub({ ledger: profile });
  const handler = wrap(stub.handler, stub.tokens.administrator ?? "");
  if (isSeenIn === "session")
    return (await checkedSession(handler, profile, stub.tokens.administrator ?? "")).violations;
  const { summary } = await probe({ ...stub, handler }, { allowed: "destructive" });
  return summary.violations;
}
