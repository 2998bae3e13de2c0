import { type FailOn, failOnKinds } from "../../../checker/reports/gate.ts";
import { oneOf } from "../../programs/one-of.ts";
import { type Flag, inGroup, type Options, rare, textFlag } from "../options.ts";

/** Flags that decide what else fails a check. */
export const gateFlags: readonly Flag[] = inGroup("Report", [
  textFlag("require", "ID,…", "operations that must succeed at least once; all: every operation"),
  rare(textFlag("fail-on", "KIND,…", "also fail on: skipped (probes), warning, known (divergences), drift")),
]);

/** The kinds that `--fail-on` names. */
export function failOnOf(options: Options): readonly FailOn[] {
  return (wordsOf("fail-on", options) ?? []).map((word) => oneOf("--fail-on", word, failOnKinds));
}

/** The words of a flag whose value is a list with commas. */
export function wordsOf(flag: string, options: Pick<Options, "text">): readonly string[] | undefined {
  return options
    .text(flag)
    ?.split(",")
    .map((word) => word.trim());
}
