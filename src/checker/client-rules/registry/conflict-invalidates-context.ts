import { transferFactories } from "../../rules/context-lookups.ts";
import { objectAt } from "../../rules/members.ts";
import { isBefore, notApplicable, type Span, withFindings } from "../../rules/rule.ts";
import { Registries } from "../_lookups.ts";
import { conflictExample, lookupExample, prepareExample, transfer } from "../_samples.ts";
import { preparation } from "../_submissions.ts";
import type { ClientRule } from "../client-rule.ts";
import { argumentsKey, exercisesIn } from "./_exercises.ts";

const [lookUp, conflict, prepared] = [
  lookupExample(transfer("1.0")),
  conflictExample(transfer("1.0")),
  prepareExample(transfer("1.0"), "YQ=="),
];

/** A lookup is identified by its arguments, times included: the same consumer continues the same transfer. */
export const conflictInvalidatesContext: ClientRule = {
  type: "trace",
  id: "conflict-invalidates-context",
  section: "2.1",
  severity: "warning",
  sentence: "During a reassignment of the contract the lookup returns 409.",
  summary: "After a 409 a transfer uses the response of a later lookup.",
  why: "A contract is inactive during its reassignment, and afterwards it is assigned to another synchronizer than the older response says. The submission fails in both cases.",
  advice: "Repeat the lookup until it returns 200, and use that response.",
  operations: [...transferFactories, preparation],
  assumesExclusiveUse: false,
  watch(memories) {
    const registries = new Registries();
    const conflicts = memories.map<Span>();
    let isAnyKnown = false;
    return {
      ends(traced) {
        const { operation, status, requestJson, span } = traced;
        if (operation.operationId === preparation) {
          const exercises = exercisesIn(requestJson);
          const stale = exercises.filter(({ argument }) =>
            registries.behind(traced).some((registry) => {
              const conflict = conflicts.get(`${registry} ${argumentsKey(argument)}`);
              return conflict !== undefined && isBefore(conflict, span);
            }),
          );
          const expected = "the context of a lookup after the 409";
          return exercises.length === 0
            ? notApplicable
            : withFindings(
                stale.map(({ pointer }) => ({
                  expected,
                  actual: "the context of an earlier lookup",
                  pointer: `${pointer}/extraArgs/context`,
                })),
              );
        }
        const requested = objectAt(requestJson, "choiceArguments");
        if (requested === undefined) return notApplicable;
        const registry = registries.nameOf(traced);
        // Keys are expensive and most consumers never get a 409.
        if (status !== 409 && !isAnyKnown) return notApplicable;
        isAnyKnown = true;
        const key = `${registry} ${argumentsKey(requested)}`;
        if (status === 409) conflicts.set(key, span);
        else if (status === 200) conflicts.delete(key);
        return notApplicable;
      },
    };
  },
  examples: {
    kept: [
      { name: "a lookup after the 409", exchanges: [lookUp, conflict, lookUp, prepared] },
      { name: "a 409 for another transfer", exchanges: [lookUp, conflictExample(transfer("2.0")), prepared] },
    ],
    broken: [{ name: "a context from before the 409", exchanges: [lookUp, conflict, prepared] }],
  },
};
