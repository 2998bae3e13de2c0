import { formatJson } from "../../../foundation/json/json.ts";
import { objectOf } from "../../../foundation/json/members.ts";
import { contextLookups, isSuccessfulLookup } from "../context-lookups.ts";
import { digestOf } from "../digest.ts";
import { memberAt } from "../members.ts";
import { noFindings, notApplicable, type TracedExchange, type TraceRule, withFindings } from "../rule.ts";
import { acceptLookup, lookup, lookupResponse, transferRequest } from "../sample-bodies.ts";

const request = transferRequest("alice::1220ab", "bob::1220ab");
const withDebug = { ...lookup, body: lookupResponse({ debugPackageName: "splice-rules" }) };
const explicit = { ...withDebug, requestBody: { ...request, excludeDebugFields: false } };

/** Whether the response has debug members, and whether the request sent `false` or relied on the default. */
interface DebugObservation {
  readonly isDefault: boolean;
  readonly hasDebug: boolean;
}

/** A debug member that is null counts as excluded. No state of a registry decides it, so the order of lookups does not matter. */
export const excludeDebugDefault: TraceRule = {
  type: "trace",
  id: "exclude-debug-default",
  section: "2.1",
  severity: "error",
  summary: "A lookup without excludeDebugFields gets the same response as with `excludeDebugFields: false`.",
  operations: contextLookups,
  assumesExclusiveUse: true,
  watch(memories) {
    const shown = memories.map<DebugObservation>();
    return {
      ends(traced) {
        const excludes = memberAt(traced.requestJson, "excludeDebugFields");
        const isOpen = excludes === undefined || excludes === false;
        // Only disclosed contracts have debug members.
        const hasContracts = isSuccessfulLookup(traced) && traced.disclosed.length > 0;
        if (!hasContracts || traced.requestJson === undefined || !isOpen) return notApplicable;
        const key = keyOf(traced);
        const now = { isDefault: excludes === undefined, hasDebug: hasDebugMembers(traced) };
        const before = shown.get(key);
        shown.set(key, now);
        if (before === undefined || before.isDefault === now.isDefault) return notApplicable;
        if (before.hasDebug === now.hasDebug) return noFindings;
        const [byDefault, byFalse] = now.isDefault ? [now, before] : [before, now];
        return withFindings([
          {
            expected: byFalse.hasDebug
              ? "debug members, as with `excludeDebugFields: false`"
              : "no debug members, as with `excludeDebugFields: false`",
            actual: byDefault.hasDebug ? "debug members by default" : "no debug members by default",
            pointer: traced.disclosed[0]?.pointer.replace(/\/0$/, "") ?? "",
          },
        ]);
      },
    };
  },
  examples: {
    kept: [{ name: "the same response", exchanges: [explicit, { ...withDebug, requestBody: request }] }],
    broken: [
      {
        name: "debug members excluded by default, to accept",
        exchanges: [
          { ...acceptLookup({ debugPackageName: "x" }), requestBody: { excludeDebugFields: false } },
          acceptLookup(),
        ],
      },
      { name: "debug members excluded by default", exchanges: [explicit, { ...lookup, requestBody: request }] },
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

/** A key of operation, path and body without `excludeDebugFields`. */
function keyOf({ operation, pathParameters, requestJson }: TracedExchange): string {
  const { excludeDebugFields: _, ...body } = objectOf(requestJson);
  return digestOf(formatJson([operation.operationId, { ...pathParameters }, body]));
}

function hasDebugMembers({ disclosed }: TracedExchange): boolean {
  return disclosed.some(({ contract }) =>
    Object.entries(contract).some(([name, value]) => name.startsWith("debug") && value !== null),
  );
}
