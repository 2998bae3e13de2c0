import type { JsonObject } from "../../../foundation/json/json.ts";
import { choiceContexts } from "../../rules/context-lookups.ts";
import { objectAt } from "../../rules/members.ts";
import { notApplicable, type TracedExchange, withFindings } from "../../rules/rule.ts";
import { acceptContext, acceptLookup, contractId, otherContractId } from "../../rules/sample-bodies.ts";
import { Registries } from "../_lookups.ts";
import { prepareExample } from "../_samples.ts";
import { preparation } from "../_submissions.ts";
import type { ClientRule } from "../client-rule.ts";
import { createContextKey, exercisesIn } from "./_exercises.ts";

/** Choices that are remembered per context, since a registry gives many of them the same. */
const choicesMax = 100;

/** The choices whose context is looked up, as in the paths of the registry. */
const lookedUpChoices: ReadonlySet<string> = new Set(["accept", "reject", "withdraw", "cancel", "execute-transfer"]);

/** Contexts are looked up for a choice on a contract; the paths of the registry name the choices in lower case. */
export const contextOfThisChoice: ClientRule = {
  type: "trace",
  id: "context-of-this-choice",
  section: "2.1",
  severity: "warning",
  sentence: "`choiceContextData`, a required object, is further data for the exercise of the choice.",
  summary: "A context is used only for the contract and the choice of its lookup.",
  why: "The context of another transfer instruction does not disclose the holding that this one locks. Of the same one, the context to accept may require what the context to reject or withdraw does not. The submission can fail.",
  advice: "Look up the context of each choice with the id of its contract.",
  operations: [...choiceContexts, preparation],
  assumesExclusiveUse: true,
  watch(memories) {
    const contextKey = createContextKey();
    const registries = new Registries();
    const choices = memories.map<readonly string[]>();
    const remember = (traced: TracedExchange): void => {
      const context = traced.status === 200 ? objectAt(traced.responseJson, "choiceContextData") : undefined;
      // An empty context suits every choice.
      if (context === undefined || Object.keys(objectAt(context, "values") ?? {}).length === 0) return;
      const key = contextKey(registries.nameOf(traced), "", context);
      const [before, requested] = [choices.get(key) ?? [], choiceOfLookup(traced)];
      if (!before.includes(requested) && before.length <= choicesMax) choices.set(key, [...before, requested]);
    };
    return {
      ends(traced) {
        if (traced.operation.operationId !== preparation) {
          remember(traced);
          return notApplicable;
        }
        const exercises = exercisesIn(traced.requestJson).flatMap(({ contractId: id, choice, context, pointer }) => {
          const keys = registries.behind(traced).map((registry) => contextKey(registry, "", context));
          const requested = keys.flatMap((key) => choices.get(key) ?? []);
          const own = `${nameOf(choice)} ${id}`;
          const isKnown = lookedUpChoices.has(nameOf(choice)) && requested.length > 0 && requested.length <= choicesMax;
          return isKnown ? [{ requested, own, pointer }] : [];
        });
        if (exercises.length === 0) return notApplicable;
        return withFindings(
          exercises
            .filter(({ requested, own }) => !requested.includes(own))
            .map(({ requested, own, pointer }) => ({
              expected: `the context of a lookup to ${own}`,
              actual: `that of a lookup to ${requested[0]}`,
              pointer: `${pointer}/extraArgs/context`,
            })),
        );
      },
    };
  },
  examples: {
    kept: [
      { name: "the choice of the lookup", exchanges: [acceptLookup(), accepting(otherContractId)] },
      {
        name: "a choice whose context is not looked up",
        exchanges: [acceptLookup(), accepting(contractId, "TransferFactory_Transfer")],
      },
      {
        name: "an empty context",
        exchanges: [
          acceptLookup({}, { choiceContextData: { values: {} } }),
          accepting(contractId, "TransferInstruction_Accept", { values: {} }),
        ],
      },
      {
        name: "a lookup to execute an allocation",
        exchanges: [
          {
            ...acceptLookup(),
            operationId: "getAllocationTransferContextV1",
            target: `/registry/allocations/v1/${contractId}/choice-contexts/execute-transfer`,
          },
          accepting(contractId, "Allocation_ExecuteTransfer"),
        ],
      },
      { name: "a context that no lookup gave", exchanges: [accepting(otherContractId)] },
      {
        name: "one of two instructions with the same context",
        exchanges: [acceptLookup(), acceptOf(contractId), accepting(contractId)],
      },
    ],
    broken: [
      { name: "another instruction", exchanges: [acceptLookup(), accepting(contractId)] },
      {
        name: "another choice on the instruction",
        exchanges: [acceptLookup(), accepting(otherContractId, "TransferInstruction_Reject")],
      },
    ],
  },
};

function acceptOf(id: string): ReturnType<typeof acceptLookup> {
  return { ...acceptLookup(), target: `/registry/transfer-instruction/v2/${id}/choice-contexts/accept` };
}

function accepting(
  id: string,
  choice = "TransferInstruction_Accept",
  context: JsonObject = acceptContext,
): ReturnType<typeof prepareExample> {
  const choiceArgument = { actors: ["bob::1220ab"], extraArgs: { context, meta: { values: {} } } };
  const commands = [{ ExerciseCommand: { templateId: "#t:T:I", contractId: id, choice, choiceArgument } }];
  return prepareExample({}, "YQ==", { commands });
}

/** Choice and contract of a lookup: `accept 00ab…`. */
function choiceOfLookup({ operation, pathParameters }: TracedExchange): string {
  const choice = operation.path.slice(operation.path.lastIndexOf("/") + 1);
  return `${choice} ${Object.values(pathParameters)[0]}`;
}

/** The name of a choice in paths: `execute-transfer` for `Allocation_ExecuteTransfer`. */
function nameOf(choice: string): string {
  const name = choice.slice(choice.lastIndexOf("_") + 1);
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();
}
