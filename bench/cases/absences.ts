import type { Plan } from "../plan.ts";
import type { Absence } from "../results.ts";
import type { ServerKind } from "../servers/_server.ts";

export const notMeasured = "not measured: the target compares Understudy with the bare server";
export const didNotStart = "did not start";

/** Understudy and the bare server; all others are peers. */
export function isOurs({ name }: ServerKind): boolean {
  return name === "understudy" || name === "bare";
}

/** Reasons for missing numbers: the server cannot run here, or the case excludes it. */
export function absencesOf({ kinds, tools }: Plan, measured: readonly string[], otherwise: string): readonly Absence[] {
  return kinds
    .filter(({ name }) => !measured.includes(name))
    .map((kind) => ({ subject: kind.name, reason: kind.absence(tools) ?? otherwise }));
}
