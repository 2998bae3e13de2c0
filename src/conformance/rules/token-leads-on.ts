import { looked, notConcerned, type TraceRule, unknown } from "../rule.ts";
import { listAt } from "./_members.ts";
import { pageOfUsers } from "./_sample-bodies.ts";
import { Walks, walkOperations } from "./_walks.ts";

const first = { operationId: "getV2Users", target: "/v2/users", status: 200, body: pageOfUsers(["a"], "t") } as const;
const second = { ...first, target: "/v2/users?pageToken=t" } as const;

/** What breaks the rule is the page before; the finding stands at the one that shows it. */
export const tokenLeadsOn: TraceRule = {
  type: "trace",
  id: "token-leads-on",
  section: "4.2",
  severity: "error",
  summary: "A page has a token only if further users follow.",
  operations: walkOperations,
  assumesQuiet: true,
  watch(memories) {
    const walks = new Walks(memories);
    return {
      begins: (traced) => walks.begins(traced),
      ends(traced) {
        const step = walks.take(traced);
        if (step.type === "no-page") return notConcerned;
        if (step.type === "lost") return unknown(step.why);
        if (!walks.isUndisturbed(step.walk)) return unknown("users came or went during the walk");
        const isNothing = step.walk.tokens.size > 0 && listAt(traced.responseJson, "users").length === 0;
        return isNothing
          ? looked([{ expected: "users, since the page before gave a token", actual: "no users", pointer: "/users" }])
          : looked();
      },
    };
  },
  examples: {
    kept: [{ name: "another page", exchanges: [first, { ...second, body: pageOfUsers(["b"], "") }] }],
    broken: [{ name: "an empty page after a token", exchanges: [first, { ...second, body: pageOfUsers([], "") }] }],
  },
};
