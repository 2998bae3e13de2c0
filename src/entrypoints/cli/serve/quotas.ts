import { performance } from "node:perf_hooks";
import { type LabelQuota, LabelQuotas, otherLabels, type QuotaName } from "../../../stub/hosting/label-quotas.ts";
import { labelPattern } from "../../../stub/hosting/world-details.ts";
import { UserError } from "../../programs/user-error.ts";
import { type Flag, inGroup, listFlag, type Options, rare } from "../options.ts";

/** Flags about worlds with labels. */
export const quotaFlags: readonly Flag[] = inGroup("Limits", [
  rare(
    listFlag(
      "quota",
      "LABEL:LIMITS",
      "limits of the worlds with a label, such as team-a:worlds=100,bytes=50000000,rate=200; * is every label without its own",
    ),
  ),
]);

const names: readonly QuotaName[] = ["worlds", "bytes", "rate"];
const valueMax = 1e12;

/** The quotas of the flags; undefined without any. Throws a UserError for one that is not valid. */
export function quotasOf(options: Options): LabelQuotas | undefined {
  const texts = options.texts("quota");
  if (texts.length === 0) return undefined;
  const quotas = new Map<string, LabelQuota>();
  let label: string | undefined;
  // The environment variable separates quotas by commas, like the limits of one quota.
  for (const text of texts.flatMap((each) => each.split(","))) {
    const [, ownLabel, limit = ""] = /^(?:(.*):)?(.*)$/.exec(text.trim()) ?? [];
    label = ownLabel ?? label;
    if (label === undefined || !(label === otherLabels || labelPattern.test(label))) throw invalid(text, options);
    quotas.set(label, { ...quotas.get(label), ...limitIn(limit, text, options) });
  }
  return new LabelQuotas(quotas, () => performance.now());
}

function limitIn(limit: string, text: string, options: Options): LabelQuota {
  const [, name, digits] = /^([a-z]+)=(\d{1,13})$/.exec(limit) ?? [];
  const found = names.find((each) => each === name);
  const value = Number(digits);
  if (found === undefined || value < 1 || value > valueMax) throw invalid(text, options);
  return { [found]: value };
}

function invalid(text: string, options: Options): UserError {
  return new UserError(
    `${options.placeOf("quota")} ${text}: not a valid quota. Use LABEL:worlds=N,bytes=N,rate=N with at least one of the limits, from 1 to ${valueMax}. A label has 1 to 63 of the characters A-Z a-z 0-9 . _ - or is * for all others.`,
  );
}
