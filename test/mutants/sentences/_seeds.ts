import type { Mutant } from "../_mutant.ts";
import { detect } from "./_detect.ts";
import { faultyServers } from "./rows.ts";

/** Faults of different kinds: in a list, in a state, in a form of a request, and in a choice context. */
export const seededFaults = [
  "users-new-one-missing",
  "execute-twice",
  "allocate-needs-multi-hash",
  "context-names-another",
] as const;

/** The different verdicts on a faulty live server, from as many seeds. */
export async function verdictsOf(
  id: (typeof seededFaults)[number],
  profile: Mutant["profile"],
  seeds: number,
): Promise<readonly string[]> {
  const verdicts = new Set<string>();
  for (const server of faultyServers(profile).filter((one) => one.id === id))
    for (let seed = 0; seed < seeds; seed += 1)
      verdicts.add((await detect(server, { seed: `seed-${seed}` })).live.toSorted().join(" "));
  return [...verdicts];
}

/** The rules that accuse the correct server, from as many seeds; live, and from recordings. */
export async function rulesAccusing(profile: Mutant["profile"], seeds: number): Promise<readonly string[]> {
  const rules = new Set<string>();
  for (let seed = 0; seed < seeds; seed += 1) {
    const found = await detect({ profile, wrap: (inner) => inner }, { seed: `seed-${seed}` });
    for (const rule of [...found.live, ...found.apart, ...found.adjacent]) rules.add(rule);
  }
  return [...rules];
}
