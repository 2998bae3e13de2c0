import { formatJson, isJsonObject, type Json, type JsonObject } from "../../../foundation/json/json.ts";
import { digestOf } from "../../rules/digest.ts";
import { listAt, memberAt, objectAt, textAt } from "../../rules/members.ts";

/** A choice that is to be exercised with a context of a registry. */
export interface Exercise {
  readonly contractId: string;
  readonly argument: JsonObject;
  readonly context: JsonObject;
  /** Where its argument stands in the request. */
  readonly pointer: string;
}

/** The choices of a request to prepare a transaction that carry a context. */
export function exercisesIn(request: Json | undefined): readonly Exercise[] {
  return listAt(request, "commands").flatMap((command, index) => {
    const argument = objectAt(command, "ExerciseCommand", "choiceArgument");
    const context = objectAt(argument, "extraArgs", "context");
    if (argument === undefined || context === undefined) return [];
    const contractId = textAt(command, "ExerciseCommand", "contractId") ?? "";
    return [{ contractId, argument, context, pointer: `/commands/${index}/ExerciseCommand/choiceArgument` }];
  });
}

/** Gives what tells the choice context of one factory from another. */
export type ContextKey = (factoryId: string, context: Json | undefined) => string;

/** An empty context has no `values` with some registries. A stub gives the same value again, which need not be read again. */
export function createContextKey(): ContextKey {
  const digests = new WeakMap<object, string>();
  return (factoryId, context) => {
    const values = memberAt(context, "values") ?? context ?? {};
    const known = typeof values === "object" && values !== null ? digests.get(values) : undefined;
    const digest = known ?? digestOf(canonical(values));
    if (known === undefined && typeof values === "object" && values !== null) digests.set(values, digest);
    return `${factoryId} ${digest}`;
  };
}

/** What a choice is exercised with, its context apart. */
export function argumentsKey(argument: JsonObject): string {
  const { extraArgs: _, ...own } = argument;
  return digestOf(canonical(own));
}

/** The text of a value, whatever the order of its members; a member that is null counts as none. */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isJsonObject(value)) return formatJson(value);
  let text = "";
  for (const name of Object.keys(value).sort()) {
    const member = value[name] ?? null;
    if (member !== null) text += `${JSON.stringify(name)}:${canonical(member)},`;
  }
  return `{${text}}`;
}
