import { rules } from "../../src/conformance/rules/index.ts";
import { probe, probedStub } from "../acceptance/_probed.ts";
import type { Mutant } from "./_mutant.ts";
import { judgedSession } from "./_session.ts";
import { mutants } from "./index.ts";

/** How the judge did on all faults. */
export interface Score {
  readonly planted: number;
  /** Faults that no rule noticed, or that only a warning tells though they break the document. */
  readonly survivors: readonly string[];
  /** Rules that no fault breaks, so that nothing shows that they can. */
  readonly idleRules: readonly string[];
}

/** Plants each fault into a fresh stub and checks it with all probes; tells after each how far it is. */
export async function mutationScore(
  onMutant: (mutant: Mutant, index: number) => void = () => undefined,
): Promise<Score> {
  const survivors: string[] = [];
  const broken = new Set<string>();
  for (const [index, mutant] of mutants.entries()) {
    onMutant(mutant, index);
    const found = await violationsOn(mutant);
    for (const { rule } of found) broken.add(rule);
    if (found.length === 0) survivors.push(`${mutant.id}: nothing was found`);
    else if (mutant.isTolerable !== true && found.every(({ outcome }) => outcome === "WARN"))
      survivors.push(`${mutant.id}: only a warning by ${found[0]?.rule}`);
  }
  const idleRules = rules.map(({ id }) => id).filter((id) => !broken.has(id));
  return { planted: mutants.length, survivors, idleRules };
}

/** What the judge says of a faulty target. */
async function violationsOn({
  profile,
  isSeenIn,
  wrap,
}: Mutant): Promise<readonly { readonly rule: string; readonly outcome: string }[]> {
  const stub = await probedStub({ ledger: profile });
  const handler = wrap(stub.handler, stub.tokens.administrator ?? "");
  if (isSeenIn === "session")
    return (await judgedSession(handler, profile, stub.tokens.administrator ?? "")).violations;
  const { summary } = await probe({ ...stub, handler }, { allowed: "destructive" });
  return summary.violations;
}
