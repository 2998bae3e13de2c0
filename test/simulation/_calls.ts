import type { HandlerResponse } from "../../src/foundation/http/handler.ts";
import type { Request } from "../../src/foundation/http/request.ts";
import { isJsonObject, type Json, jsonOf } from "../../src/foundation/json/json.ts";
import { valueAt } from "../../src/foundation/spec/operation.ts";
import { type SeenName, seenNames, unseen } from "./_draw-steps.ts";
import type { Call } from "./_event.ts";
import { mangled } from "./_mangle.ts";
import { operationOf, requestOf, type Tokens } from "./steps/_request-of.ts";
import { captures, type ReferenceResolver, type Slot, type Step, slotNames, unknownValues } from "./steps/_step.ts";

/** Values from responses, for later requests. All worlds share them: a page token of one world is sent to another. */
export class Memory implements ReferenceResolver {
  readonly #slots = new Map<Slot, Json>();
  readonly #seen = new Map<SeenName, Json>();

  slotValue(slot: Slot): Json {
    return this.#slots.get(slot) ?? unknownValues[slot];
  }

  userId(nth: number): string {
    return `walker-${nth}`;
  }

  /** Stores the values of a response that later requests may use. */
  note(operationId: string, response: HandlerResponse): void {
    if (response.type === "broken" || response.status >= 300) return;
    const slots = Object.hasOwn(captures, operationId) ? captures[operationId] : undefined;
    const named = Object.entries(seenNames).flatMap(([name, places]) => {
      const pointer = new Map(Object.entries(places)).get(operationId);
      return pointer === undefined ? [] : [[name, pointer] as const];
    });
    if (slots === undefined && named.length === 0) return;
    const json = jsonOf(response.body.text());
    const at = (pointer: string | undefined) =>
      pointer === undefined || json === undefined ? undefined : valueAt(json, pointer);
    for (const slot of slotNames) keep(this.#slots, slot, at(slots?.[slot]));
    for (const [name, pointer] of named) if (isSeenName(name)) keep(this.#seen, name, at(pointer));
  }

  /** A value with every `$seen` reference replaced. */
  resolved(value: Json): Json {
    if (Array.isArray(value)) return value.map((entry) => this.resolved(entry));
    if (!isJsonObject(value)) return value;
    const name = value["$seen"];
    if (typeof name === "string" && isSeenName(name)) return this.#seen.get(name) ?? unseen[name];
    return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, this.resolved(inner)]));
  }
}

function keep<Name>(into: Map<Name, Json>, name: Name, value: Json | undefined): void {
  if (value !== undefined && value !== "" && value !== null) into.set(name, value);
}

function isSeenName(name: string): name is SeenName {
  return Object.hasOwn(seenNames, name);
}

/** The request of a call to a world. */
export function requestFor(
  { step, via, mangled: manglings }: Call,
  world: string,
  memory: Memory,
  tokens: Tokens,
): Request {
  const isControl = operationOf(step.operationId).api === "control";
  const body = step.body === undefined ? undefined : memory.resolved(step.body);
  const path: Step["path"] = isControl ? { ...step.path, world } : step.path;
  const plain = requestOf({ ...step, body, path }, memory, tokens);
  const whole = manglings.reduce(mangled, plain);
  const host = ["Host", "127.0.0.1"] as const;
  if (isControl) return { ...whole, headers: [...whole.headers, host] };
  if (via === "path" && whole.target.startsWith("/"))
    return { ...whole, target: `/w/${world}${whole.target}`, headers: [...whole.headers, host] };
  return { ...whole, headers: [...whole.headers, host, ["Understudy-World", world]] };
}
