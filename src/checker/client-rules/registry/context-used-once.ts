import type { Json } from "../../../foundation/json/json.ts";
import { transferFactories } from "../../rules/context-lookups.ts";
import { objectAt, textAt } from "../../rules/members.ts";
import { failedWrite } from "../../rules/register.ts";
import { type Finding, notApplicable, type TracedExchange, withFindings } from "../../rules/rule.ts";
import { executeExample } from "../../rules/sample-submissions.ts";
import { Registries } from "../_lookups.ts";
import { exercise, lookupExample, prepareExample, refused, transfer } from "../_samples.ts";
import { executions, preparation, transactionExecuted, transactionPrepared } from "../_submissions.ts";
import type { ClientRule } from "../client-rule.ts";
import { argumentsKey, createContextKey, exercisesIn } from "./_exercises.ts";

/** An exercise in a prepared transaction, with its context. */
interface ContextUse {
  readonly context: string;
  readonly exercise: string;
}

/** Number of exercises counted per context. */
const usesMax = 100;

/** Exchanges about the transfer of this amount, prepared as this transaction. */
const lookUp = (amount: string) => lookupExample(transfer(amount));
const prepare = (amount: string, transaction: string) => prepareExample(transfer(amount), transaction);
const [executeFirst, executeSecond] = [executeExample("YQ==", "s1"), executeExample("Yg==", "s2")];
/** A transfer with its lookup, and another one without. */
const first = [lookUp("1.0"), prepare("1.0", "YQ=="), executeFirst];
const second = [prepare("2.0", "Yg=="), executeSecond];

/** Lookups, the same number of exercises in one transaction, then one more exercise. */
const oneMoreThan = (count: number) => {
  const amounts = Array.from({ length: count }, (_, index) => `${index}.0`);
  const commands = amounts.map((amount) => exercise(transfer(amount)));
  return [
    ...amounts.map((amount) => lookupExample(transfer(amount))),
    ...[prepareExample(transfer("0.0"), "YQ==", { commands }), executeExample("YQ==", "s1")],
    ...[prepareExample(transfer("more"), "Yg=="), executeExample("Yg==", "s2")],
  ];
};

/**
 * Registries give many lookups the same response, so the rule compares the number of lookups with the number of
 * executed exercises. A repeated preparation with the same arguments counts as the same exercise.
 */
export const contextUsedOnce: ClientRule = {
  type: "trace",
  id: "context-used-once",
  section: "2.1",
  severity: "error",
  sentence:
    "A client should use a TransferFactoryWithChoiceContext for one exercise only, since its context may fit this choice alone.",
  summary: "Each exercise uses the context of its own lookup.",
  why: "A context may name contracts that the first exercise archives, or an expired round. The second exercise fails at a real node, and not always in a test.",
  advice: "Look up the factory again for each exercise.",
  operations: [...transferFactories, preparation, ...executions],
  assumesExclusiveUse: true,
  watch(memories) {
    const contextKey = createContextKey();
    const registries = new Registries();
    const lookups = memories.map<number>();
    const prepared = memories.map<readonly ContextUse[]>();
    const used = memories.map<readonly string[]>();
    const usesIn = (traced: TracedExchange): readonly ContextUse[] =>
      exercisesIn(traced.requestJson).flatMap(({ contractId, context, argument }, index, all) => {
        const keys = registries.behind(traced).map((registry) => contextKey(registry, contractId, context));
        const found = keys.find((key) => lookups.get(key) !== undefined);
        const own = argumentsKey(argument);
        const twins = all.slice(0, index).filter((other) => argumentsKey(other.argument) === own).length;
        return found === undefined ? [] : [{ context: found, exercise: `${own} ${twins}` }];
      });
    const findingOf = ({ context, exercise }: ContextUse, status: number): readonly Finding[] => {
      const before = used.get(context) ?? [];
      if (before.includes(exercise) || before.length >= usesMax) return [];
      const isTried = status < 300 || failedWrite(status).type === "undecided";
      if (isTried) used.set(context, [...before, exercise]);
      const requested = lookups.get(context) ?? 0;
      return before.length < requested ? [] : [excessFinding(requested, before.length + 1)];
    };
    return {
      ends(traced) {
        if (transferFactories.includes(traced.operation.operationId)) {
          const factory = traced.status === 200 ? textAt(traced.responseJson, "factoryId") : undefined;
          if (factory === undefined) return notApplicable;
          const key = contextKey(registries.nameOf(traced), factory, contextIn(traced));
          lookups.set(key, (lookups.get(key) ?? 0) + 1);
          return notApplicable;
        }
        const transaction = transactionPrepared(traced);
        if (transaction !== undefined) prepared.set(transaction, usesIn(traced));
        const uses = prepared.get(transactionExecuted(traced) ?? "") ?? [];
        return uses.length === 0 ? notApplicable : withFindings(uses.flatMap((use) => findingOf(use, traced.status)));
      },
    };
  },
  examples: {
    kept: [
      { name: "one lookup per exercise", exchanges: [...first, lookUp("2.0"), ...second] },
      {
        name: "an exercise prepared twice and executed after an error",
        exchanges: [
          lookUp("1.0"),
          prepare("1.0", "YQ=="),
          refused(executeFirst, "FAILED_TO_EXECUTE_TRANSACTION"),
          prepare("1.0", "Yg=="),
          executeSecond,
        ],
      },
      {
        name: "another exercise after a definite failure",
        exchanges: [
          lookUp("1.0"),
          prepare("1.0", "YQ=="),
          refused(executeFirst, "FAILED_TO_EXECUTE_TRANSACTION"),
          ...second,
        ],
      },
      {
        name: "an exercise prepared for cost estimation and never executed",
        exchanges: [lookUp("1.0"), prepare("1.0", "YQ=="), prepare("2.0", "Yg=="), executeExample("Yg==", "s1")],
      },
      { name: "a context with more exercises than are counted", exchanges: oneMoreThan(usesMax) },
    ],
    broken: [
      {
        name: "another exercise after one that may still be in progress",
        exchanges: [lookUp("1.0"), prepare("1.0", "YQ=="), refused(executeFirst, "REQUEST_TIME_OUT", 504), ...second],
      },
      {
        name: "the same exercise twice in one transaction",
        exchanges: [
          lookUp("1.0"),
          prepareExample(transfer("1.0"), "YQ==", { commands: [exercise(transfer("1.0")), exercise(transfer("1.0"))] }),
          executeFirst,
        ],
      },
      { name: "two exercises after one lookup", exchanges: [...first, ...second] },
      { name: "one more exercise than lookups", exchanges: oneMoreThan(usesMax - 1) },
      {
        name: "an exercise that fails because its context is used up",
        exchanges: [...first, prepare("2.0", "Yg=="), refused(executeSecond, "CONTRACT_NOT_FOUND", 404)],
      },
    ],
  },
};

function contextIn({ responseJson }: TracedExchange): Json | undefined {
  return objectAt(responseJson, "choiceContext", "choiceContextData");
}

function excessFinding(lookups: number, exercises: number): Finding {
  return {
    expected: `at most ${lookups === 1 ? "one exercise" : `${lookups} exercises`}, as often as the context was looked up`,
    actual: `${exercises} exercises with it`,
    pointer: "/preparedTransaction",
  };
}
