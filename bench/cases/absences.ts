import type { Plan } from "../plan.ts";
import type { Absence } from "../results.ts";
import type { ServerKind } from "../servers/_server.ts";

export const notRequested = "not asked, since the target is about Understudy and the bare server";
export const didNotStart = "did not start";

/** Understudy and what it is held against; the others are peers. */
export function isOurs({ name }: ServerKind): boolean {
  return name === "understudy" || name === "bare";
}

/** Why those servers have no number that have none: they cannot run here, or what the case says. */
export function absencesOf({ kinds, tools }: Plan, measured: readonly string[], otherwise: string): readonly Absence[] {
  return kinds
    .filter(({ name }) => !measured.includes(name))
    .map((kind) => ({ subject: kind.name, reason: kind.absence(tools) ?? otherwise }));
}
