import { headerValues } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import type { Response } from "../../foundation/http/response.ts";
import { type Json, type JsonObject, textOfJson } from "../../foundation/json/json.ts";
import { objectOf, objectsOf } from "../../foundation/json/members.ts";
import { valueAt } from "../../foundation/spec/operation.ts";
import type { ValuePath } from "./source-file.ts";

/** Values for the runtime expressions of a step (Arazzo 1.0.1, runtime expressions). */
export interface ExpressionScope {
  readonly request: Request | undefined;
  readonly response: Response | undefined;
  readonly responseJson: Json | undefined;
  readonly outputs: ReadonlyMap<string, Readonly<Record<string, Json>>>;
}

/** The value of a runtime expression; undefined if it has none. Other text is returned unchanged. */
export function evaluate(expression: string, scope: ExpressionScope): Json | undefined {
  if (!expression.startsWith("$")) return expression;
  if (expression === "$statusCode") return scope.response?.status;
  if (expression === "$method") return scope.request?.method;
  if (expression === "$url") return scope.request?.target;
  const header = /^\$(request|response)\.header\.(.+)$/.exec(expression);
  if (header !== null)
    return headerValues((header[1] === "request" ? scope.request : scope.response)?.headers ?? [], header[2] ?? "")[0];
  if (expression === "$response.body") return scope.responseJson ?? scope.response?.body.text();
  if (expression.startsWith("$response.body#"))
    return scope.responseJson === undefined
      ? undefined
      : valueAt(scope.responseJson, expression.slice("$response.body#".length));
  const output = /^\$steps\.([^.]+)\.outputs\.(.+)$/.exec(expression);
  if (output !== null) return ownMember(scope.outputs.get(output[1] ?? "") ?? {}, output[2] ?? "");
  return undefined;
}

const whole: ReadonlySet<string> = new Set(["$statusCode", "$method", "$url", "$response.body"]);
const composed = /^\$(?:response\.body#(?:\/.*)?$|(?:request|response)\.header\..|steps\.[^.]+\.outputs\..)/s;

/** Whether a text is a runtime expression that `evaluate` reads. */
export function isExpression(text: string): boolean {
  return whole.has(text) || composed.test(text);
}

/** An expression with its path in the step. */
export interface PlacedExpression {
  readonly expression: string;
  readonly path: ValuePath;
}

/** The expressions in the request of a step, which are replaced before it is sent. */
export function requestExpressions(step: JsonObject): readonly PlacedExpression[] {
  const ofParameters = objectsOf(step["parameters"]).flatMap((parameter, index) =>
    placedIn(parameter["value"], ["parameters", index, "value"]),
  );
  return [...ofParameters, ...placedIn(objectOf(step["requestBody"])["payload"], ["requestBody", "payload"])];
}

function placedIn(value: Json | undefined, path: ValuePath): readonly PlacedExpression[] {
  if (typeof value === "string") return textExpressions(value).map((expression) => ({ expression, path }));
  if (Array.isArray(value)) return value.flatMap((entry, index) => placedIn(entry, [...path, index]));
  return Object.entries(objectOf(value)).flatMap(([name, inner]) => placedIn(inner, [...path, name]));
}

/** Expressions within a longer text. */
const embedded = /\{(\$[^{}]+)\}/g;

function textExpressions(text: string): readonly string[] {
  return text.startsWith("$") ? [text] : [...text.matchAll(embedded)].map(([, expression = ""]) => expression);
}

function ownMember(members: Readonly<Record<string, Json>>, name: string): Json | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

/** Replaces every expression in a value: a text that is one, and `{$…}` within a longer text. */
export function substitute(value: Json, scope: ExpressionScope): Json {
  if (typeof value === "string") return substituteText(value, scope);
  if (Array.isArray(value)) return value.map((entry) => substitute(entry, scope));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, substitute(inner, scope)]));
}

function substituteText(text: string, scope: ExpressionScope): Json {
  if (text.startsWith("$")) return evaluate(text, scope) ?? null;
  return text.replaceAll(embedded, (_, expression: string) => textOfJson(evaluate(expression, scope) ?? ""));
}
