import { Body } from "../../../src/foundation/http/body.ts";
import type { Request } from "../../../src/foundation/http/request.ts";
import { formatJson, isJsonObject, type Json, type JsonObject } from "../../../src/foundation/json/json.ts";
import type { DescribedApi, SpecOperation } from "../../../src/foundation/spec/operation.ts";
import { stepOperations } from "../../../src/scenarios/files/step-operations.ts";
import { type ReferenceResolver, resolve, type Step, type Token } from "./_step.ts";

/** The operation that a step calls. */
export function operationOf(operationId: string): SpecOperation<DescribedApi, string> {
  const operation = stepOperations.get(operationId);
  if (operation === undefined) throw new Error(`invariant: there is no operation ${operationId}`);
  return operation;
}

/** The tokens of one side. */
export type Tokens = Readonly<Record<Exclude<Token, "empty" | "none">, string>>;

/** A step as a request to one side. */
export function requestOf(step: Step, references: ReferenceResolver, tokens: Tokens): Request {
  const operation = operationOf(step.operationId);
  const path = membersOf(step.path, references).reduce(
    (template, [name, value]) => template.replace(`{${name}}`, () => encodeURIComponent(value)),
    operation.path,
  );
  const search = new URLSearchParams(Object.fromEntries(membersOf(step.query, references))).toString();
  const body = step.rawBody ?? (step.body === undefined ? "" : formatJson(resolve(step.body, references)));
  const type = body === "" ? [] : [["Content-Type", "application/json"] as const];
  return {
    method: operation.method,
    target: search === "" ? path : `${path}?${search}`,
    headers: [...(operation.api === "ledger" ? authorization(step.token, tokens) : []), ...type],
    body: new Body(body),
  };
}

function authorization(token: Token, tokens: Tokens): Request["headers"] {
  if (token === "none") return [];
  return [["Authorization", token === "empty" ? "Bearer " : `Bearer ${tokens[token]}`]];
}

/** Members as texts, with references resolved. A member with the value null is omitted. */
export function membersOf(given: JsonObject, references: ReferenceResolver): readonly (readonly [string, string])[] {
  const resolved = resolve(given, references);
  return Object.entries(isJsonObject(resolved) ? resolved : {})
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, parameterText(value)]);
}

function parameterText(value: Json): string {
  return typeof value === "string" ? value : formatJson(value);
}
