import { formatJson, isJsonObject, type Json, type JsonObject } from "../../../foundation/json/json.ts";
import { digestOf } from "../../rules/digest.ts";
import { listAt, memberAt, objectAt, textAt } from "../../rules/members.ts";

/** A choice exercised with a context of a registry. */
interface Exercise {
  readonly contractId: string;
  /** The name of the choice, such as `TransferInstruction_Accept`. */
  readonly choice: string;
  readonly argument: JsonObject;
  readonly context: JsonObject;
  /** JSON pointer of its argument in the request. */
  readonly pointer: string;
}

/** The choices with a context in a request to prepare a transaction. */
export function exercisesIn(request: Json | undefined): readonly Exercise[] {
  return listAt(request, "commands").flatMap((command, index) => {
    const argument = objectAt(command, "ExerciseCommand", "choiceArgument");
    const context = objectAt(argument, "extraArgs", "context");
    if (argument === undefined || context === undefined) return [];
    const contractId = textAt(command, "ExerciseCommand", "contractId") ?? "";
    const choice = textAt(command, "ExerciseCommand", "choice") ?? "";
    return [{ contractId, choice, argument, context, pointer: `/commands/${index}/ExerciseCommand/choiceArgument` }];
  });
}

/** Gives a key of a factory of a registry with its choice context. */
type ContextKey = (registry: string, factoryId: string, context: Json | undefined) => string;

/** A key with what it was made of. */
interface CachedKey {
  readonly registry: string;
  readonly factoryId: string;
  readonly digest: string;
  readonly key: string;
}

/** Some registries send an empty context without `values`. The last key of an unchanged value is cached. */
export function createContextKey(): ContextKey {
  const keys = new WeakMap<object, CachedKey>();
  return (registry, factoryId, context) => {
    const values = memberAt(context, "values") ?? context ?? {};
    const known = typeof values === "object" ? keys.get(values) : undefined;
    if (known !== undefined && known.registry === registry && known.factoryId === factoryId) return known.key;
    const digest = known?.digest ?? digestOf(canonical(values));
    const key = `${registry} ${factoryId} ${digest}`;
    if (typeof values === "object") keys.set(values, { registry, factoryId, digest, key });
    return key;
  };
}

/** A key of the arguments of a choice without its context. */
export function argumentsKey(argument: JsonObject): string {
  const { extraArgs: _, ...own } = argument;
  return digestOf(canonical(own));
}

/** The canonical text of a value: members sorted, null members dropped. */
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
