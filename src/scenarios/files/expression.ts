import { headerValues } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import type { Response } from "../../foundation/http/response.ts";
import { type Json, textOfJson } from "../../foundation/json/json.ts";
import { valueAt } from "../../foundation/spec/operation.ts";

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

/** Why a text that begins with `$` is not a runtime expression that `evaluate` reads; undefined if it is one. */
export function expressionProblem(expression: string): string | undefined {
  if (!expression.startsWith("$") || ["$statusCode", "$method", "$url", "$response.body"].includes(expression))
    return undefined;
  const [before = "", pointer] = expression.split("#");
  if (before === "$response.body" && pointer !== undefined)
    return pointer === "" || pointer.startsWith("/")
      ? undefined
      : `${expression} is not a runtime expression: a JSON pointer begins with /`;
  if (/^\$(?:(?:request|response)\.header\..|steps\.[^.]+\.outputs\..)/.test(expression)) return undefined;
  return `${expression} is not a runtime expression that Understudy reads: use $statusCode, $method, $url, $response.body#/…, $response.header.NAME or $steps.ID.outputs.NAME`;
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
  return text.replaceAll(/\{(\$[^{}]+)\}/g, (_, expression: string) => textOfJson(evaluate(expression, scope) ?? ""));
}
