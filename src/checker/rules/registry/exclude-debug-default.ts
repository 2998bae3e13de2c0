import { formatJson } from "../../../foundation/json/json.ts";
import { digestOf } from "../digest.ts";
import { memberAt } from "../members.ts";
import { Register } from "../register.ts";
import { inconclusive, noFindings, notApplicable, type TracedExchange, type TraceRule, withFindings } from "../rule.ts";
import { lookup, lookupResponse, transferRequest } from "../sample-bodies.ts";
import { isSuccessfulLookup, lookupOperations } from "./_lookup.ts";

const request = transferRequest("alice::1220ab", "bob::1220ab");
const withDebug = { ...lookup, body: lookupResponse({ debugPackageName: "splice-rules" }) };
const explicit = { ...withDebug, requestBody: { ...request, excludeDebugFields: false } };

/** Whether the response has debug members, and whether the request sent `false` or relied on the default. */
interface DebugObservation {
  readonly isDefault: boolean;
  readonly hasDebug: boolean;
}

/** A debug member that is null counts as excluded. */
export const excludeDebugDefault: TraceRule = {
  type: "trace",
  id: "exclude-debug-default",
  section: "2.1",
  severity: "error",
  summary: "A lookup without excludeDebugFields gets the same response as with `excludeDebugFields: false`.",
  operations: lookupOperations,
  assumesExclusiveUse: true,
  watch(memories) {
    const shown = new Register<DebugObservation>(memories);
    return {
      ends(traced) {
        const excludes = memberAt(traced.requestJson, "excludeDebugFields");
        const isOpen = excludes === undefined || excludes === false;
        if (!isSuccessfulLookup(traced) || traced.requestJson === undefined || !isOpen) return notApplicable;
        const key = digestOf(formatJson(memberAt(traced.requestJson, "choiceArguments") ?? null));
        const now = { isDefault: excludes === undefined, hasDebug: hasDebugMembers(traced) };
        const before = shown.expected(key, traced.span);
        shown.seen(key, traced.span, now);
        if (before.type === "unknown") return inconclusive(before.reason);
        if (before.value.isDefault === now.isDefault) return notApplicable;
        if (before.value.hasDebug === now.hasDebug) return noFindings;
        const [byDefault, byFalse] = now.isDefault ? [now, before.value] : [before.value, now];
        return withFindings([
          {
            expected: byFalse.hasDebug
              ? "debug members, as with `excludeDebugFields: false`"
              : "no debug members, as with `excludeDebugFields: false`",
            actual: byDefault.hasDebug ? "debug members by default" : "no debug members by default",
            pointer: "/choiceContext/disclosedContracts",
          },
        ]);
      },
    };
  },
  examples: {
    kept: [{ name: "the same response", exchanges: [explicit, { ...withDebug, requestBody: request }] }],
    broken: [
      {
        name: "debug members excluded by default",
        exchanges: [explicit, { ...lookup, requestBody: request, body: lookupResponse() }],
      },
      {
        name: "debug members by default although false excludes them",
        exchanges: [
          { ...explicit, body: lookupResponse() },
          { ...withDebug, requestBody: request },
        ],
      },
    ],
  },
};

function hasDebugMembers({ disclosed }: TracedExchange): boolean {
  return disclosed.some(({ contract }) =>
    Object.entries(contract).some(([name, value]) => name.startsWith("debug") && value !== null),
  );
}
