import type { Mutant } from "../_mutant.ts";
import { type Detection, detect } from "./_detect.ts";
import type { Row } from "./_plant.ts";
import { ledgerRows } from "./ledger.ts";
import { operationRows } from "./operations.ts";
import { registryRows } from "./registry.ts";

/** Faults made from the sentences of the spec: one row each, with the sentence and what is changed. */
export const rows: readonly Row[] = [...registryRows, ...ledgerRows, ...operationRows];

/** The faulty servers of a profile. */
export function faultyServers(profile: Mutant["profile"]): readonly Mutant[] {
  return rows.flatMap(([id, _sentence, wrap, only]) =>
    only === undefined || only === profile ? [{ id, profile, wrap }] : [],
  );
}

/** The faults of a profile that a check does not find, in the order of the table. */
export interface Misses {
  readonly planted: number;
  readonly live: readonly string[];
  readonly apart: readonly string[];
  readonly adjacent: readonly string[];
}

/** Checks every faulty server of a profile, live and from recordings. */
export async function misses(
  profile: Mutant["profile"],
  servers: readonly Mutant[] = faultyServers(profile),
): Promise<Misses> {
  const results: ({ readonly id: string } & Detection)[] = [];
  for (const server of servers) results.push({ id: server.id, ...(await detect(server)) });
  const missedBy = (kind: "live" | "apart" | "adjacent") =>
    results.filter((result) => result[kind].length === 0).map(({ id }) => id);
  return { planted: servers.length, live: missedBy("live"), apart: missedBy("apart"), adjacent: missedBy("adjacent") };
}
