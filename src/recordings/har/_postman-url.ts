import { isJsonObject, type Json, type JsonObject, textOfJson } from "../../foundation/json/json.ts";
import { listOf, objectsOf, textOf } from "../../foundation/json/members.ts";
import { encodedPart, withQuery } from "./har-request.ts";

/** What requests inherit from the collection and the folders around them. */
export interface PostmanScope {
  readonly variables: ReadonlyMap<string, string>;
  readonly auth: Json | undefined;
}

/** The scope inside a collection, a folder or an item. */
export function scopeWithin({ variables, auth }: PostmanScope, { variable, auth: own }: JsonObject): PostmanScope {
  const added = namedValues(enabled(variable));
  return {
    variables: added.length === 0 ? variables : new Map([...variables, ...added]),
    auth: own === undefined || own === null ? auth : own,
  };
}

/** The elements of a list that are not disabled. */
export function enabled(list: Json | undefined): readonly JsonObject[] {
  return objectsOf(list).filter(({ disabled }) => disabled !== true);
}

function namedValues(list: readonly JsonObject[]): readonly (readonly [string, string])[] {
  return list.map(({ key, id, value }) => [textOf(key) || textOf(id), textOfJson(value ?? "")]);
}

/** Values of variables may name others. */
const nestingMax = 5;

/** The text with the values of variables; one without a value stays. */
export function filled(text: string, { variables }: PostmanScope): string {
  let result = text;
  for (let depth = 0; depth < nestingMax && result.includes("{{"); depth += 1)
    result = result.replaceAll(/\{\{([^{}]*)\}\}/g, (whole, name: string) => variables.get(name.trim()) ?? whole);
  return result;
}

/** The URL of a request with the query that its authorization adds; parts of a URL have priority over `raw`, which has disabled parameters. */
export function postmanUrl(url: Json | undefined, added: readonly JsonObject[], scope: PostmanScope): string {
  const parts = isJsonObject(url) ? url : { raw: textOf(url) };
  const hasParts = parts["path"] !== undefined || parts["host"] !== undefined;
  const raw = textOf(parts["raw"]);
  const query = parts["query"] === undefined ? (/\?[^#]*/.exec(raw)?.[0] ?? "") : "";
  const address = filled(hasParts ? addressOf(parts) + query : raw, scope);
  const relative = address.replace(/^\{\{[^{}]*\}\}/, "");
  const isWhole = relative === "" || relative.startsWith("/") || /^[a-z][a-z0-9+.-]*:\/\//i.test(relative);
  const values = new Map(namedValues(enabled(parts["variable"])));
  const path = (isWhole ? relative : `http://${relative}`).replaceAll(
    /(?<=\/):([\w-]+)(?=$|[/?#])/g,
    (whole, name: string) => pathValue(values.get(name), scope) ?? whole,
  );
  const listed = [...(hasParts ? enabled(parts["query"]) : []), ...added].map(({ key, value }) => ({
    name: filled(textOf(key), scope),
    ...(typeof value === "string" ? { value: filled(value, scope) } : {}),
  }));
  return withQuery(path, listed);
}

function addressOf({ protocol, host, port, path }: JsonObject): string {
  const origin = `${typeof protocol === "string" && protocol !== "" ? `${protocol.replace(/:\/\/$/, "")}://` : ""}${joined(host, ".")}`;
  const segments = joined(path, "/").replace(/^\//, "");
  return `${origin}${port === undefined || port === "" || port === null ? "" : `:${textOfJson(port)}`}/${segments}`;
}

/** A host or a path is a text, or a list of texts and of objects with a value. */
function joined(value: Json | undefined, separator: string): string {
  if (typeof value === "string") return value;
  return listOf(value)
    .map((part) => (isJsonObject(part) ? textOf(part["value"]) : textOf(part)))
    .join(separator);
}

function pathValue(value: string | undefined, scope: PostmanScope): string | undefined {
  return value === undefined ? undefined : encodedPart(filled(value, scope)).replaceAll("%3A", ":");
}
