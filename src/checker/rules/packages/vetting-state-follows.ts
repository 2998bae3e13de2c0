import { shown } from "../_schema-findings.ts";
import { mayVet, stateText, unshownVetting, vettingChanging } from "../_vetting.ts";
import { digestOf } from "../digest.ts";
import { memberAt, textAt } from "../members.ts";
import { Register } from "../register.ts";
import { inconclusive, noFindings, notApplicable, type RuleExample, type TraceRule, withFindings } from "../rule.ts";
import { vettedPackages, vetting, vettingResponse } from "../sample-vetting.ts";

/** The vetting state of each synchronizer, as a digest and as the beginning of its text for messages. */
type States = ReadonlyMap<string, { readonly digest: string; readonly beginning: string }>;

/** Number of synchronizers whose vetting state is remembered. */
const synchronizersMax = 100;

const key = "vetting";

/** Each response shows the state before the change, so consecutive responses form a chain. */
export const vettingStateFollows: TraceRule = {
  type: "trace",
  id: "vetting-state-follows",
  section: "4.2",
  severity: "error",
  summary:
    "A dry run changes nothing, and a real run leaves the state of its response: the next response starts from that state.",
  examplesIn: "canton-3.5",
  operations: vettingChanging,
  assumesExclusiveUse: true,
  watch(memories) {
    const vetting = new Register<States>(memories);
    return {
      begins(traced) {
        if (mayVet(traced)) vetting.writeBegins(key);
      },
      ends(traced) {
        const { operation, status, span, responseJson } = traced;
        if (!vettingChanging.includes(operation.operationId)) return notApplicable;
        const isReal = mayVet(traced);
        const known = isReal ? vetting.before(key, span) : vetting.expected(key, span);
        const before: States = known.type === "known" ? known.value : new Map();
        const [past, now] = [memberAt(responseJson, "pastVettedPackages"), memberAt(responseJson, "newVettedPackages")];
        const synchronizer = textAt(now, "synchronizerId");
        const isShown = status === 200 && synchronizer !== undefined && past !== undefined;
        if (!isShown) {
          if (isReal) vetting.writeEnds(key, span, unshownVetting(status));
          return notApplicable;
        }
        const left = withState(before, synchronizer, stateText(isReal ? now : past));
        if (isReal) vetting.writeEnds(key, span, { type: "written", value: left });
        else vetting.seen(key, span, left);
        if (known.type === "unknown") return inconclusive(known.reason);
        const expected = known.value.get(synchronizer);
        if (expected === undefined)
          return inconclusive("no earlier exchange shows the vetting state of this synchronizer");
        const actual = stateText(past);
        return expected.digest === digestOf(actual)
          ? noFindings
          : withFindings([{ expected: expected.beginning, actual: shown(actual), pointer: "/pastVettedPackages" }]);
      },
    };
  },
  examples: {
    kept: [
      { name: "a dry run, then the same real run", exchanges: [run([], ["a"], true), run([], ["a"], false)] },
      { name: "two consecutive real runs", exchanges: [run([], ["a"], false), run(["a"], [], false)] },
    ],
    broken: [
      { name: "a dry run takes effect", exchanges: [run([], ["a"], true), run(["a"], ["a"], false)] },
      { name: "a real run has no effect", exchanges: [run([], ["a"], false), run([], ["a"], true)] },
    ],
  },
};

/** Adds a synchronizer and drops the oldest one above the limit. */
function withState(before: States, synchronizer: string, state: string): States {
  const others = [...before].filter(([id]) => id !== synchronizer).slice(1 - synchronizersMax);
  return new Map([...others, [synchronizer, { digest: digestOf(state), beginning: shown(state) }]]);
}

function run(past: readonly string[], now: readonly string[], dryRun: boolean): Omit<RuleExample, "name"> {
  const state = (ids: readonly string[]) => vettedPackages(ids, ids.length + 1);
  return { ...vetting, requestBody: { changes: [], dryRun }, body: vettingResponse(state(past), state(now)) };
}
