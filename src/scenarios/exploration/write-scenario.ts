import { stringify } from "yaml";
import { isJsonObject, type JsonObject } from "../../foundation/json/json.ts";
import { criteriaOf, type Output } from "./criteria.ts";
import { membersOf, operationOf, type Tokens } from "./request-of.ts";
import { capturedIn, type ExecutedStep, type SequenceRun, slotsOf } from "./run-sequence.ts";
import { type ReferenceResolver, resolve, type Slot, unknownValues } from "./step.ts";

/** Options of the written scenario; paths are relative to the scenario file. */
export interface ScenarioOptions {
  /** The workflow that the run started from. */
  readonly workflow: JsonObject;
  readonly given: { readonly ledger: string; readonly registry: string };
  /** URLs of the API descriptions, by the name of their source. */
  readonly sources: Readonly<Record<"ledger" | "registry" | "additionalOperations" | "control", string>>;
  readonly profile: string;
  readonly tokens: Tokens;
  /** The command that reproduces the finding. */
  readonly repeat: string;
}

/** A run with a difference as a scenario: it passes against the oracle, and fails at the target's difference. */
export function writeScenario(run: SequenceRun, options: ScenarioOptions): string {
  const { workflow, given, sources, profile, repeat } = options;
  const extension = workflow["x-understudy"];
  const begun = isJsonObject(extension) ? extension : {};
  const { outputs, steps } = stepsOf(run, options);
  const document = {
    arazzo: "1.0.1",
    info: { title: "A difference that an exploration found", version: "1.0.0", description: `Found by ${repeat}` },
    sourceDescriptions: Object.entries(sources).map(([name, url]) => ({ name, url, type: "openapi" })),
    workflows: [
      {
        workflowId: String(workflow["workflowId"]),
        "x-understudy": { ...begun, given, profile, profiles: [profile] },
        steps: steps.map((step, place) => withOutputs(step, outputs.get(place) ?? [])),
      },
    ],
  };
  return stringify(document, { lineWidth: 0, aliasDuplicateObjects: false });
}

function stepsOf(run: SequenceRun, options: ScenarioOptions) {
  const outputs = new Map<number, Output[]>();
  const use = (place: number, output: Output): string => {
    const known = outputs.get(place) ?? [];
    if (!known.some(({ name }) => name === output.name)) outputs.set(place, [...known, output]);
    return `$steps.${stepIdOf(place)}.outputs.${output.name}`;
  };
  const steps = run.executed.map((executed, place) => {
    const references = referencesAt(run, place, use);
    const isLast = place === run.executed.length - 1;
    const difference = isLast ? run.difference : undefined;
    return {
      stepId: stepIdOf(place),
      operationId: `$sourceDescriptions.${sourceOf(executed)}.${executed.step.operationId}`,
      ...partsOf(executed, references, options.tokens),
      successCriteria: criteriaOf(run, place, difference, use),
    };
  });
  return { outputs, steps };
}

function stepIdOf(place: number): string {
  return `step-${place + 1}`;
}

function sourceOf({ step }: ExecutedStep): string {
  const { api, isAdditional } = operationOf(step.operationId);
  return isAdditional ? "additionalOperations" : api;
}

/** Resolves references to the outputs of earlier steps, or to unknown values if no earlier step has the output. */
function referencesAt(
  run: SequenceRun,
  place: number,
  use: (place: number, output: Output) => string,
): ReferenceResolver {
  return {
    userId: (nth) => `${run.prefix}-${nth}`,
    slotValue: (slot) => {
      const [from, pointer] = lastWith(run.executed.slice(0, place), slot) ?? [];
      if (from === undefined || pointer === undefined) return unknownValues[slot];
      return use(from, { name: slot, expression: `$response.body#${pointer}` });
    },
  };
}

function lastWith(executed: readonly ExecutedStep[], slot: Slot): readonly [number, string] | undefined {
  for (const [place, { step, oracle, target }] of [...executed.entries()].reverse())
    for (const [name, pointer] of slotsOf(step))
      if (name === slot && [oracle, target].every(({ response }) => capturedIn(response, pointer) !== undefined))
        return [place, pointer];
  return undefined;
}

function partsOf({ step }: ExecutedStep, references: ReferenceResolver, tokens: Tokens): JsonObject {
  const isLedger = operationOf(step.operationId).api === "ledger";
  const parameters = [
    ...membersOf(step.path, references).map(([name, value]) => ({ name, in: "path", value })),
    ...membersOf(step.query, references).map(([name, value]) => ({ name, in: "query", value })),
    ...(isLedger && step.token !== "none"
      ? [
          {
            name: "Authorization",
            in: "header",
            value: step.token === "empty" ? "Bearer" : `Bearer ${tokens[step.token]}`,
          },
        ]
      : []),
  ];
  const payload = step.rawBody ?? (step.body === undefined ? undefined : resolve(step.body, references));
  return {
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(payload === undefined ? {} : { requestBody: { contentType: "application/json", payload } }),
  };
}

function withOutputs(step: object, outputs: readonly Output[]): object {
  if (outputs.length === 0) return step;
  return { ...step, outputs: Object.fromEntries(outputs.map(({ name, expression }) => [name, expression])) };
}
