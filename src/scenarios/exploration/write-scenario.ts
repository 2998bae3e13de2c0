import { stringify } from "yaml";
import { isJsonObject, type JsonObject } from "../../foundation/json/json.ts";
import { criteriaOf, type Output } from "./criteria.ts";
import { membersOf, operationOf, type Tokens } from "./request-of.ts";
import { capturedIn, slotsOf, type Taken, type Walk } from "./run-sequence.ts";
import { type Meaning, resolve, type Slot, unknownValues } from "./step.ts";

/** What a scenario of a walk is written with; paths are relative to where it will stand. */
export interface ScenarioOptions {
  /** The workflow that the walk began from. */
  readonly workflow: JsonObject;
  readonly given: { readonly ledger: string; readonly registry: string };
  /** Where the descriptions of the contract are, by the name of their source. */
  readonly sources: Readonly<Record<"ledger" | "registry" | "additionalOperations" | "control", string>>;
  readonly profile: string;
  readonly tokens: Tokens;
  /** The command that finds the difference again. */
  readonly repeat: string;
}

/** A walk to a difference as a scenario: it holds for the oracle, and fails where the target differed. */
export function writeScenario(walk: Walk, options: ScenarioOptions): string {
  const { workflow, given, sources, profile, repeat } = options;
  const extension = workflow["x-understudy"];
  const begun = isJsonObject(extension) ? extension : {};
  const { outputs, steps } = stepsOf(walk, options);
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

function stepsOf(walk: Walk, options: ScenarioOptions) {
  const outputs = new Map<number, Output[]>();
  const use = (place: number, output: Output): string => {
    const known = outputs.get(place) ?? [];
    if (!known.some(({ name }) => name === output.name)) outputs.set(place, [...known, output]);
    return `$steps.${stepIdOf(place)}.outputs.${output.name}`;
  };
  const steps = walk.taken.map((taken, place) => {
    const meaning = meaningAt(walk, place, use);
    const isLast = place === walk.taken.length - 1;
    const difference = isLast ? walk.difference : undefined;
    return {
      stepId: stepIdOf(place),
      operationId: `$sourceDescriptions.${sourceOf(taken)}.${taken.step.operationId}`,
      ...partsOf(taken, meaning, options.tokens),
      successCriteria: criteriaOf(walk, place, difference, use),
    };
  });
  return { outputs, steps };
}

function stepIdOf(place: number): string {
  return `step-${place + 1}`;
}

function sourceOf({ step }: Taken): string {
  const { api, isAdditional } = operationOf(step.operationId);
  return isAdditional ? "additionalOperations" : api;
}

/** What references become: the output of the last step before that has one, or what stands for nobody's. */
function meaningAt(walk: Walk, place: number, use: (place: number, output: Output) => string): Meaning {
  return {
    ownUser: (nth) => `${walk.prefix}-${nth}`,
    recalled: (slot) => {
      const [from, pointer] = lastWith(walk.taken.slice(0, place), slot) ?? [];
      if (from === undefined || pointer === undefined) return unknownValues[slot];
      return use(from, { name: slot, expression: `$response.body#${pointer}` });
    },
  };
}

function lastWith(taken: readonly Taken[], slot: Slot): readonly [number, string] | undefined {
  for (const [place, { step, oracle, target }] of [...taken.entries()].reverse())
    for (const [name, pointer] of slotsOf(step))
      if (name === slot && [oracle, target].every(({ response }) => capturedIn(response, pointer) !== undefined))
        return [place, pointer];
  return undefined;
}

function partsOf({ step }: Taken, meaning: Meaning, tokens: Tokens): JsonObject {
  const isLedger = operationOf(step.operationId).api === "ledger";
  const parameters = [
    ...membersOf(step.path, meaning).map(([name, value]) => ({ name, in: "path", value })),
    ...membersOf(step.query, meaning).map(([name, value]) => ({ name, in: "query", value })),
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
  const payload = step.rawBody ?? (step.body === undefined ? undefined : resolve(step.body, meaning));
  return {
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(payload === undefined ? {} : { requestBody: { contentType: "application/json", payload } }),
  };
}

function withOutputs(step: object, outputs: readonly Output[]): object {
  if (outputs.length === 0) return step;
  return { ...step, outputs: Object.fromEntries(outputs.map(({ name, expression }) => [name, expression])) };
}
