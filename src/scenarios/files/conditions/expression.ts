import { headerValues } from "../../../foundation/http/header.ts";
import type { Request } from "../../../foundation/http/request.ts";
import type { Response } from "../../../foundation/http/response.ts";
import { isJsonObject, type Json, type JsonObject, jsonOf, textOfJson } from "../../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf } from "../../../foundation/json/members.ts";
import { valueAt } from "../../../foundation/spec/operation.ts";
import type { ValuePath } from "../source-file.ts";

/** Inputs or outputs by name. */
type NamedValues = Readonly<Record<string, Json>>;

/** Values for the runtime expressions of a step (Arazzo 1.0.1, runtime expressions). */
export interface ExpressionScope {
  readonly request: Request | undefined;
  readonly response: Response | undefined;
  readonly responseJson: Json | undefined;
  /** Outputs by step. */
  readonly outputs: ReadonlyMap<string, NamedValues>;
  /** Values of the path's parameters. */
  readonly pathValues?: NamedValues;
  readonly inputs?: NamedValues;
  /** Inputs and outputs by workflow. */
  readonly workflows?: ReadonlyMap<string, { readonly inputs: NamedValues; readonly outputs: NamedValues }>;
  /** Outputs of the workflow that the step called, or of this one. */
  readonly workflowOutputs?: NamedValues;
  /** The Arazzo document. */
  readonly document?: JsonObject;
}

/** The value of a runtime expression; undefined if it has none. Other text is returned unchanged. */
export function evaluate(expression: string, scope: ExpressionScope): Json | undefined {
  if (!expression.startsWith("$")) return expression;
  if (expression === "$statusCode") return scope.response?.status;
  if (expression === "$method") return scope.request?.method;
  if (expression === "$url") return scope.request?.target;
  const message = /^\$(request|response)\.(header|query|path|body)(.*)$/s.exec(expression);
  if (message !== null) return ofMessage(message, scope);
  const [, root = "", name = ""] = /^\$(\w+)\.(.+)$/s.exec(expression) ?? [];
  if (root === "inputs") return named(scope.inputs, name);
  if (root === "outputs") return named(scope.workflowOutputs, name);
  if (root === "components") return ofComponents(name, scope);
  if (root === "sourceDescriptions") return ofSource(name, scope.document);
  const [, id = "", list = "", member = ""] = /^(.+?)\.(inputs|outputs)\.(.+)$/s.exec(name) ?? [];
  if (root === "steps") return list === "outputs" ? named(scope.outputs.get(id), member) : undefined;
  const workflow = root === "workflows" ? scope.workflows?.get(id) : undefined;
  return named(list === "inputs" ? workflow?.inputs : workflow?.outputs, member);
}

function ofMessage([, half, part, rest = ""]: readonly string[], scope: ExpressionScope): Json | undefined {
  const [message, name] = [half === "request" ? scope.request : scope.response, rest.slice(1)];
  if (part === "header") return headerValues(message?.headers ?? [], name)[0];
  if (part === "path") return half === "request" ? named(scope.pathValues, name) : undefined;
  if (part === "query")
    return half === "request"
      ? (new URLSearchParams(scope.request?.target.split("?")[1] ?? "").get(name) ?? undefined)
      : undefined;
  const text = message?.body.text();
  const json = half === "response" ? scope.responseJson : text === undefined ? undefined : jsonOf(text);
  if (rest === "") return json ?? text;
  return json === undefined ? undefined : inside(json, rest);
}

/** A component; of a parameter its value. */
function ofComponents(name: string, scope: ExpressionScope): Json | undefined {
  const components = objectOf(scope.document?.["components"]);
  const parameter = /^parameters\.(.+)$/s.exec(name)?.[1];
  if (parameter === undefined) return inside(components, `.${name}`);
  const value = objectOf(named(objectOf(components["parameters"]), parameter))["value"];
  return value === undefined ? undefined : substitute(value, scope);
}

function ofSource(name: string, document: JsonObject | undefined): Json | undefined {
  const sources = objectsOf(document?.["sourceDescriptions"]);
  const source = sources.find((each) => name.startsWith(`${textOf(each["name"])}.`));
  return source === undefined ? undefined : ownMember(source, name.slice(textOf(source["name"]).length + 1));
}

/** The value of a name, or the part of it that follows the name. A name may have dots, so the longest one counts. */
function named(values: NamedValues | undefined, text: string): Json | undefined {
  if (values === undefined) return undefined;
  const name = Object.keys(values)
    .filter((each) => text === each || (text.startsWith(each) && ".[#".includes(text.charAt(each.length))))
    .reduce<string | undefined>(
      (best, each) => (best === undefined || each.length > best.length ? each : best),
      undefined,
    );
  const value = name === undefined ? undefined : values[name];
  return name === undefined || value === undefined ? undefined : inside(value, text.slice(name.length));
}

const step = /\.([^.[\]#]+)|\[(\d+)\]|\['((?:[^']|'')*)'\]|\["([^"]*)"\]/y;

/** The part of a value at a JSON pointer (`#/users/0`), or at members and indexes (`.users[0]`). */
function inside(value: Json, path: string): Json | undefined {
  if (path.startsWith("#")) return valueAt(value, path.slice(1));
  let found: Json | undefined = value;
  for (let at = 0; at < path.length; at = step.lastIndex) {
    step.lastIndex = at;
    const match = step.exec(path);
    if (match === null) return undefined;
    const [, dotted, index, quoted, other] = match;
    const name: string = dotted ?? quoted?.replaceAll("''", "'") ?? other ?? "";
    if (index !== undefined) found = Array.isArray(found) ? found[Number(index)] : undefined;
    else found = isJsonObject(found) ? ownMember(found, name) : undefined;
  }
  return found;
}

const whole: ReadonlySet<string> = new Set(["$statusCode", "$method", "$url", "$response.body", "$request.body"]);
const composed =
  /^\$(?:(?:request|response)\.(?:body(?:#(?:\/.*)?$|[.[].)|header\..)|request\.(?:query|path)\..|(?:inputs|outputs|components)\..|sourceDescriptions\.[^.]+\..|steps\..+\.outputs\..|workflows\..+\.(?:in|out)puts\..)/s;

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
  const body = objectOf(step["requestBody"]);
  const ofReplacements = objectsOf(body["replacements"]).flatMap(({ value }, index) =>
    placedIn(value, ["requestBody", "replacements", index, "value"]),
  );
  return [...ofParameters, ...placedIn(body["payload"], ["requestBody", "payload"]), ...ofReplacements];
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

function ownMember(members: NamedValues, name: string): Json | undefined {
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
  return withValues(text, scope, textOfJson);
}

/** A text in which `{$…}` is replaced by the value. */
export function withValues(text: string, scope: ExpressionScope, write: (value: Json) => string): string {
  return text.replaceAll(embedded, (_, expression: string) => write(evaluate(expression, scope) ?? ""));
}
