import { Judge, type Level } from "../conformance/judge.ts";
import type { Report } from "../conformance/report.ts";
import { Verdict } from "../conformance/verdict.ts";
import { loadSpec, newestProfileOf } from "../spec/spec.ts";
import type { Environment, Flag, Options } from "./options.ts";
import { readExchanges } from "./recording.ts";
import { profileOf } from "./serve.ts";
import { UserError } from "./user-error.ts";

/** What only the judging of recordings asks for. */
export const recordingFlags: readonly Flag[] = [
  {
    name: "alone",
    type: "boolean",
    help: "nobody else used the target meanwhile: what another client could explain fails too",
  },
];

/** Judges the exchanges of recordings; each file is a trace of its own. */
export async function checkRecordings(level: Level, options: Options, _environment: Environment): Promise<Report> {
  const profile = profileOf(options, newestProfileOf("ledger"));
  const spec = loadSpec(profile, { hasNeighbours: true });
  const verdict = new Verdict(spec);
  const [areNeighboursJudged, isAlone] = [options.flag("neighbours"), options.flag("alone")];
  for (const file of options.positionals) {
    const judge = new Judge({ spec, level, areNeighboursJudged, order: "by-time", isAlone }, verdict);
    for (const exchange of readExchanges(file)) judge.add(exchange);
    judge.end();
  }
  const summary = verdict.summary();
  if (summary.exchanges - summary.outside === 0)
    throw new UserError("There is nothing to judge: no exchange is of an operation of the document.");
  const isNamed = options.text("profile") !== undefined;
  return {
    summary,
    level,
    sources: options.positionals,
    profileReason: isNamed ? `${profile.ledger}, as told` : `${profile.ledger}, the newest release`,
    probing: undefined,
    baseline: undefined,
  };
}
